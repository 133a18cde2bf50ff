/** Copy and paste positions, games and links; keep games and boards as files. */

import { byId, setText } from "../dom.js";
import { emit } from "../../events.js";
import { save } from "../picture.js";

/**
 * @typedef {object} Texts
 * @property {string} position
 * @property {string} game
 * @property {string} moves
 * @property {string} link
 */

/** Tells `paste` with a text. */
export class TransferPanel extends EventTarget {
  #dialog = byId("transfer", HTMLDialogElement);
  #said = byId("transfer-said");

  /**
   * @param {() => Texts} current What there is to copy.
   * @param {Record<string, () => string | Promise<Blob>>} files What there is to keep, by the ending of
   *   its name.
   */
  constructor(current, files) {
    super();
    byId("open-transfer", HTMLButtonElement).addEventListener("click", () => {
      for (const [name, text] of Object.entries(current())) this.#field(name).value = text;
      this.say("");
      this.#dialog.showModal();
    });
    for (const button of this.#dialog.querySelectorAll("[data-copies]")) {
      button.addEventListener("click", () => {
        this.#copy(/** @type {HTMLElement} */ (button).dataset.copies ?? "");
      });
    }
    for (const button of this.#dialog.querySelectorAll("[data-saves]")) {
      button.addEventListener("click", async () => {
        const kind = /** @type {HTMLElement} */ (button).dataset.saves ?? "";
        this.say(`game.${kind} is being made…`);
        save(`game.${kind}`, await files[kind]());
        this.say(`game.${kind} is saved.`);
      });
    }
    document.addEventListener("paste", (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      const text = event.clipboardData?.getData("text");
      if (text && !target.closest("input, textarea")) emit(this, "paste", text);
    });
    byId("paste-form", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      const text = byId("paste", HTMLTextAreaElement).value;
      emit(this, "paste", text);
    });
    byId("close-transfer", HTMLButtonElement).addEventListener("click", () => this.close());
  }

  close() {
    this.#dialog.close();
  }

  /** @param {string} text */
  say(text) {
    setText(this.#said, text);
  }

  /** @param {string} name */
  async #copy(name) {
    const field = this.#field(name);
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      this.say(`The ${name} is copied.`);
    } catch {
      this.say(`This browser does not let the page copy: the ${name} is selected, copy it yourself.`);
    }
  }

  /** @param {string} name */
  #field(name) {
    return byId(`copy-${name}`, HTMLInputElement);
  }
}
