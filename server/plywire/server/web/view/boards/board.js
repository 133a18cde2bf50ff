/**
 * The board of a game: squares, pieces, marks, and buttons to play with.
 *
 * The drawing is SVG, one unit a square, and hidden from screen readers. Over it lie transparent buttons
 * with full labels, which the arrow keys reach. The subclass of a game says what its pieces look like,
 * which square a button stands for, and how pieces appear.
 */

import { html, svg } from "../dom.js";
import { rowsOf } from "../../game/rules/rules.js";
import * as score from "../../game/score.js";
import { ghost, marksOf, middle } from "./marks.js";

/**
 * @import { Info, Score } from "../../connection/connection.js"
 * @import { Cell, Facts } from "../../game/rules/rules.js"
 *
 * @typedef {{x: number, y: number}} Point
 *
 * @typedef {object} View What a board shows.
 * @property {Facts} facts The position.
 * @property {string[]} legal The moves that the user may play now.
 * @property {string | null} last The move that led here.
 * @property {string | null} before The position before that move.
 * @property {string | null} better The move that was better than the last one.
 * @property {Map<string, Info>} infos What each move is worth.
 * @property {string[]} line Squares of a line of play that is shown, the next move first.
 * @property {string[]} best Squares of the first moves of the best line, which is drawn with the scores.
 * @property {string | null} hint A move to point at.
 */

/** A view that shows a position and nothing else. */
const EMPTY = { legal: [], last: null, before: null, better: null, infos: new Map(), line: [], best: [], hint: null };

export class Board {
  /** Room around the squares for names of files and ranks, and below them for scores. */
  margin = 0;
  below = 0;
  /** @type {number[][]} */
  #shown = [];
  /** @type {Map<string, SVGGElement>} */
  #pieces = new Map();
  /** @type {{button: HTMLButtonElement, cell: Cell}[]} */
  #buttons = [];
  /** @type {View | null} */
  #view = null;
  /** The cell under the mouse. @type {Cell | null} */
  #pointed = null;

  /**
   * @param {HTMLElement} host Becomes the board.
   * @param {{width: number, height: number, players: [string, string], play: (move: string) => void}} options
   *   What the players are called, and what a click on a move does.
   */
  constructor(host, { width, height, players, play }) {
    this.host = host;
    this.width = width;
    this.height = height;
    this.players = players;
    this.play = play;
    this.layers = {
      under: svg("g"),
      pieces: svg("g"),
      thought: svg("g"),
      over: svg("g"),
      marks: svg("g", { class: "marks" }),
    };
  }

  // ---- what a game says ----

  /** The move that a button plays: the name of its square, a1 at the lower left. @param {Cell} cell */
  moveOf({ column, row }) {
    return `${String.fromCharCode(97 + column)}${this.height - row}`;
  }

  /** @param {string} square @returns {Cell} */
  cellOf(square) {
    return { column: square.charCodeAt(0) - 97, row: this.height - Number(square.slice(1)) };
  }

  /** Where a move landed, none for a pass. @param {string} move @returns {Cell | null} */
  landing(move) {
    return move === "pass" ? null : this.cellOf(move);
  }

  /** Where the score of a move is written. @param {Cell} cell @returns {{x: number, y: number}} */
  scoreAt(cell) {
    return middle(cell);
  }

  /** @param {Cell} cell @returns {{x: number, y: number}} */
  hintAt(cell) {
    return this.scoreAt(cell);
  }

  /** Where a better move would have gone. @param {string} move */
  betterAt(move) {
    const cell = this.landing(move);
    return cell && middle(cell);
  }

  /** The arrows that show what a move does, besides the new piece. @param {Cell} _cell @param {1 | 2} _player @returns {{from: Point, to: Point}[]} */
  ways(_cell, _player) {
    return [];
  }

  /** The text of a score, by lines. @param {Score} worth @returns {string[]} */
  worded(worth) {
    return [score.short(worth)];
  }

  /** The mark of a possible move. @param {Cell} _cell @param {1 | 2} _turn @returns {SVGElement[]} */
  possible(_cell, _turn) {
    return [];
  }

  /** The label of a button. @param {Cell} cell */
  describe(cell) {
    const player = this.at(cell);
    return `${this.moveOf(cell)}, ${player ? this.players[player - 1] : "empty"}`;
  }

  /** The shapes of a piece around the middle of its square. @param {1 | 2} _player @returns {SVGElement[]} */
  shape(_player) {
    throw new Error("a board draws its pieces");
  }

  /** The cells that have a button of their own. @returns {Cell[]} */
  get places() {
    return this.cells;
  }

  /** The rows that a button covers. @param {Cell} cell */
  extent(cell) {
    return { top: cell.row, rows: 1 };
  }

  /** The class that animates a new piece. */
  entrance = "appear";

  // ---- what every board does ----

  /** The player whose piece is on a cell, 0 for none. @param {Cell} cell */
  at({ column, row }) {
    return this.#shown[row]?.[column] ?? 0;
  }

  get rows() {
    return this.#shown;
  }

