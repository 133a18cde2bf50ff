/** Replay: step through the game at a steady pace. */

import { byId, onClick, setText } from "../dom.js";

/** @import { Tree } from "../../game/tree.js" */

export class ReplayPanel {
  #button = byId("replay", HTMLButtonElement);
  #speed = byId("replay-speed", HTMLSelectElement);
  /** @type {Tree | null} */
  #tree = null;
  /** The game that is replayed, and the position that was shown last. @type {{tree: Tree, at: Tree["current"]} | null} */
  #replayed = null;
  #timer = 0;

  constructor() {
    onClick("replay", () => (this.#replayed ? this.#stop() : this.#start()));
  }

  /** @param {Tree} tree */
  render(tree) {
    this.#tree = tree;
    this.#button.disabled = !tree.root.children.length;
    const { tree: replayed, at } = this.#replayed ?? {};
    if (replayed && (replayed !== tree || at !== tree.current)) this.#stop(); // the user went elsewhere
  }

  #start() {
    const tree = this.#tree;
    if (!tree) return;
    if (!tree.current.children.length) tree.step(-999);
    this.#replayed = { tree, at: tree.current };
    setText(this.#button, "Pause");
    this.#wait();
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#replayed = null;
    setText(this.#button, "Replay");
  }

  #wait() {
    this.#timer = setTimeout(() => this.#step(), Number(this.#speed.value));
  }

  #step() {
    if (!this.#replayed) return;
    const { tree, at } = this.#replayed;
    const next = at.children[0];
    if (!next) return this.#stop();
    if (!document.hidden) {
      this.#replayed.at = next;
      tree.go(next);
    }
    if (this.#replayed) this.#wait();
  }
}
