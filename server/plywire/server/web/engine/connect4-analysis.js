/**
 * The solver's analysis of a position, as in `connect4/solver/analysis.py`: exact as far as limits allow.
 *
 * First it asks whether the position is won, and whether it is at least drawn; then for the distance.
 * Each open question gets few nodes at first, and more in every round.
 */

import { GREATEST, StoppedError, both, negated, signOf } from "./connect4-solver.js";
import { ANALYSIS } from "./layout.js";

/**
 * @import { Bounds, Solver, Stones } from "./connect4-solver.js"
 * @import { Position } from "./position.js"
 * @import { Found, Limits, Line } from "./search.js"
 * @import { Slices } from "./slices.js"
 *
 * @typedef {{stones: Stones, atLeast: number}} Promised A position after a move, and a proven bound for
 *   the player who made the move.
 */

/** One analysis of a position that is not over. */
export class Connect4Analysis {
  #solver;
  #slices;
  #stones;
  #empty;
  #limits;
  #multipv;
  #estimateIn;
  #onLines;
  #began = performance.now();
  #nodesBefore;
  #estimated = 0;
  #estimateNodes = 0;
  /** @type {Bounds} */
  #root;
  /** What is proven of each move, for the player to move. @type {Map<number, Bounds>} */
  #proven;
  /** @type {number | null} */
  #guess = null;
  /** @type {Line[]} */
  #lines = [];

  /**
   * @param {Solver} solver
   * @param {Slices} slices
   * @param {Position} position
   * @param {Limits} limits
   * @param {number} multipv
   * @param {(nodes: number) => Promise<Found>} estimate Searches so many nodes without the solver.
   * @param {(lines: Line[]) => void} onLines
   * @param {Promised | null} promised Of the analysis before.
   */
  constructor(solver, slices, position, limits, multipv, estimate, onLines, promised) {
    this.#solver = solver;
    this.#slices = slices;
    this.#stones = { own: position.own, other: position.other };
    this.#empty = position.empty;
    this.#limits = limits;
    this.#multipv = Math.min(multipv, position.moves.length);
    this.#estimateIn = estimate;
    this.#onLines = onLines;
    this.#nodesBefore = solver.nodes;
    this.#root = solver.known(this.#stones);
    if (promised && this.#follows(promised.stones)) {
      this.#root = both(this.#root, { lower: promised.atLeast, upper: GREATEST });
    }
    const moves = solver.moves(this.#stones);
    this.#proven = new Map(moves.map((move) => [move, negated(solver.known(solver.play(this.#stones, move)))]));
  }

  /** @returns {Promise<Found>} */
  async run() {
    const isForced = this.#limits.movetime !== undefined && !this.#limits.infinite && this.#proven.size === 1;
    if (!isForced) {
      await this.#prove();
      await this.#report();
    }
    return { best: this.#ranked()[0], lines: this.#lines, nodes: this.#nodes };
  }

  /** @returns {Promised} */
  get promised() {
    const best = this.#ranked()[0];
    return { stones: this.#solver.play(this.#stones, best), atLeast: this.#of(best).lower };
  }

  /** Whether the position is one move after another. @param {Stones} before */
  #follows(before) {
    return this.#solver.moves(before).some((move) => {
      const { own, other } = this.#solver.play(before, move);
      return own === this.#stones.own && other === this.#stones.other;
    });
  }

