/** A grid with stones on its squares: the board of games that have none of their own. */

import { svg } from "../dom.js";
import { Board } from "./board.js";

export default class GridBoard extends Board {
  margin = 0.45;

  build() {
    const { width, height, layers } = this;
    const columns = Array.from({ length: width + 1 }, (_, column) => `M${column} 0V${height}`);
    const rows = Array.from({ length: height + 1 }, (_, row) => `M0 ${row}H${width}`);
    layers.under.append(
      svg("rect", { class: "cloth", width, height }),
      svg("path", { class: "line", d: [...columns, ...rows].join("") }),
    );
    for (let column = 0; column < width; column++) {
      const file = this.moveOf({ column, row: 0 })[0];
      layers.under.append(svg("text", { class: "name", x: column + 0.5, y: -0.2 }, file));
    }
    for (let row = 0; row < height; row++) {
      const rank = this.moveOf({ column: 0, row }).slice(1);
      layers.under.append(svg("text", { class: "name", x: -0.22, y: row + 0.5 }, rank));
    }
    super.build();
  }

  /** @param {1 | 2} _player */
  shape(_player) {
    return [
      svg("circle", { class: "shade", r: 0.42, cy: 0.03 }),
      svg("circle", { class: "body", r: 0.41 }),
    ];
  }
}
