/** The exact scores of all positions of Connect Four's first plies. */

import { OPENINGS } from "./layout.js";
import { bit, popcount } from "./position.js";

/** @import { Stones } from "./connect4-solver.js" */
/** @import { GameLayout } from "./layout.js" */

/** The positions of a ply are found when they are first needed: the last takes a fifth of a second. */
export class OpeningScores {
  #data;
  #grid;
  /** The powers of two of the squares of each column, from the bottom. */
  #columns;
  /** By keys; of mirror images, one is here. @type {Map<number, number>} */
  #scores = new Map();
  /** The positions of the next ply: each key with that of the mirror image. */
  #next = new Map([[0, 0]]);
  #ply = -1;

  /**
   * @param {Uint8Array} data A byte for each position, ply after ply, in the order in which columns from
   *   the left lead to new ones. Mirror images of positions before are left out.
   * @param {GameLayout} layout
   */
  constructor(data, { grid }) {
    this.#data = data;
    this.#grid = grid;
    this.#columns = grid[0].map((_, column) => grid.map((row) => 2 ** row[column]).reverse());
  }

  /** The score of a position, undefined if it is later. @param {Stones} stones */
  get({ own, other }) {
    const ply = popcount(own | other);
    if (ply > OPENINGS.plies) return undefined;
    while (this.#ply < ply) this.#find();
    const first = ply % 2 ? other : own;
    const [key, mirrored] = [false, true].map((isMirrored) => {
      return this.#sum(own | other, isMirrored) + this.#sum(first, isMirrored);
    });
    return this.#scores.get(key) ?? this.#scores.get(mirrored);
  }

  /**
   * Find the positions of one more ply.
   *
   * A key is the sum of the squares that are taken, and again of those of the first player, each as a
   * power of two. In a column, h stones make sums from 2^h - 1 to 2^(h+1) - 2, so no two keys are equal.
   */
  #find() {
    const count = ++this.#ply % 2 ? 1 : 2;
    const columns = this.#columns;
    const range = columns[1][0]; // of the sums of a column
    let number = this.#scores.size;
    /** @type {Map<number, number>} */
    const after = new Map();
    for (const [key, image] of this.#next) {
      this.#scores.set(key, this.#data[number++] - OPENINGS.bias);
      if (this.#ply === OPENINGS.plies) continue;
      let rest = key;
      for (const [place, column] of columns.entries()) {
        const height = 31 - Math.clz32((rest % range) + 1);
        rest = Math.floor(rest / range);
        if (height === column.length) continue;
        const child = key + count * column[height];
        const mirrored = image + count * columns[columns.length - 1 - place][height];
        if (!after.has(child) && !after.has(mirrored)) after.set(child, mirrored);
      }
    }
    this.#next = after;
  }

  /** The sum of the powers of two of some squares. @param {bigint} squares @param {boolean} isMirrored */
  #sum(squares, isMirrored) {
    let sum = 0;
    for (const row of this.#grid) {
      row.forEach((square, column) => {
        if (squares & bit(square)) sum += 2 ** row[isMirrored ? row.length - 1 - column : column];
      });
    }
    return sum;
  }
}
