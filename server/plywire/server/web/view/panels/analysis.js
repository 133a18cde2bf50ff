/** The panel that shows what the engine finds, as it finds it. */

import { byId, html, setText } from "../dom.js";
import { emit } from "../../events.js";
import * as score from "../../game/score.js";

/** @import { Info } from "../../connection/connection.js" */

const STORE = "plywire.arrows";
const COUNT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/**
 * Tells `switch` with what to analyse when the user chose otherwise, `point` when another line is
 * pointed at or the best one is to be seen or not, `play` with a move, and `sweep` when the whole game is to be evaluated.
 */
export class AnalysisPanel extends EventTarget {
  #toggle = byId("analyse", HTMLInputElement);
  #width = byId("multipv", HTMLSelectElement);
  #arrows = byId("arrows", HTMLInputElement);
  #list = byId("lines", HTMLOListElement);
  /** @type {HTMLButtonElement[]} */
  #rows = [];
  /** @type {Info[]} */
  #infos = [];
  /** The rank of the line that is pointed at, -1 if none is. */
  #pointed = -1;

  constructor() {
    super();
    for (const field of [this.#toggle, this.#width]) {
      field.addEventListener("change", () => emit(this, "switch", this.choice));
    }
    this.#arrows.checked = localStorage.getItem(STORE) !== "off";
    this.#arrows.addEventListener("change", () => {
      localStorage.setItem(STORE, this.hasArrows ? "on" : "off");
      emit(this, "point");
    });
    byId("sweep", HTMLButtonElement).addEventListener("click", () =>
      emit(this, "sweep"),
    );
  }

  /** @returns {import("../../state/state.js").Analysis} */
  get choice() {
    return { isOn: this.#toggle.checked, multipv: Number(this.#width.value) };
  }

  /** Whether the best line is to be seen on the board. */
  get hasArrows() {
    return this.#arrows.checked;
  }

  /** The squares of the line that is pointed at. */
  get pointedLine() {
    return this.#infos[this.#pointed]?.squares ?? [];
  }

  /**
   * Show lines, best first, and what the position is worth.
   *
   * @param {Info[]} infos
   * @param {string} worth
   */
  render(infos, worth) {
    this.#infos = infos;
    setText("worth", worth);
    while (this.#rows.length < infos.length) this.#addRow();
    this.#rows.forEach((row, rank) => {
      const info = infos[rank];
      const item = /** @type {HTMLElement} */ (row.parentElement);
      item.hidden = !info;
      if (info) this.#fill(row, info);
    });
    const best = infos[0];
    const { depth, confidence = 100 } = best ?? {};
    setText("depth", best ? `${depth}${confidence < 100 ? ` at ${confidence} %` : ""}` : "–");
    const nodes = Math.max(0, ...infos.map(({ nodes }) => nodes));
    setText("nodes", best ? COUNT.format(nodes) : "–");
    setText("speed", best?.nps ? `${COUNT.format(best.nps)}/s` : "–");
  }

  /** Say why there are no lines, or nothing. @param {string} text */
  say(text) {
    setText("no-lines", text);
  }

  /** Offer to evaluate the whole game, or to leave off. @param {boolean} isOn */
  sweeps(isOn) {
    setText("sweep", isOn ? "Stop evaluating" : "Evaluate the whole game");
  }

  #addRow() {
    const rank = this.#rows.length;
    const row = html(
      "button",
      { class: "row" },
      html("span", { class: "worth" }),
      html("span", { class: "proof" }),
      html("span", { class: "pv" }),
    );
    /** @param {number} pointed */
    const point = (pointed) => () => {
      this.#pointed = pointed;
      emit(this, "point");
    };
    row.addEventListener("pointerenter", point(rank));
    row.addEventListener("focus", point(rank));
    row.addEventListener("pointerleave", point(-1));
    row.addEventListener("blur", point(-1));
    row.addEventListener("click", () => {
      const move = this.#infos[rank]?.pv[0];
      if (move) emit(this, "play", move);
    });
    this.#rows.push(row);
    this.#list.append(html("li", {}, row));
  }

  /**
   * @param {HTMLButtonElement} row
   * @param {Info} info
   */
  #fill(row, info) {
    const [worth, proof, pv] = row.children;
    setText(worth, score.short(info.score));
    worth.className = `worth ${score.verdict(info.score)}`;
    setText(proof, score.isProven(info.score) ? "proven" : "");
    setText(pv, info.pv.join(" "));
    row.title = `${info.pv[0]} ${score.long(info.score)}`;
  }
}
