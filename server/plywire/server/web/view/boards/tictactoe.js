/** Tic-Tac-Toe: crosses and noughts; a1 is at the lower left. */

import { svg } from "../dom.js";
import { Board } from "./board.js";

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

  /** @param {1 | 2} player */
  shape(player) {
    return player === 1
      ? [svg("path", { class: "cross", d: "M-.26-.26 .26 .26M.26-.26-.26 .26" })]
      : [svg("circle", { class: "nought", r: 0.28 })];
  }
}
