/** The moves of the game with its branches, and buttons to step through them. */

import { beginning } from "../../game/openings.js";
import { WEAK } from "../../state/status.js";
import { byId, enable, html, onClick, setText } from "../dom.js";

/** @import { Ply, Tree } from "../../game/tree.js" */

/** Branches within more branches than these are not shown. */
const DEEPEST = 8;
/** The least way of a swipe, in pixels. */
const SWIPE = 40;

export class MovesPanel {
  #list = byId("moves");
  /** @type {Tree | null} */
  #tree = null;
  /** The tree and the version of it that are drawn. @type {unknown[]} */
  #shown = [];

  constructor() {
    for (const [id, by] of Object.entries({ first: -999, back: -1, forward: 1, end: 999 })) {
      onClick(id, () => this.#tree?.step(by));
    }
    this.#swipe(byId("board"));
    document.addEventListener("keydown", (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      if (target.closest("input, select, textarea, dialog, .places, [role=tablist]")) return;
      const by = { ArrowLeft: -1, ArrowRight: 1, Home: -999, End: 999 }[event.key];
      if (by === undefined || !this.#tree) return;
      event.preventDefault();
      this.#tree.step(by);
    });
  }

  /** Step by swipes over the board: to the left for the next move. @param {HTMLElement} board */
  #swipe(board) {
    let [x, y] = [0, 0];
    let isSwiped = false;
    board.addEventListener("pointerdown", (event) => {
      [x, y] = [event.clientX, event.clientY];
      isSwiped = false;
    });
    board.addEventListener("pointerup", ({ clientX, clientY, pointerType }) => {
      const [right, down] = [clientX - x, clientY - y];
      isSwiped = pointerType === "touch" && Math.abs(right) > SWIPE && Math.abs(right) > 2 * Math.abs(down);
      if (isSwiped) this.#tree?.step(right < 0 ? 1 : -1);
    });
    board.addEventListener("click", (event) => isSwiped && event.stopPropagation(), true); // a swipe plays no move
  }

  /** @param {Tree} tree */
  render(tree) {
    this.#tree = tree;
    const shown = [tree, tree.version];
    // New buttons would lose the focus.
    if (shown.every((part, at) => part === this.#shown[at])) return;
    this.#shown = shown;
    setText("opening", beginning(tree));
    this.#list.replaceChildren(...this.#line(tree, tree.root, 0));
    if (!tree.root.children.length) this.#list.append(html("span", { class: "quiet" }, "No moves yet."));
    const current = this.#list.querySelector("[aria-current]");
    if (current instanceof HTMLElement) {
      // `scrollIntoView` would scroll the page, too.
      const { scrollTop, clientHeight } = this.#list;
      const above = current.offsetTop - scrollTop;
      if (above < 0 || above + current.offsetHeight > clientHeight) this.#list.scrollTop += above - clientHeight / 2;
    }
    const { current: ply } = tree;
    for (const id of ["first", "back"]) enable(id, !!ply.parent);
    for (const id of ["forward", "end"]) enable(id, ply.children.length > 0);
  }

  /** The moves after a position, each with its branches. @param {Tree} tree @param {Ply} start @param {number} depth @returns {Node[]} */
  #line(tree, start, depth) {
    const nodes = [];
    let isNumbered = false;
    for (let ply = start; ply.children.length; ply = ply.children[0]) {
      const [main, ...others] = ply.children;
      nodes.push(this.#move(tree, main, isNumbered));
      isNumbered = true;
      if (others.length === 0 || depth >= DEEPEST) continue;
      isNumbered = false;
      for (const other of others) {
        const branch = html("div", { class: "branch", role: "group", "aria-label": "Variation" });
        branch.append(
          this.#move(tree, other, false),
          ...this.#line(tree, other, depth + 1),
        );
        nodes.push(branch);
      }
    }
    return nodes;
  }

  /** @param {Tree} tree @param {Ply} ply @param {boolean} isNumbered Whether the move before has the number. */
  #move(tree, ply, isNumbered) {
    const index = ply.number + (tree.firstTurn === 2 ? 1 : 0);
    const isFirst = index % 2 === 1;
    const number = `${Math.ceil(index / 2)}${isFirst ? "." : "…"}`;
    const { note } = ply;
    const title = note?.title ?? (ply.isWeak ? WEAK : undefined);
    return html(
      "button",
      {
        class: note?.isLosing ? "move losing" : "move",
        title: title || undefined,
        "data-number": isFirst || !isNumbered ? number : undefined,
        "aria-current": ply === tree.current ? "step" : undefined,
        onclick: () => tree.go(ply),
      },
      ply.move,
      ...(note ? [html("span", { class: "note" }, note.text)] : []),
      ...(ply.isWeak ? [html("span", { class: "unseen" }, ` (${WEAK})`)] : []),
    );
  }
}
