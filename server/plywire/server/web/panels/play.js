/** The panel to set up a game, and what one can do while playing it. */

import { byId, html } from "../dom.js";
import { STRENGTHS } from "../levels.js";

/**
 * @typedef {import("../arbiter.js").Game} Game
 *
 * @typedef {object} Choice How a game is played.
 * @property {string} game
 * @property {string} size
 * @property {"engine" | "person"} opponent
 * @property {string} strength
 * @property {1 | 2} side Which player the user is.
 */

const STORE = "plywire.choice";

/** Tells `start` with a Choice, `undo` and `hint`. */
export class PlayPanel extends EventTarget {
  #form = byId("setup", HTMLFormElement);
  /** @type {Game[]} */
  #games = [];

  constructor() {
    super();
    const strengths = STRENGTHS.map(([value, title]) => html("option", { value }, title));
    this.#select("strength").append(...strengths);
    this.#select("strength").value = "level-4";
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.dispatchEvent(new CustomEvent("start", { detail: this.choice }));
    });
    this.#form.addEventListener("change", () => this.#changed());
    for (const name of ["undo", "hint"]) {
      byId(name, HTMLButtonElement).addEventListener("click", () =>
        this.dispatchEvent(new Event(name)),
      );
    }
  }

  /** Offer these games, and choose what was chosen the last time. @param {Game[]} games */
  offer(games) {
    this.#games = games;
    const options = games.map(({ name, title }) => html("option", { value: name }, title));
    this.#select("game").replaceChildren(...options);
    try {
      this.choose(JSON.parse(localStorage.getItem(STORE) ?? "{}"));
    } catch {
      localStorage.removeItem(STORE);
    }
  }

  /** @returns {Choice} */
  get choice() {
    const data = new FormData(this.#form);
    const game = String(data.get("game"));
    const size = `${data.get("width")}x${data.get("height")}`;
    return {
      game,
      size: game === "connect4" ? size : this.#usualSize(game),
      opponent: data.get("opponent") === "person" ? "person" : "engine",
      strength: String(data.get("strength")),
      side: data.get("side") === "2" ? 2 : 1,
    };
  }

  /** Set the form. @param {Partial<Choice>} choice */
  choose({ size, ...choice }) {
    for (const [name, value] of Object.entries(choice)) {
      const field = this.#form.elements.namedItem(name);
      if (field instanceof RadioNodeList) field.value = String(value);
      else if (field instanceof HTMLSelectElement) {
        const known = [...field.options].some((option) => option.value === String(value));
        if (known) field.value = String(value);
      }
    }
    const [width, height] = (size ?? "").split("x");
    if (choice.game === "connect4" && height) {
      this.#input("width").value = width;
      this.#input("height").value = height;
    }
    this.#show();
  }

  /** @param {{canUndo: boolean, canHint: boolean}} state */
  allow({ canUndo, canHint }) {
    byId("undo", HTMLButtonElement).disabled = !canUndo;
    byId("hint", HTMLButtonElement).disabled = !canHint;
  }

  #changed() {
    localStorage.setItem(STORE, JSON.stringify(this.choice));
    this.#show();
  }

  /** Show the fields that matter, and call the sides what the game calls them. */
  #show() {
    const { game, opponent } = this.choice;
    byId("size", HTMLElement).hidden = game !== "connect4";
    byId("against", HTMLElement).hidden = opponent === "person";
    const players = this.#games.find(({ name }) => name === game)?.players ?? ["First", "Second"];
    for (const option of this.#select("side").options) {
      option.text = `${players[Number(option.value) - 1]} (${option.value === "1" ? "first" : "second"})`;
    }
  }

  /** @param {string} game */
  #usualSize(game) {
    return this.#games.find(({ name }) => name === game)?.size ?? "";
  }

  /** @param {string} name */
  #select(name) {
    return byId(`choose-${name}`, HTMLSelectElement);
  }

  /** @param {string} name */
  #input(name) {
    return byId(`choose-${name}`, HTMLInputElement);
  }
}
