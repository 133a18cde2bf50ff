/** Games in which the first row of a certain length wins. */

import { Rules, RulesError, other } from "./rules.js";

/** @import { Cell, Position, Result } from "./rules.js" */

const DIRECTIONS = [[1, 0], [0, 1], [1, 1], [1, -1]];

export class RowRules extends Rules {
  /** How many in a row win, and the reason that is given. */
  length = 0;
  reason = "";

  /** @param {Position} position */
  check({ rows, turn }) {
    const [first, second] = [1, 2].map((player) => rows.flat().filter((piece) => piece === player).length);
    if (first - second !== turn - 1) {
      throw new RulesError("One side has had too many turns: x begins, and both take turns.");
    }
    if (this.line(rows, turn).length) throw new RulesError("The side to move has won already.");
  }

  /** @param {Position} position @param {string[]} moves @returns {Result | null} */
  result({ rows, turn }, moves) {
    const winner = other(turn);
    const line = this.line(rows, winner);
    if (line.length) return { winner, score: winner === 1 ? 1 : -1, reason: this.reason, line };
    return moves.length ? null : { winner: null, score: 0, reason: "board full" };
  }

  /** The cells of all lines that a player has, none if there are none. @param {number[][]} rows @param {1 | 2} player */
  line(rows, player) {
    /** @type {Map<string, Cell>} */
    const found = new Map();
    for (let row = 0; row < this.height; row++) {
      for (let column = 0; column < this.width; column++) {
        if (rows[row][column] !== player) continue;
        for (const [right, down] of DIRECTIONS) {
          const cells = Array.from({ length: this.length }, (_, step) => {
            return { column: column + step * right, row: row + step * down };
          });
          if (!cells.every((cell) => rows[cell.row]?.[cell.column] === player)) continue;
          for (const cell of cells) found.set(`${cell.column} ${cell.row}`, cell);
        }
      }
    }
    return [...found.values()];
  }
}