  async #prove() {
    if (!this.#hasLimit) {
      await this.#estimate(ANALYSIS.firstLook); // there must be a move if the search is stopped
      await this.#measure(Infinity);
    }
    for (let nodes = ANALYSIS.firstLook; !isExact(this.#bounds); nodes *= ANALYSIS.growth) {
      for (const worth of this.#questions()) await this.#ask(worth, nodes);
      // There must be a line, even if time is up already.
      if (signOf(this.#bounds) === null) await this.#estimate(nodes);
      else await this.#measure(nodes);
      if (!this.#mayGoOn) return;
    }
  }

  get #hasLimit() {
    const { nodes, movetime, infinite } = this.#limits;
    return nodes !== undefined || movetime !== undefined || !!infinite;
  }

  /** @returns {Bounds} */
  get #bounds() {
    const known = [...this.#proven.values()];
    const [lower, upper] = [Math.max(...known.map((each) => each.lower)), Math.max(...known.map((each) => each.upper))];
    return { lower, upper: Math.min(upper, this.#root.upper) };
  }

  /** @param {number} move @returns {Bounds} */
  #of(move) {
    return /** @type {Bounds} */ (this.#proven.get(move));
  }

  /** @param {number} move @param {Bounds} found */
  #learn(move, found) {
    this.#proven.set(move, both(this.#of(move), found));
  }

  /** The open questions: whether a move is worth 1, and whether one is worth 0. */
  #questions() {
    const { lower, upper } = this.#bounds;
    const questions = [1, 0].filter((worth) => lower < worth && worth <= upper);
    if (this.#root.lower > 0) return questions.slice(0, 1);
    // Most positions are worth no more than their lower bound.
    return this.#root.lower === 0 ? questions.slice(-1) : questions;
  }

  /** Ask whether the position has that worth, then look for a move that has it. @param {number} worth @param {number} nodes */
  async #ask(worth, nodes) {
    let look = nodes;
    if (!isExact(this.#root)) {
      const answer = await this.#solve(this.#stones, nodes * this.#proven.size, worth - 1, worth);
      this.#root = both(this.#root, answer);
      for (const move of this.#proven.keys()) {
        this.#learn(move, negated(this.#solver.known(this.#solver.play(this.#stones, move))));
      }
      if (answer.lower < worth) return;
      look = ANALYSIS.glance;
    }
    await this.#find(worth, look, nodes);
  }

  /** Look for a move of that worth; there must be one. @param {number} worth @param {number} look Nodes in the first round. @param {number} nodes In the last. */
  async #find(worth, look, nodes) {
    for (;;) {
      for (const move of this.#ranked()) {
        if (this.#of(move).lower >= worth) return;
        if (this.#of(move).upper >= this.#root.lower) {
          const child = this.#solver.play(this.#stones, move);
          this.#learn(move, negated(await this.#solve(child, Math.min(look, nodes), -worth, 1 - worth)));
        }
      }
      const left = [...this.#proven.keys()].filter((move) => this.#of(move).upper >= this.#root.lower);
      if (left.length === 1) this.#learn(left[0], this.#root);
      if (left.length === 1 || look >= nodes || !this.#mayGoOn) return;
      look *= ANALYSIS.growth;
    }
  }

  /** Ask for the distance to the end, and look for a move with that distance. @param {number} nodes */
  async #measure(nodes) {
    let look = nodes;
    if (!isExact(this.#root)) {
      const found = await this.#solve(this.#stones, nodes * this.#proven.size, -GREATEST, GREATEST);
      this.#root = both(this.#root, found);
      look = ANALYSIS.glance;
    }
    await this.#find(this.#root.lower, look, nodes);
  }

  /** @param {Stones} stones @param {number} nodes @param {number} floor @param {number} ceiling @returns {Promise<Bounds>} */
  async #solve(stones, nodes, floor, ceiling) {
    if (!this.#mayGoOn) return this.#solver.known(stones);
    return this.#solver.bounds(stones, { floor, ceiling, nodes: Math.min(nodes, this.#nodesLeft - 1) });
  }

  /**
   * The moves, best first: by bounds, then the estimate's, then the centre. Unless the game is lost, all
   * losses count alike.
   */
  #ranked() {
    const isLost = this.#bounds.upper < 0;
    const { lower: best, upper: most } = this.#root;
    const promise = (/** @type {number} */ move) => {
      let { lower, upper } = both(this.#of(move), { lower: -GREATEST, upper: most });
      const mayBeBest = upper >= best;
      if (!isLost) [lower, upper] = [Math.max(lower, -1), Math.max(-1, Math.min(upper, 1))];
      return [lower, upper, Number(mayBeBest), Number(move === this.#guess)];
    };
    const ranks = new Map([...this.#proven.keys()].map((move) => [move, promise(move)]));
    return [...ranks.keys()].sort((a, b) => compare(ranks.get(b) ?? [], ranks.get(a) ?? []));
  }

  get #mayGoOn() {
    return !this.#slices.isOver && this.#nodesLeft > 1;
  }

  get #nodesLeft() {
    const { nodes } = this.#limits;
    return nodes === undefined ? Infinity : Math.max(nodes - this.#nodes, 0);
  }

  get #nodes() {
    return this.#solver.nodes - this.#nodesBefore + this.#estimated;
  }

  /** @param {number} wanted */
  async #estimate(wanted) {
    const nodes = Math.max(wanted, ANALYSIS.leastEstimate);
    if (nodes <= this.#estimateNodes) return;
    this.#estimateNodes = nodes;
    const found = await this.#estimateIn(Math.max(Math.min(nodes, this.#nodesLeft), 1));
    this.#estimated += found.nodes;
    if ((found.lines[0]?.depth ?? 0) > (this.#lines[0]?.depth ?? 0)) {
      this.#guess = found.best;
      this.#lines = found.lines.map((line) => this.#atPresent(line));
      this.#onLines(this.#lines);
    }
  }

  async #report() {
    const [proven, best] = [this.#bounds, this.#ranked()[0]];
    if (isExact(proven)) this.#lines = await this.#exactLines(best, proven.lower);
    else if (signOf(proven) !== null) {
      this.#lines = [await this.#line(best, proven.lower > 0 ? proven.lower : proven.upper, this.#empty - 1)];
    } else if (this.#lines.length && this.#lines[0].pv[0] !== best) this.#lines = [{ ...this.#lines[0], pv: [best] }];
    else return;
    this.#onLines(this.#lines);
  }

  /** @param {number} best @param {number} score */
  async #exactLines(best, score) {
    let scores = new Map([[best, score]]);
    if (this.#multipv > 1) {
      try {
        scores = new Map([...scores, ...(await this.#solver.scores(this.#stones, this.#nodesLeft - 1))]);
      } catch (error) {
        if (!(error instanceof StoppedError)) throw error;
      }
    }
    const ranked = [...scores].sort(([a, worthA], [b, worthB]) => worthB - worthA || Number(b === best) - Number(a === best) || a - b);
    const lines = [];
    for (const [move, worth] of ranked.slice(0, this.#multipv)) lines.push(await this.#line(move, worth, this.#empty));
    return lines;
  }

  /** @param {number} move @param {number} score @param {number} depth @returns {Promise<Line>} */
  async #line(move, score, depth) {
    const nodes = Math.min(this.#hasLimit ? ANALYSIS.quickLineNodes : ANALYSIS.lineNodes, this.#nodesLeft);
    const rest = await this.#solver.line(this.#solver.play(this.#stones, move), -score, nodes);
    const kind = score > 0 ? "win" : score < 0 ? "loss" : "draw";
    const value = score ? this.#solver.distance(this.#stones, score) : 0;
    return this.#atPresent({ depth, confidence: 100, score: { kind, value }, nodes: 0, time: 0, pv: [move, ...rest] });
  }

  /** @param {Line} line @returns {Line} */
  #atPresent(line) {
    return { ...line, nodes: this.#nodes, time: Math.floor(performance.now() - this.#began) };
  }
}

/** @param {Bounds} bounds */
function isExact({ lower, upper }) {
  return lower === upper;
}

/** Which of two lists of numbers is larger. @param {number[]} a @param {number[]} b */
function compare(a, b) {
  const place = a.findIndex((each, index) => each !== b[index]);
  return place < 0 ? 0 : a[place] - b[place];
}
