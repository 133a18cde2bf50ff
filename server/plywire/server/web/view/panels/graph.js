/** The graph of evaluations: up is good for the first player. */

import { byId, html, setText, svg } from "../dom.js";

/** @import { Ply, Tree } from "../../game/tree.js" */

const WIDTH = 100;
const HEIGHT = 32;
/** The most numbers below the graph. */
const TICKS = 6;

export class GraphPanel {
  #host = byId("graph");
  #ticks = byId("graph-moves");
  /** @type {Tree | null} */
  #tree = null;

  constructor() {
    this.#host.addEventListener("click", ({ offsetX }) => {
      if (!this.#tree) return;
      const shown = this.#tree.shown;
      const index = Math.round((offsetX / this.#host.clientWidth) * (shown.length - 1));
      this.#tree.go(shown[Math.max(0, Math.min(shown.length - 1, index))]);
    });
  }

  /** @param {Tree} tree @param {[string, string]} players */
  render(tree, players) {
    this.#tree = tree;
    const shown = tree.shown;
    const step = WIDTH / Math.max(shown.length - 1, 1);
    const points = shown.flatMap((ply, index) =>
      ply.evaluation ? [{ ply, x: index * step, y: height(ply.evaluation.value) }] : [],
    );
    const now = tree.current.number * step;
    const line = points.map(({ x, y }) => `${x.toFixed(2)} ${y.toFixed(2)}`).join("L");
    const middle = HEIGHT / 2;
    const area = points.length
      ? `M${points[0].x} ${middle}L${line}L${points[points.length - 1].x} ${middle}Z`
      : "";
    const mistakes = points.filter(({ ply }) => ply.note?.better || ply.note?.isLosing);
    const only = points.filter(({ ply }) => ply.note?.text.includes("!"));
    const losing = shown.findIndex(({ note }) => note?.isLosing) * step;
    this.#label(shown.length - 1, losing, only);
    setText("graph-first", `▲ ${players[0]}`);
    setText("graph-second", `▼ ${players[1]}`);
    const paths = {
      area,
      axis: `M0 ${middle}H${WIDTH}`,
      curve: line && `M${line}`,
      dots: dots(points),
      wrong: dots(mistakes),
      only: dots(only),
      lost: losing > 0 ? `M${losing} 0V${HEIGHT}` : "",
      now: `M${now} 0V${HEIGHT}`,
    };
    const label = this.#describe(points.map(({ ply }) => ply), players);
    const attributes = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": label };
    const drawn = Object.entries(paths).map(([kind, d]) => svg("path", { class: kind, d }));
    this.#host.querySelector("svg")?.remove();
    this.#host.prepend(svg("svg", attributes, ...drawn));
  }

  /** Number the moves, and mark the losing move and the only moves. @param {number} count @param {number} losing Negative for none. @param {{x: number}[]} only */
  #label(count, losing, only) {
    const every = [1, 2, 5, 10, 20, 50, 100].find((each) => count / each <= TICKS) ?? 200;
    const key = `${count} ${losing} ${only.map(({ x }) => x)}`;
    if (this.#ticks.dataset.key === key) return;
    this.#ticks.dataset.key = key;
    const numbers = Array.from({ length: Math.floor(count / every) + 1 }, (_, index) => index * every);
    const labels = numbers.map((number) => label(String(number), (number / Math.max(count, 1)) * WIDTH, "tick"));
    const signs = only.map(({ x }) => label("!", x, "sign-only"));
    this.#ticks.replaceChildren(...labels, ...(losing > 0 ? [label("??", losing, "sign-lost")] : []), ...signs);
  }

  /** @param {Ply[]} plies @param {[string, string]} players */
  #describe(plies, players) {
    if (!plies.length) return "Evaluation graph: nothing evaluated yet";
    const last = plies[plies.length - 1];
    const text = last.evaluation?.text ?? "";
    return `Evaluation graph, ${players[0]} above, ${players[1]} below; after move ${last.number}: ${text}`;
  }
}

/** @param {{x: number, y: number}[]} points */
function dots(points) {
  return points.map(({ x, y }) => `M${x} ${y}h0`).join("");
}

/** @param {string} text @param {number} x @param {string} kind */
function label(text, x, kind) {
  const span = html("span", { class: kind }, text);
  span.style.left = `${x}%`;
  return span;
}

/** @param {number} value */
function height(value) {
  return (HEIGHT / 2) * (1 - value * 0.92);
}
