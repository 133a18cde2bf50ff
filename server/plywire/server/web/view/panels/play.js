/** The panel to set up a game, and what one can do while playing it. */

import { byId, html, setText } from "../dom.js";
import { emit } from "../../events.js";
import { HIGHEST, STRENGTHS, highest } from "../../game/strengths.js";
import { TIMES } from "../../game/times.js";

/**
 * @import { Game } from "../../game/games.js"
 * @import { Choice } from "../../state/state.js"
 */

const STORE = "plywire.choice";

/** Tells `choose` with each new choice, `change` when the user made it, `start`, `undo` and `hint`. */
export class PlayPanel extends EventTarget {
  #form = byId("setup", HTMLFormElement);
  /** @type {Game[]} */
  #games = [];

  constructor() {
    super();
    const strengths = STRENGTHS.map(([value, title]) => html("option", { value }, title));
    this.#select("strength").append(...strengths);
    this.#select("strength").value = "level-4";
    this.#select("time").append(...TIMES.map(([value, title]) => html("option", { value }, title)));
    this.#select("time").value = "5+3";
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#show();
      emit(this, "start");
    });
    this.#form.addEventListener("change", () => this.#changed());
    for (const name of ["undo", "hint"]) {
      byId(name, HTMLButtonElement).addEventListener("click", () =>
        emit(this, name),
      );
    }
  }

  /** Offer these games. @param {Game[]} games */
  offer(games) {
    const { choice } = this;
    this.#games = games;
    const options = games.map(({ name, title }) => html("option", { value: name }, title));
    this.#select("game").replaceChildren(...options);
    this.choose(choice);
  }

  /** What was chosen the last time. @returns {Partial<Choice>} */
  get kept() {
    try {
      return JSON.parse(localStorage.getItem(STORE) ?? "{}");
    } catch {
      return {};
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
      opponent: /** @type {Choice["opponent"]} */ (data.get("opponent")),
      strength: String(data.get("strength")),
      side: data.get("side") === "2" ? 2 : 1,
      time: String(data.get("time")),
    };
  }

  /** Whom in the arena a game is offered to, empty if to all. */
  get whom() {
    return this.#select("whom").value;
  }

  /** Set the form. @param {Partial<Choice>} choice */
  choose({ size, ...choice }) {
    for (const [name, value] of Object.entries(choice)) {
      const field = this.#form.elements.namedItem(name);
      if (field instanceof HTMLSelectElement) {
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

  /** @param {{canUndo: boolean, canHint: boolean, canStart: boolean}} state */
  allow({ canUndo, canHint, canStart }) {
    byId("undo", HTMLButtonElement).disabled = !canUndo;
    byId("hint", HTMLButtonElement).disabled = !canHint;
    byId("start", HTMLButtonElement).disabled = !canStart;
  }

  /** Name those in the arena to whom a game can be offered. @param {string[]} names */
  offerTo(names) {
    const select = this.#select("whom");
    const known = [...select.options].slice(1).map(({ value }) => value);
    if (known.join() === names.join()) return; // an open list stays as it is
    const chosen = select.value;
    const options = names.map((name) => html("option", { value: name }, name));
    select.replaceChildren(select.options[0], ...options);
    select.value = names.includes(chosen) ? chosen : "";
  }

  #changed() {
    localStorage.setItem(STORE, JSON.stringify(this.choice));
    this.#show();
    emit(this, "change");
  }

  /** Show the fields that matter, and call the sides what the game calls them. */
  #show() {
    const { choice } = this;
    const { game, opponent } = choice;
    byId("size").hidden = game !== "connect4";
    byId("against").hidden = opponent !== "engine";
    byId("whom").hidden = opponent !== "arena";
    const offers = { arena: "Offer a game", friend: "Make a link", engine: "", person: "" };
    setText("start", offers[opponent] || "Start a new game");
    const level10 = [...this.#select("strength").options].find(({ value }) => value === HIGHEST);
    if (level10) level10.text = highest(game);
    const players = this.#games.find(({ name }) => name === game)?.players ?? ["First", "Second"];
    for (const option of this.#select("side").options) {
      option.text = `${players[Number(option.value) - 1]} (${option.value === "1" ? "first" : "second"})`;
    }
    emit(this, "choose", choice);
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
