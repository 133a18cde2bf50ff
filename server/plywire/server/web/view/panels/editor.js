/** The editor: set up any position, square by square. */

import { rowsOf, write } from "../../game/rules/rules.js";
import { byId, html, onClick, setText, show } from "../dom.js";

/**
 * @import { OwnGame } from "../../actions/own-game.js"
 * @import { State } from "../../state/state.js"
 */

/** Games in which the number of pieces says whose turn it is. */
const BY_TURNS = ["connect4", "tictactoe"];

export class EditorPanel {
  #dialog = byId("editor", HTMLDialogElement);
  #squares = byId("editor-squares");
  #turn = byId("editor-turn", HTMLSelectElement);
  /** @type {number[][]} */
  #rows = [];
  /** @type {[string, string]} */
  #players = ["", ""];
  #game = "";

  /** @param {State} state @param {OwnGame} own */
  constructor(state, own) {
    onClick("edit", () => this.#open(state));
    onClick("editor-clear", () => {
      this.#rows = this.#rows.map((row) => row.map(() => 0));
      this.#draw();
    });
    onClick("editor-close", () => this.#dialog.close());
    byId("editor-form").addEventListener("submit", async (event) => {
      event.preventDefault();
      const fault = await own.setUp(write({ rows: this.#rows, turn: this.#mover }));
      if (fault === null) this.#dialog.close();
      setText("editor-said", fault ?? "");
    });
  }

  /** @returns {1 | 2} */
  get #mover() {
    if (!BY_TURNS.includes(this.#game)) return this.#turn.value === "2" ? 2 : 1;
    const pieces = this.#rows.flat().filter(Boolean);
    return 2 * pieces.filter((piece) => piece === 1).length > pieces.length ? 2 : 1;
  }

  /** @param {State} state */
  #open({ tree, games }) {
    const { facts } = tree.current;
    const rows = facts ? rowsOf(facts.fen) : [];
    if (!facts || !rows.length) return;
    this.#rows = rows;
    this.#players = games.get(tree.game)?.players ?? ["First", "Second"];
    [...this.#turn.options].forEach((option, at) => (option.text = this.#players[at]));
    this.#turn.value = String(facts.turn);
    this.#game = this.#squares.dataset.game = tree.game;
    show("editor-mover", !BY_TURNS.includes(tree.game));
    this.#squares.style.setProperty("--columns", String(rows[0].length));
    this.#squares.replaceChildren(
      ...rows.flatMap((row, y) => row.map((_, x) => html("button", { type: "button", class: "square", onclick: () => this.#put(x, y) }))),
    );
    setText("editor-said", "");
    this.#draw();
    this.#dialog.showModal();
  }

  /** Change a square: to the first player's piece, the second's, none. @param {number} x @param {number} y */
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
