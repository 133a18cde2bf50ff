/** The exact solver of Connect Four, as in `connect4/solver/solver.py`. */

import { CONTEXT, GAMES, SCORES, SOLVER } from "./layout.js";
import { bit, popcount } from "./position.js";
import { UNLIMITED } from "./search.js";

/**
 * @import { OpeningScores } from "./connect4-openings.js"
 * @import { Kernels } from "./kernels.js"
 * @import { GameLayout } from "./layout.js"
 * @import { Slices } from "./slices.js"
 *
 * @typedef {{own: bigint, other: bigint}} Stones Of the player to move, and of the other.
 * @typedef {{lower: number, upper: number}} Bounds Proven: a score is from the one to the other.
 */

/** More than any score. */
export const GREATEST = SOLVER.greatestScore;
/** Nothing is known. @type {Bounds} */
export const OPEN = { lower: -GREATEST, upper: GREATEST };

/** The solver was stopped, or had no nodes left. */
export class StoppedError extends Error {}

/** What both bounds say. @param {Bounds} a @param {Bounds} b @returns {Bounds} */
export function both(a, b) {
  return { lower: Math.max(a.lower, b.lower), upper: Math.min(a.upper, b.upper) };
}

/** The bounds for the other player. @param {Bounds} bounds @returns {Bounds} */
export function negated({ lower, upper }) {
  return { lower: -upper || 0, upper: -lower || 0 };
}

/** 1 for a win, 0 for a draw, -1 for a loss, null if that is not known. @param {Bounds} bounds */
export function signOf({ lower, upper }) {
  if (lower > 0) return 1;
  if (upper < 0) return -1;
  return lower === upper ? 0 : null;
}

/**
 * Solves positions of the usual board. Scores are +k if the player to move wins with the k-th last stone,
 * -k for such a loss, 0 for a draw. All solves stop when the slices' search is over.
 */
export class Solver {
  #kernels;
  #slices;
  #openings;
  #layout = /** @type {GameLayout} */ (GAMES.get("connect4"));
  #cells = this.#layout.grid.flat().length;
  #context;
  #table;
  #tableBytes;
  #near;
  #history;
  #frames;
  /** Positions visited so far. */
  nodes = 0;

