/** Iterative deepening, as in `search/iterative_deepening.py`. */

import { ASPIRATION, CONTEXT, DEEPENING, ROOT, SCORES, TABLE, THREAD } from "./layout.js";

/**
 * @import { Score } from "../connection/connection.js"
 * @import { Kernels } from "./kernels.js"
 * @import { Position } from "./position.js"
 * @import { Slices } from "./slices.js"
 *
 * @typedef {{depth: number, confidence: number}} Iteration A depth in plies, and how sure cuts on
 *   suspicion are, in percent: 100 if there are none.
 * @typedef {{iteration: Iteration, score: number, moves: number[]}} RootLine What an iteration found for
 *   one move of the root, in the units of the kernels.
 * @typedef {{depth: number, confidence: number, score: Score, nodes: number, time: number, pv: number[]}} Line
 *   A line to report, with numbers of moves.
 * @typedef {{movetime?: number, nodes?: number, depth?: number, infinite?: boolean}} Limits
 * @typedef {{best: number, lines: Line[], nodes: number}} Found
 * @typedef {(depth: number, confidence: number, low: number, high: number) => bigint} SearchRoot
 */

/** The most nodes of a search without a limit. */
export const UNLIMITED = (1n << 62n) - 1n;

/** A table of positions, and the memory of the thread that searches. */
export class Searcher {
  #kernels;
  #bytes;
  #prepare;
  #age = 0;
  #table;
  #tableBytes;
  #busy;
  /** The address of the thread's memory. @type {number} */
  memory;

  /**
   * @param {Kernels} kernels
   * @param {number} bytes Of the thread's memory, which is cleared before a search.
   * @param {number} megabytes Of the table.
   * @param {number} [more] Bytes behind them, which are kept.
   * @param {() => void} [prepare] Writes what a game adds to the thread's memory.
   */
  constructor(kernels, bytes, megabytes, more = 0, prepare = () => {}) {
    this.#kernels = kernels;
    this.#bytes = bytes;
    this.#prepare = prepare;
    this.memory = kernels.allocate(bytes + more);
    this.#busy = kernels.allocate(TABLE.busyBytes);
    this.#tableBytes = Math.floor((megabytes * 2 ** 20) / TABLE.bucketBytes) * TABLE.bucketBytes;
    this.#table = kernels.allocate(this.#tableBytes);
  }

