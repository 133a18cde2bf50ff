/** Othello: discs that flip, on green cloth; a1 is at the upper left. */

import { svg } from "../dom.js";
import { Board } from "./board.js";

/** @typedef {import("./board.js").Cell} Cell */

export default class OthelloBoard extends Board {
  margin = 0.45;

  build() {
    const { width, height, layers } = this;
    layers.under.append(svg("rect", { class: "cloth", width, height }));
    for (let line = 0; line <= width; line++) {
      layers.under.append(svg("path", { class: "line", d: `M${line} 0V${height}M0 ${line}H${width}` }));
    }
    for (const [cx, cy] of [[2, 2], [6, 2], [2, 6], [6, 6]]) {
      layers.under.append(svg("circle", { class: "dot", cx, cy, r: 0.06 }));
    }
    for (let index = 0; index < width; index++) {
      const file = String.fromCharCode(97 + index);
      layers.under.append(
        svg("text", { class: "name", x: index + 0.5, y: -0.2 }, file),
        svg("text", { class: "name", x: -0.22, y: index + 0.5 }, String(index + 1)),
      );
    }
    super.build();
  }

  /** @param {Cell} cell */
  moveOf({ column, row }) {
    return `${String.fromCharCode(97 + column)}${row + 1}`;
  }

  /** @param {string} square */
  cellOf(square) {
    return { column: square.charCodeAt(0) - 97, row: Number(square.slice(1)) - 1 };
  }

  /** @param {Cell} cell */
  describe(cell) {
    const player = this.at(cell);
    return `${this.moveOf(cell)}, ${player ? this.players[player - 1] : "empty"}`;
  }

  /** @param {1 | 2} _player */
  shape(_player) {
    return [
      svg("circle", { class: "shade", r: 0.42, cy: 0.03 }),
      svg("circle", { class: "body", r: 0.41 }),
    ];
  }

  /** @param {Cell} cell @param {1 | 2} turn */
  possible({ column, row }, turn) {
    return [
      svg("circle", { class: `possible player-${turn}`, cx: column + 0.5, cy: row + 0.5, r: 0.13 }),
    ];
  }
}