  /** @param {Kernels} kernels @param {Slices} slices @param {number} megabytes Of the table. @param {OpeningScores} [openings] */
  constructor(kernels, slices, megabytes, openings) {
    this.#kernels = kernels;
    this.#slices = slices;
    this.#openings = openings;
    const buckets = Math.floor((megabytes * 2 ** 20) / SOLVER.bucketBytes);
    this.#tableBytes = buckets * SOLVER.bucketBytes;
    this.#context = kernels.allocate(SOLVER.bytes);
    this.#near = kernels.allocate(SOLVER.nearBytes);
    this.#history = kernels.allocate(SOLVER.historyBytes);
    this.#frames = kernels.allocate(SOLVER.framesBytes);
    this.#table = kernels.allocate(this.#tableBytes);
    const words = {
      ...{ [CONTEXT.table]: this.#table, [CONTEXT.buckets]: buckets, [SOLVER.mask]: 2 ** Math.ceil(Math.log2(buckets)) - 1 },
      ...{ [SOLVER.near]: this.#near, [SOLVER.frames]: this.#frames, [SOLVER.history]: this.#history },
    };
    for (const [offset, word] of Object.entries(words)) kernels.put(this.#context + Number(offset), word);
  }

  /** Forget everything. */
  clear() {
    const blocks = [[this.#table, this.#tableBytes], [this.#near, SOLVER.nearBytes], [this.#frames, SOLVER.framesBytes]];
    for (const [start, bytes] of [...blocks, [this.#history, SOLVER.historyBytes]]) this.#kernels.bytes(start, bytes).fill(0);
  }

  // ---- positions ----

  /** The position after a move. @param {Stones} stones @param {number} move @returns {Stones} */
  play({ own, other }, move) {
    return { own: other, other: own | bit(move) };
  }

  /** The moves, those near the centre first. @param {Stones} stones */
  moves({ own, other }) {
    const { grid } = this.#layout;
    const middle = (grid[0].length - 1) / 2;
    const columns = grid[0].map((_, column) => column).sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle) || a - b);
    return columns.flatMap((column) => {
      const rows = grid.map((row) => row[column]).reverse();
      return rows.filter((square) => !((own | other) & bit(square))).slice(0, 1);
    });
  }

  /** Whether the game is over; the kernels say whether there are four in a row. @param {Stones} stones */
  isOver({ own, other }) {
    return popcount(own | other) === this.#cells || this.#isLost({ own, other });
  }

  /** @param {Stones} stones */
  #isLost({ own, other }) {
    return this.#kernels.entries.evaluate_root(...this.#layout.board, own, other) === BigInt(-SCORES.win);
  }

  /** The score of a finished game. @param {Stones} stones */
  #finalScore(stones) {
    return this.#isLost(stones) ? -Math.floor((this.#cells + 2 - popcount(stones.own | stones.other)) / 2) : 0;
  }

  /** Plies to the end of the game. @param {Stones} stones @param {number} score */
  distance({ own, other }, score) {
    const stones = popcount(own | other);
    if (score === 0) return this.#cells - stones;
    // The winner's k-th last stone falls with `before` stones on the board, or with one more.
    const before = this.#cells - 2 * Math.abs(score);
    const isOdd = (before - stones) % 2 !== 0;
    return (isOdd === score > 0 ? before + 1 : before) + 1 - stones;
  }

  // ---- bounds ----

  /**
   * Narrow a score until it is known, at most `floor` or at least `ceiling`, or the nodes are spent.
   *
   * @param {Stones} stones
   * @param {{floor?: number, ceiling?: number, nodes?: number}} [question]
   * @returns {Promise<Bounds>}
   */
  async bounds(stones, { floor = -GREATEST, ceiling = GREATEST, nodes = Infinity } = {}) {
    const told = this.#told(stones);
    if (told) return told;
    const kernels = this.#kernels;
    kernels.prepare(this.#context, Number.isFinite(nodes) ? BigInt(nodes) : UNLIMITED);
    kernels.put(this.#context + SOLVER.back_to, 0);
    /** @type {Bounds} */
    let known = OPEN;
    await this.#slices.run(kernels, this.#context, () => {
      const found = this.#call(stones, floor, ceiling);
      known = both(known, this.#bounds);
      return found;
    });
    this.nodes += kernels.nodes(this.#context);
    return known;
  }

  /** What is known without search. @param {Stones} stones @returns {Bounds} */
  known(stones) {
    const told = this.#told(stones);
    if (told) return told;
    this.#kernels.prepare(this.#context, UNLIMITED);
    this.#kernels.put(this.#context + SOLVER.back_to, 0);
    this.#kernels.endNow();
    this.#call(stones, -GREATEST, GREATEST);
    return this.#bounds;
  }

  /** The score that the end of the game tells, or the openings. @param {Stones} stones @returns {Bounds | null} */
  #told(stones) {
    const score = this.isOver(stones) ? this.#finalScore(stones) : this.#openings?.get(stones);
    return score === undefined ? null : { lower: score, upper: score };
  }

  /** @param {Stones} stones @param {number} floor @param {number} ceiling */
  #call({ own, other }, floor, ceiling) {
    const words = [own, other, BigInt(popcount(own | other)), BigInt(floor), BigInt(ceiling)];
    return this.#kernels.entries.solve(BigInt(this.#context), ...words);
  }

  /** What the last call proved. @returns {Bounds} */
  get #bounds() {
    const [lower, upper] = [SOLVER.lower, SOLVER.upper].map((offset) => this.#kernels.signed(this.#context + offset));
    return { lower, upper };
  }

  // ---- scores and moves ----

  /**
   * The score within known bounds; first asks whether it is more than a guess. Raises StoppedError.
   *
   * @param {Stones} stones
   * @param {Bounds} known
   * @param {number} guess
   * @param {number} nodes
   */
  async #score(stones, known, guess, nodes) {
    const lastNode = this.nodes + nodes;
    for (const [lower, upper] of [[guess, guess + 1], [-GREATEST, GREATEST]]) {
      const [floor, ceiling] = [Math.max(lower, known.lower), Math.min(upper, known.upper)];
      const left = lastNode - this.nodes;
      if (floor < ceiling && left > 0) known = both(known, await this.bounds(stones, { floor, ceiling, nodes: left }));
    }
    if (known.lower !== known.upper) throw new StoppedError();
    return known.lower;
  }

  /** The score of a position. Raises StoppedError. @param {Stones} stones @param {number} [nodes] */
  score(stones, nodes = Infinity) {
    const known = this.#told(stones) ?? OPEN;
    return this.#score(stones, known, known.lower, nodes);
  }

  /** The score of each move, for the player to move. Raises StoppedError. @param {Stones} stones @param {number} nodes */
  async scores(stones, nodes) {
    const lastNode = this.nodes + nodes;
    const known = this.known(stones);
    /** @type {Map<number, number>} */
    const found = new Map();
    const moves = this.moves(stones).reverse();
    for (const move of moves) {
      const child = this.play(stones, move);
      let ofChild = both(this.#told(child) ?? OPEN, { lower: -known.upper, upper: GREATEST });
      const isLeft = move === moves.at(-1) && [...found.values()].every((worth) => worth < known.lower);
      if (isLeft) ofChild = both(ofChild, { lower: -GREATEST, upper: -known.lower });
      const guess = Math.max(ofChild.lower, -known.lower);
      found.set(move, -(await this.#score(child, ofChild, guess, lastNode - this.nodes)) || 0);
    }
    return found;
  }

  /**
   * A move that is worth at least the score of the position. Raises StoppedError.
   *
   * All moves get a short search, then a longer one: the table knows most of the proof.
   *
   * @param {Stones} stones
   * @param {number} score
   * @param {number} [nodes]
   */
  async moveWorth(stones, score, nodes = Infinity) {
    const lastNode = this.nodes + nodes;
    let moves = this.moves(stones);
    for (let look = SOLVER.firstLook; moves.length && !this.#slices.isOver; look *= SOLVER.growth) {
      const open = [];
      for (const move of moves) {
        const budget = Math.min(look, lastNode - this.nodes);
        if (budget <= 0) throw new StoppedError();
        const found = await this.bounds(this.play(stones, move), { floor: -score, ceiling: 1 - score, nodes: budget });
        if (found.upper <= -score) return move;
        if (found.lower <= -score) open.push(move);
      }
      moves = open;
    }
    throw new StoppedError();
  }

  /** Best moves to the end of the game, fewer if stopped. @param {Stones} stones @param {number} score @param {number} nodes */
  async line(stones, score, nodes) {
    const lastNode = this.nodes + nodes;
    /** @type {number[]} */
    const line = [];
    try {
      for (; !this.isOver(stones); score = -score) {
        const move = await this.moveWorth(stones, score, lastNode - this.nodes);
        line.push(move);
        stones = this.play(stones, move);
      }
    } catch (error) {
      if (!(error instanceof StoppedError)) throw error;
    }
    return line;
  }
}