  /** Draw the empty board. */
  build() {
    const drawing = svg("svg", { "aria-hidden": "true" }, ...Object.values(this.layers));
    const buttons = html("div", { class: "places", role: "group", "aria-label": "Board" });
    buttons.addEventListener("keydown", (event) => this.#roam(event));
    this.#buttons = this.places.map((cell) => {
      const button = html("button", { class: "place", tabindex: "-1" });
      button.addEventListener("click", ({ detail }) => {
        if (detail < 2) this.#choose(cell); // a double click is one move
      });
      button.addEventListener("pointerenter", ({ pointerType }) => this.#point(pointerType === "mouse" ? cell : null));
      button.addEventListener("pointerleave", () => this.#point(null));
      return { button, cell };
    });
    this.#buttons[0].button.tabIndex = 0;
    buttons.append(...this.#buttons.map(({ button }) => button));
    this.host.replaceChildren(drawing, buttons);
    this.fit();
  }

  /** Fit the drawing and the buttons to the current margins. */
  fit() {
    const { margin, below, width, height } = this;
    const [w, h] = [width + 2 * margin, height + 2 * margin + below];
    this.host.firstElementChild?.setAttribute("viewBox", `${-margin} ${-margin} ${w} ${h}`);
    for (const { button, cell } of this.#buttons) {
      const { top, rows } = this.extent(cell);
      button.style.left = `${((cell.column + margin) / w) * 100}%`;
      button.style.top = `${((top + margin) / h) * 100}%`;
      button.style.width = `${100 / w}%`;
      button.style.height = `${(rows / h) * 100}%`;
    }
    this.host.parentElement?.style.setProperty("--ratio", String(w / h));
  }

  /** Make room for scores, if they are not written on the squares. @param {boolean} _isOn */
  showScores(_isOn) {}

  focus() {
    this.#buttons.find(({ button }) => button.tabIndex === 0)?.button.focus();
  }

  /** Draw a position. @param {Partial<View> & {facts: Facts}} shown */
  render(shown) {
    const view = (this.#view = { ...EMPTY, ...shown });
    this.#place(rowsOf(view.facts.fen));
    const won = new Set(view.facts.line?.map(({ column, row }) => `${column} ${row}`));
    for (const [key, piece] of this.#pieces) {
      const { classList } = /** @type {Element} */ (piece.parentElement);
      classList.toggle("won", won.has(key));
      classList.toggle("beside", won.size > 0 && !won.has(key));
    }
    this.layers.marks.replaceChildren(...marksOf(this, view));
    this.#point(this.#pointed);
    for (const { button, cell } of this.#buttons) {
      const move = this.moveOf(cell);
      const isOpen = view.legal.includes(move);
      const info = view.infos.get(move);
      const worth = info ? `, ${score.long(info.score)}${score.isProven(info.score) ? ", proven" : ""}` : "";
      button.setAttribute("aria-disabled", String(!isOpen));
      button.setAttribute("aria-label", `${this.describe(cell)}${isOpen ? ", playable" : ""}${worth}`);
      button.dataset.move = move;
    }
  }

  /** Show the piece that a click would place. @param {Cell | null} cell */
  #point(cell) {
    this.#pointed = cell;
    const move = cell && this.moveOf(cell);
    const isOpen = move !== null && this.#view?.legal.includes(move) && !this.#view.line.length;
    const ghosts = cell && this.#view && isOpen ? [ghost(this, this.hintAt(cell), this.#view.facts.turn)] : [];
    this.layers.thought.replaceChildren(...ghosts);
  }

  /** Disable all moves until the next render. */
  close() {
    if (this.#view) this.#view = { ...this.#view, legal: [] };
    for (const { button } of this.#buttons) button.setAttribute("aria-disabled", "true");
  }

  /** Turn the board by 180°. */
  turn() {
    this.host.classList.toggle("turned");
  }

  /** @param {Cell} cell */
  #choose(cell) {
    const move = this.moveOf(cell);
    if (this.#view?.legal.includes(move)) this.play(move);
  }

  /** Place, flip and remove pieces until the board shows these rows. @param {number[][]} wanted */
  #place(wanted) {
    const shown = this.#shown;
    this.#shown = wanted;
    for (const { column, row } of this.cells) {
      const [before, after] = [shown[row]?.[column] ?? 0, wanted[row]?.[column] ?? 0];
      if (before === after) continue;
      const key = `${column} ${row}`;
      this.#pieces.get(key)?.remove();
      this.#pieces.delete(key);
      if (after === 0) continue;
      const moving = before ? "flip" : this.entrance;
      const piece = svg(
        "g",
        { class: `piece player-${after} ${moving}` },
        ...this.shape(/** @type {1 | 2} */ (after)),
      );
      piece.style.setProperty("--fall", String(row + 1));
      this.#pieces.set(key, piece);
      const at = svg("g", { transform: `translate(${column + 0.5} ${row + 0.5})` }, piece);
      this.layers.pieces.append(at);
      piece.addEventListener("animationend", () => piece.classList.remove("flip", this.entrance));
    }
    for (const at of [...this.layers.pieces.children]) if (!at.firstChild) at.remove();
  }

  /** @param {KeyboardEvent} event */
  #roam(event) {
    const index = this.#buttons.findIndex(({ button }) => button === event.target);
    if (index < 0) return;
    const { column, row } = this.#buttons[index].cell;
    const steps = /** @type {Record<string, [number, number]>} */ ({
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    });
    const step = steps[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const sign = this.host.classList.contains("turned") ? -1 : 1;
    const next = this.#buttons.find(
      ({ cell }) => cell.column === column + sign * step[0] && cell.row === row + sign * step[1],
    );
    if (!next) return;
    this.#buttons[index].button.tabIndex = -1;
    next.button.tabIndex = 0;
    next.button.focus();
  }

  /** All cells. @returns {Cell[]} */
  get cells() {
    const count = this.width * this.height;
    return Array.from({ length: count }, (_, at) => ({ column: at % this.width, row: Math.floor(at / this.width) }));
  }
}
