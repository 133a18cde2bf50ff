/** Copy and paste positions, games and links; save games and boards as files. */

import { byId, copy, onClick, setText } from "../dom.js";
import { save } from "../picture.js";

/** @import { Opening } from "../../actions/opening.js" */

export class TransferPanel {
  #dialog = byId("transfer", HTMLDialogElement);
  #opening;

  /**
   * @param {Opening} opening
   * @param {() => Record<string, string>} texts What there is to copy, by the name of its field.
   * @param {Record<string, () => string | Promise<Blob>>} files What there is to save, by the ending of its name.
   */
  constructor(opening, texts, files) {
    this.#opening = opening;
    onClick("open-transfer", () => {
      for (const [name, text] of Object.entries(texts())) byId(`copy-${name}`, HTMLInputElement).value = text;
      this.#say("");
      this.#dialog.showModal();
    });
    this.#dialog.addEventListener("click", async ({ target }) => {
      const { copies, saves } = /** @type {HTMLElement} */ (target).dataset;
      if (copies) this.#copy(copies);
      if (!saves) return;
      this.#say(`game.${saves} is being made…`);
      save(`game.${saves}`, await files[saves]());
      this.#say(`game.${saves} is saved.`);
    });
    document.addEventListener("paste", (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      const text = event.clipboardData?.getData("text");
      if (text && !target.closest("input, textarea")) this.#paste(text);
    });
    byId("paste-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#paste(byId("paste", HTMLTextAreaElement).value);
    });
    onClick("close-transfer", () => this.close());
  }

  close() {
    this.#dialog.close();
  }

  /** @param {string} text */
  #say(text) {
    setText("transfer-said", text);
  }

  /** @param {string} text */
  async #paste(text) {
    const fault = await this.#opening.paste(text);
    if (fault === null) this.close();
    this.#say(fault ?? "");
  }

  /** @param {string} name */
  async #copy(name) {
    const isCopied = await copy(byId(`copy-${name}`, HTMLInputElement));
    const failure = `This browser does not let the page copy: the ${name} is selected, copy it yourself.`;
    this.#say(isCopied ? `The ${name} is copied.` : failure);
  }
}
