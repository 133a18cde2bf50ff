/** The editor: any position, square by square. */

import { readRows, write } from "../../game/rules/rules.js";
import { emit } from "../../events.js";
import { byId, html, setText } from "../dom.js";

/** @import { State } from "../../state/state.js" */

/** Games in which players put a piece each by turns, so that the pieces say whose turn it is. */
const BY_TURNS = ["connect4", "tictactoe"];

/** Tells `edit` with a position string that the user has set up. */
export class EditorPanel extends EventTarget {
  #dialog = byId("editor", HTMLDialogElement);
  #squares = byId("editor-squares");
  #turn = byId("editor-turn", HTMLSelectElement);
  /** @type {number[][]} */
  #rows = [];
  /** @type {[string, string]} */
  #players = ["", ""];
  #game = "";

  /** @param {() => State} shown What is shown when the editor opens. */
  constructor(shown) {
    super();
    byId("edit", HTMLButtonElement).addEventListener("click", () => this.#open(shown()));
    byId("editor-clear", HTMLButtonElement).addEventListener("click", () => {
      this.#rows = this.#rows.map((row) => row.map(() => 0));
      this.#draw();
    });
    byId("editor-close", HTMLButtonElement).addEventListener("click", () => this.close());
    byId("editor-form", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      emit(this, "edit", write({ rows: this.#rows, turn: this.#mover }));
    });
  }

  /** @returns {1 | 2} */
  get #mover() {
    if (!BY_TURNS.includes(this.#game)) return this.#turn.value === "2" ? 2 : 1;
    const pieces = this.#rows.flat().filter(Boolean);
    return 2 * pieces.filter((piece) => piece === 1).length > pieces.length ? 2 : 1;
  }

  close() {
    this.#dialog.close();
  }

  /** Say what is wrong with the position. @param {string} text */
  say(text) {
    setText("editor-said", text);
  }

  /** @param {State} state */
  #open({ tree, games }) {
    const { facts } = tree.current;
    const rows = facts && readRows(facts.fen.split(" ")[0]);
    if (!rows) return;
    this.#rows = rows;
    this.#players = games.get(tree.game)?.players ?? ["First", "Second"];
    [...this.#turn.options].forEach((option, at) => (option.text = this.#players[at]));
    this.#turn.value = String(facts.turn);
    this.#game = this.#squares.dataset.game = tree.game;
    byId("editor-mover").hidden = BY_TURNS.includes(tree.game);
    this.#squares.style.setProperty("--columns", String(rows[0].length));
    this.#squares.replaceChildren(
      ...rows.flatMap((row, y) => row.map((_, x) => html("button", { type: "button", class: "square", onclick: () => this.#put(x, y) }))),
    );
    this.say("");
    this.#draw();
    this.#dialog.showModal();
  }

  /** Put the next piece on a square: the first player's, the second's, none. @param {number} x @param {number} y */
  #put(x, y) {
    this.#rows[y][x] = (this.#rows[y][x] + 1) % 3;
    if (this.#game === "connect4") {
      const stones = this.#rows.map((row) => row[x]).filter(Boolean);
      this.#rows.forEach((row, at) => (row[x] = stones[at - this.#rows.length + stones.length] ?? 0));
    }
    this.#draw();
  }

  #draw() {
    const squares = /** @type {HTMLElement[]} */ ([...this.#squares.children]);
    const width = this.#rows[0].length;
    squares.forEach((square, at) => {
      const [x, y] = [at % width, Math.floor(at / width)];
      const piece = this.#rows[y][x];
      square.dataset.piece = String(piece);
      square.ariaLabel = `Column ${x + 1}, row ${y + 1} from the top, ${piece ? this.#players[piece - 1] : "empty"}`;
    });
  }
}
