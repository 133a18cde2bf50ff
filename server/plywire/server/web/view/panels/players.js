/** The players above the board: names, whose turn it is, discs or clocks. */

import { byId, setText } from "../dom.js";
import { rowsOf } from "../../game/rules/rules.js";

export class PlayersPanel {
  #plates = [1, 2].map((player) => byId(`plate-${player}`));

  /**
   * @param {import("../../game/rules/rules.js").Facts} facts
   * @param {import("../../game/games.js").Game} game
   * @param {[string, string]} owners Who plays which side, if that is known.
   * @param {[string, string] | null} clocks
   */
  render({ fen, turn, over }, { name, players }, owners, clocks = null) {
    const pieces = rowsOf(fen).flat();
    this.#plates.forEach((plate, index) => {
      const player = index + 1;
      const isOn = !over && turn === player;
      plate.classList.toggle("on", isOn);
      plate.dataset.game = name;
      const [title, owner, count] = plate.querySelectorAll("[data-part]");
      setText(title, players[index]);
      setText(owner, owners[index] === players[index] ? "" : owners[index]);
      const discs = String(pieces.filter((piece) => piece === player).length);
      setText(count, clocks ? clocks[index] : name === "othello" ? discs : "");
    });
  }
}
