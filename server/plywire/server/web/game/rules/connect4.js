/** Connect Four, on all boards that the engine plays: a move is the number of a column. */

import { RulesError, other } from "./rules.js";
import { RowRules } from "./rows.js";

/** @import { Position } from "./rules.js" */

/** The least columns, and the least rows. */
const LEAST = 4;
/** The bits in which the engine keeps a board and a row above it. */
const BITS = 64;

export default class Connect4Rules extends RowRules {
  length = 4;
  reason = "four in a row";

  /** Raises RulesError. @param {number} width @param {number} height */
  constructor(width, height) {
    super(width, height);
    const columns = Math.floor(BITS / (LEAST + 1));
    if (!(width >= LEAST && width <= columns)) throw new RulesError(`There are ${LEAST} to ${columns} columns.`);
    const rows = Math.floor(BITS / width) - 1;
    if (!(height >= LEAST && height <= rows)) {
      throw new RulesError(`Boards of ${width} columns have ${rows > LEAST ? `${LEAST} to ` : ""}${rows} rows.`);
    }
  }

  /** @param {Position} position */
  check(position) {
    super.check(position);
    const { rows, turn } = position;
    const floats = rows.slice(1).some((row, above) => row.some((piece, column) => !piece && rows[above][column]));
    if (floats) throw new RulesError("A stone floats: each lies on another or at the bottom.");
    const mover = other(turn);
    if (!this.line(rows, mover).length) return;
    const isJust = this.#tops(rows).some(({ row, column }) => {
      if (rows[row][column] !== mover) return false;
      const before = rows.map((line) => [...line]);
      before[row][column] = 0;
      return this.line(before, mover).length === 0;
    });
    if (!isJust) throw new RulesError("The game was won before the last move.");
  }

  /** @param {Position} position */
  moves({ rows }) {
    return rows[0].flatMap((piece, column) => (piece ? [] : [String(column + 1)]));
  }

  /** @param {Position} position @param {string} move */
  place({ rows, turn }, move) {
    const column = Number(move) - 1;
    const top = rows.findLastIndex((row) => row[column] === 0);
    rows[top][column] = turn;
  }

  /** The highest stone of each column that has one. @param {number[][]} rows */
  #tops(rows) {
    return rows[0].flatMap((_, column) => {
      const row = rows.findIndex((line) => line[column]);
      return row < 0 ? [] : [{ row, column }];
    });
  }
}
