/** The panel of the engine's analysis. */

import * as score from "../../game/score.js";
import { WORDS } from "../../state/engines.js";
import { noLinesText, worthText } from "../../state/status.js";
import { byId, html, keptCheckbox, onClick, setText } from "../dom.js";

/**
 * @import { OwnGame } from "../../actions/own-game.js"
 * @import { Screen } from "../../actions/screen.js"
 * @import { Info } from "../../connection/connection.js"
 * @import { State } from "../../state/state.js"
 */

/** How many moves of the best line are drawn on the board. */
const FORESEEN = 3;
const COUNT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

export class AnalysisPanel {
  #screen;
  #own;
  #toggle = byId("analyse", HTMLInputElement);
  #width = byId("multipv", HTMLSelectElement);
  #arrows = keptCheckbox("arrows", "plywire.arrows", "on");
  #list = byId("lines", HTMLOListElement);
  /** @type {HTMLButtonElement[]} */
  #rows = [];
  /** @type {Info[]} */
  #infos = [];
  /** The rank of the line under the pointer, -1 if there is none. */
  #pointed = -1;

  /** @param {Screen} screen @param {OwnGame} own */
  constructor(screen, own) {
    this.#screen = screen;
    this.#own = own;
    for (const field of [this.#toggle, this.#width]) {
      field.addEventListener("change", () => screen.analyse(this.choice));
    }
    this.#arrows.addEventListener("change", () => screen.draw());
    onClick("sweep", () => screen.sweep());
  }

  /** @returns {import("../../state/state.js").Analysis} */
  get choice() {
    return { isOn: this.#toggle.checked, multipv: Number(this.#width.value) };
  }

  /** The squares of the first moves of the best line, if the user wants arrows. */
  get bestLine() {
    return this.#arrows.checked ? (this.#infos[0]?.squares ?? []).slice(0, FORESEEN) : [];
  }

  /** The squares of the line under the pointer. */
  get pointedLine() {
    return this.#infos[this.#pointed]?.squares ?? [];
  }

  /** Show lines, best first, and what the position is worth. @param {State} state */
  render(state) {
    const infos = (this.#infos = state.lines);
    setText("sweep", state.sweeping === null ? "Evaluate the whole game" : "Stop evaluating");
    setText("worth", worthText(state, infos[0]));
    setText("no-lines", noLinesText(state));
    while (this.#rows.length < infos.length) this.#addRow();
    this.#rows.forEach((row, rank) => {
      const info = infos[rank];
      const item = /** @type {HTMLElement} */ (row.parentElement);
      item.hidden = !info;
      if (info) this.#fill(row, info);
    });
    setText("speaker", state.tree.current.facts?.over ? "" : WORDS[state.speaker]);
    const best = infos[0];
    const { depth, confidence = 100 } = best ?? {};
    setText("depth", best ? `${depth}${confidence < 100 ? ` at ${confidence} %` : ""}` : "–");
    const nodes = Math.max(0, ...infos.map(({ nodes }) => nodes));
    setText("nodes", best ? COUNT.format(nodes) : "–");
    setText("speed", best?.nps ? `${COUNT.format(best.nps)}/s` : "–");
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
      this.#screen.draw();
    };
    row.addEventListener("pointerenter", point(rank));
    row.addEventListener("focus", point(rank));
    row.addEventListener("pointerleave", point(-1));
    row.addEventListener("blur", point(-1));
    row.addEventListener("click", () => {
      const move = this.#infos[rank]?.pv[0];
      if (move) this.#own.play(move);
    });
    this.#rows.push(row);
    this.#list.append(html("li", {}, row));
  }

  /** @param {HTMLButtonElement} row @param {Info} info */
  #fill(row, info) {
    const [worth, proof, pv] = row.children;
    setText(worth, score.short(info.score));
    worth.className = `worth ${score.verdict(info.score)}`;
    setText(proof, score.isProven(info.score) ? "proven" : "");
    setText(pv, info.pv.join(" "));
    row.title = `${info.pv[0]} ${score.long(info.score)}`;
  }
}
