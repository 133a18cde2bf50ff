/** Connect Four on any board: a plate with holes, behind which the stones fall. */

import { svg } from "../dom.js";
import * as score from "../../game/score.js";
import { Board } from "./board.js";

/** @import { Cell } from "../../game/rules/rules.js" */

const HOLE = 0.41;

export default class Connect4Board extends Board {
  below = 0.4;
  margin = 0.08;
  entrance = "drop";

  build() {
    const { width, height } = this;
    const circle = (/** @type {number} */ x, /** @type {number} */ y) =>
      `M${x - HOLE} ${y}a${HOLE} ${HOLE} 0 1 0 ${2 * HOLE} 0a${HOLE} ${HOLE} 0 1 0 ${-2 * HOLE} 0`;
    const holes = [];
    for (let column = 0; column < width; column++) {
      for (let row = 0; row < height; row++) holes.push(circle(column + 0.5, row + 0.5));
    }
    const outline = `M0.1-.08H${width - 0.1}a.18 .18 0 0 1 .18 .18V${height - 0.1}a.18 .18 0 0 1-.18 .18H.1a.18 .18 0 0 1-.18-.18V.1a.18 .18 0 0 1 .18-.18Z`;
    this.layers.under.append(
      svg("rect", { class: "well", x: 0, y: 0, width, height, rx: 0.1 }),
    );
    this.layers.over.append(
      svg("path", { class: "plate", "fill-rule": "evenodd", d: outline + holes.join("") }),
      ...Array.from({ length: width }, (_, column) =>
        svg("text", { class: "name", x: column + 0.5, y: height + 0.27 }, String(column + 1)),
      ),
    );
    super.build();
  }

  get places() {
    return Array.from({ length: this.width }, (_, column) => ({ column, row: 0 }));
  }

  extent() {
    return { top: 0, rows: this.height + this.below };
  }

  /** @param {Cell} cell */
  moveOf({ column }) {
    return String(column + 1);
  }

  /** @param {string} move */
  landing(move) {
    const column = Number(move) - 1;
    for (let row = 0; row < this.height; row++) if (this.at({ column, row })) return { column, row };
    return null;
  }

  /** @param {string} move */
  betterAt(move) {
    return this.hintAt({ column: Number(move) - 1, row: 0 });
  }

  /** @param {Cell} cell */
  scoreAt({ column }) {
    return { x: column + 0.5, y: this.height + 0.8 };
  }

  /** @param {boolean} isOn */
  showScores(isOn) {
    const below = isOn ? 1.14 : 0.4;
    if (below === this.below) return;
    this.below = below;
    this.fit();
  }

  /** An arrow from the top of the board to where the stone falls. @param {Cell} cell */
  ways({ column, row }) {
    const x = column + 0.5;
    return row ? [{ from: { x, y: 0.06 }, to: { x, y: row + 0.06 } }] : [];
  }

  /** @param {import("../../connection/connection.js").Score} worth */
  worded(worth) {
    return worth.kind === "cp" ? super.worded(worth) : score.long(worth).replace(/ moves?$/, "").split(/ (?=in )/);
  }

  /** @param {Cell} cell */
  describe({ column }) {
    const stones = [];
    for (let row = this.height - 1; row >= 0; row--) {
      const player = this.at({ column, row });
      if (player) stones.push(this.players[player - 1]);
    }
    const content = stones.length ? `from the bottom ${stones.join(", ")}` : "empty";
    return `Column ${column + 1}, ${content}${stones.length === this.height ? ", full" : ""}`;
  }

  /** @param {1 | 2} player */
  shape(player) {
    const mark =
      player === 1
        ? svg("circle", { class: "sign", r: 0.2 })
        : svg("path", { class: "sign", d: "M0-.24 .24 0 0 .24-.24 0Z" });
    return [svg("circle", { class: "body", r: 0.45 }), mark];
  }

  /** @param {Cell} cell */
  hintAt({ column }) {
    let row = this.height - 1;
    while (row > 0 && this.at({ column, row })) row--;
    return { x: column + 0.5, y: row + 0.5 };
  }
}
