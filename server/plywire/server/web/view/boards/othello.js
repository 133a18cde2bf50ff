/** Othello: discs that flip, on green cloth; a1 is at the upper left. */

import { outflanked } from "../../game/rules/othello.js";
import { svg } from "../dom.js";
import GridBoard from "./grid.js";

/** @import { Cell } from "../../game/rules/rules.js" */

export default class OthelloBoard extends GridBoard {
  build() {
    super.build();
    for (const [cx, cy] of [[2, 2], [6, 2], [2, 6], [6, 6]]) {
      this.layers.under.append(svg("circle", { class: "dot", cx, cy, r: 0.06 }));
    }
  }

  /** @param {Cell} cell */
  moveOf({ column, row }) {
    return `${String.fromCharCode(97 + column)}${row + 1}`;
  }

  /** @param {string} square */
  cellOf(square) {
    return { column: square.charCodeAt(0) - 97, row: Number(square.slice(1)) - 1 };
  }

  /** Arrows over the discs that are flipped, from the discs at the other end. @param {Cell} cell @param {1 | 2} player */
  ways({ column, row }, player) {
    return outflanked(this.rows, player, row, column).map((line) => {
      const [[nextRow, nextColumn], [lastRow, lastColumn]] = [line[0], line[line.length - 1]];
      const [down, right] = [nextRow - row, nextColumn - column];
      const from = { x: lastColumn + right + 0.5, y: lastRow + down + 0.5 };
      return { from, to: { x: column + 0.5 + 0.5 * right, y: row + 0.5 + 0.5 * down } };
    });
  }

  /** @param {Cell} cell @param {1 | 2} turn */
  possible({ column, row }, turn) {
    return [
      svg("circle", { class: `possible player-${turn}`, cx: column + 0.5, cy: row + 0.5, r: 0.13 }),
    ];
  }
}
