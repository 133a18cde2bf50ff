/** Tic-Tac-Toe: crosses and noughts; a1 is at the lower left. */

import { svg } from "../dom.js";
import { Board } from "./board.js";

/** @typedef {import("./board.js").Cell} Cell */

export default class TicTacToeBoard extends Board {
  margin = 0.06;

  build() {
    const { width, height, layers } = this;
    for (let line = 1; line < width; line++) {
      const d = `M${line} .05V${height - 0.05}M.05 ${line}H${width - 0.05}`;
      layers.under.append(svg("path", { class: "stroke", d }));
    }
    super.build();
  }

  /** @param {Cell} cell */
  moveOf({ column, row }) {
    return `${String.fromCharCode(97 + column)}${this.height - row}`;
  }

  /** @param {Cell} cell */
  describe(cell) {
    const player = this.at(cell);
    return `${this.moveOf(cell)}, ${player ? this.players[player - 1] : "empty"}`;
  }

  /** @param {1 | 2} player */
  shape(player) {
    return player === 1
      ? [svg("path", { class: "cross", d: "M-.26-.26 .26 .26M.26-.26-.26 .26" })]
      : [svg("circle", { class: "nought", r: 0.28 })];
  }
}