  /** Begin a search of a position, of so many nodes. @param {Position} position @param {bigint} nodes */
  begin(position, nodes) {
    const { memory } = this;
    const kernels = this.#kernels;
    kernels.bytes(memory, this.#bytes).fill(0);
    kernels.bytes(this.#busy, TABLE.busyBytes).fill(0);
    this.#age = (this.#age + 1) % TABLE.ages;
    kernels.prepare(memory, nodes);
    kernels.put(memory + CONTEXT.table, this.#table);
    kernels.put(memory + CONTEXT.buckets, this.#tableBytes / TABLE.bucketBytes);
    kernels.put(memory + CONTEXT.busy, this.#busy);
    kernels.put(memory + ROOT.age, this.#age);
    kernels.put(memory + ROOT.salt, position.layout.salt);
    this.#prepare();
  }

  /** Forget all positions. */
  clear() {
    this.#kernels.bytes(this.#table, this.#tableBytes).fill(0);
    this.#age = 0;
  }

  get nodes() {
    return this.#kernels.nodes(this.memory);
  }

  /** The best move of the root so far; before a search, the one to try first. Null if there is none. @returns {number | null} */
  get move() {
    const move = Number(this.#kernels.get(this.memory + ROOT.move));
    return move === TABLE.noMove ? null : move;
  }

  set move(move) {
    this.#kernels.put(this.memory + ROOT.move, move ?? TABLE.noMove);
  }

  /** Leave these moves out at the root. @param {number[]} moves */
  exclude(moves) {
    const excluded = moves.filter((move) => move < 64).reduce((set, move) => set | (1n << BigInt(move)), 0n);
    this.#kernels.put(this.memory + ROOT.excluded, excluded);
  }

  /** The line of the last search, at least its first move. */
  line() {
    const count = Number(this.#kernels.get(this.memory + THREAD.lengths));
    const line = Array.from({ length: count }, (_, index) => Number(this.#kernels.get(this.memory + THREAD.lines + 8 * index)));
    return count ? line : [Number(this.#kernels.get(this.memory + ROOT.move))];
  }
}

/** One search of a position by iterative deepening. */
class Deepening {
  #kernels;
  #searcher;
  #searchRoot;
  #position;
  #limits;
  #slices;
  #multipv;
  #began = performance.now();
  #best;

  /** @param {Kernels} kernels @param {Searcher} searcher @param {SearchRoot} searchRoot @param {Position} position @param {Limits} limits @param {number} multipv @param {Slices} slices */
  constructor(kernels, searcher, searchRoot, position, limits, multipv, slices) {
    this.#kernels = kernels;
    this.#searcher = searcher;
    this.#searchRoot = searchRoot;
    this.#position = position;
    this.#limits = limits;
    this.#multipv = Math.min(multipv, position.moves.length);
    this.#slices = slices;
    this.#best = position.moves[0];
  }

  /** @param {(lines: Line[]) => void} onLines @returns {Promise<Found>} */
  async run(onLines) {
    const { depth, nodes, movetime } = this.#limits;
    const position = this.#position;
    this.#searcher.begin(position, nodes ? BigInt(nodes) : UNLIMITED);
    const deepest = Math.max(1, Math.min(depth ?? position.empty, position.empty));
    const mayRunOut = nodes !== undefined || movetime !== undefined;
    const [first, ...steps] = iterations(position, deepest, mayRunOut);
    /** @type {Line[]} */
    let lines = [];
    // Time does not end the first iteration, so there is always a move.
    let found = await this.#iterate(first, [], false);
    for (const step of [...steps, null]) {
      if (!found.length) break;
      this.#best = found[0].moves[0];
      lines = this.#report(found);
      onLines(lines);
      if (!step || this.#isOver(found)) break;
      found = await this.#iterate(step, found, true);
    }
    return { best: this.#best, lines, nodes: this.#searcher.nodes };
  }

  /** @param {RootLine[]} lines */
  #isOver(lines) {
    const { movetime, infinite } = this.#limits;
    const isForced = movetime !== undefined && !infinite && this.#position.moves.length === 1;
    // No search finds a nearer win than one within its depth.
    const isSettled = lines.every(({ score, iteration }) => SCORES.win - Math.abs(score) <= iteration.depth);
    return this.#slices.isOver || isSettled || isForced;
  }

  /**
   * The best lines of an iteration, the best first; none if it was cut short. Even then there is a best
   * move: that of the iteration before, or a better one.
   *
   * @param {Iteration} iteration
   * @param {RootLine[]} previous
   * @param {boolean} mayEnd
   */
  async #iterate(iteration, previous, mayEnd) {
    /** @type {RootLine[]} */
    const lines = [];
    for (let number = 0; number < this.#multipv; number++) {
      const taken = lines.map((line) => line.moves[0]);
      this.#searcher.exclude(taken);
      const hint = previous.filter((line) => !taken.includes(line.moves[0]))[0];
      const line = await this.#search(iteration, hint, mayEnd);
      if (number === 0) this.#best = this.#searcher.move ?? this.#best;
      if (!line) return [];
      lines.push(line);
    }
    return lines.sort((a, b) => b.score - a.score);
  }

  /**
   * Search with a window around the last score; null if it was cut short.
   *
   * @param {Iteration} iteration
   * @param {RootLine | undefined} hint
   * @param {boolean} mayEnd
   * @returns {Promise<RootLine | null>}
   */
  async #search(iteration, hint, mayEnd) {
    const { memory } = this.#searcher;
    const { depth, confidence } = iteration;
    this.#searcher.move = hint?.moves[0] ?? null;
    let [low, high, width] = [-SCORES.infinity, SCORES.infinity, ASPIRATION.window];
    if (hint && depth >= ASPIRATION.depth && Math.abs(hint.score) <= SCORES.estimate) {
      [low, high] = [hint.score - width, hint.score + width];
    }
    for (;;) {
      const call = () => this.#searchRoot(depth, confidence, low, high);
      const found = await this.#slices.run(this.#kernels, memory, call, mayEnd);
      if (found === null) return null;
      const score = Number(found);
      if ((low < score && score < high) || Math.abs(score) >= SCORES.infinity) {
        return { iteration, score, moves: this.#searcher.line() };
      }
      width *= ASPIRATION.widening;
      const isWide = width > ASPIRATION.widest || Math.abs(score) > SCORES.estimate;
      if (score <= low) low = isWide ? -SCORES.infinity : score - width;
      else high = isWide ? SCORES.infinity : score + width;
    }
  }

  /** @param {RootLine[]} lines @returns {Line[]} */
  #report(lines) {
    const [nodes, time] = [this.#searcher.nodes, Math.floor(performance.now() - this.#began)];
    return lines.map(({ iteration, score, moves }) => {
      const isExact = iteration.depth === this.#position.empty && iteration.confidence === 100;
      return { ...iteration, score: scoreOf(score, isExact), nodes, time, pv: moves };
    });
  }
}

/**
 * Search a position that is not over.
 *
 * @param {Kernels} kernels
 * @param {Searcher} searcher
 * @param {SearchRoot} searchRoot The kernel, for that position.
 * @param {Position} position
 * @param {Limits} limits
 * @param {number} multipv
 * @param {Slices} slices
 * @param {(lines: Line[]) => void} [onLines] Gets the lines of each iteration.
 */
export function search(kernels, searcher, searchRoot, position, limits, multipv, slices, onLines = () => {}) {
  return new Deepening(kernels, searcher, searchRoot, position, limits, multipv, slices).run(onLines);
}

/** A score of the kernels, as the page has it. @param {number} score @param {boolean} isExact @returns {Score} */
export function scoreOf(score, isExact) {
  if (score > SCORES.estimate) return { kind: "win", value: SCORES.win - score };
  if (score < -SCORES.estimate) return { kind: "loss", value: SCORES.win + score };
  if (!isExact) return { kind: "cp", value: score };
  return score ? { kind: "exact", value: Math.floor(score / 100) } : { kind: "draw", value: 0 };
}

/** The steps in which a search deepens. @param {Position} position @param {number} deepest @param {boolean} mayRunOut @returns {Iteration[]} */
export function iterations({ layout, empty }, deepest, mayRunOut) {
  if (!layout.isSelective) return Array.from({ length: deepest }, (_, index) => ({ depth: index + 1, confidence: 100 }));
  const { atOnce, skipped, confidences } = DEEPENING;
  if (deepest < empty) return selective(deepest);
  if (empty <= atOnce) return unique([1, Math.max(empty - skipped, 1), empty]).map((depth) => ({ depth, confidence: 100 }));
  const ends = confidences.map((confidence) => ({ depth: empty, confidence }));
  return mayRunOut ? [...selective(empty - 2), ...ends.slice(1)] : [...selective((empty - skipped - 1) & ~1), ...ends];
}

/** Depth 1, then all of the parity of the deepest. @param {number} deepest @returns {Iteration[]} */
function selective(deepest) {
  const depths = [1];
  for (let depth = 2 - (deepest % 2); depth <= deepest; depth += 2) depths.push(depth);
  return unique(depths).map((depth) => ({ depth, confidence: DEEPENING.confidence }));
}

/** @param {number[]} numbers */
function unique(numbers) {
  return [...new Set(numbers)].sort((a, b) => a - b);
}
