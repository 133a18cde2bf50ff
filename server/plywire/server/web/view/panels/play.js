/** The form of the next game, and the help in the current one. */

import { HIGHEST, STRENGTHS, highest } from "../../game/strengths.js";
import { TIMES } from "../../game/times.js";
import { keep } from "../../state/choice.js";
import { byId, enable, html, onClick, setText, show } from "../dom.js";

/**
 * @import { NewGame } from "../../actions/new-game.js"
 * @import { OwnGame } from "../../actions/own-game.js"
 * @import { Screen } from "../../actions/screen.js"
 * @import { Choice } from "../../state/choice.js"
 * @import { State } from "../../state/state.js"
 */

/** The text of the button that begins a game. */
const STARTS = { arena: "Offer a game", friend: "Make a link", engine: "Start a new game", person: "Start a new game" };

export class PlayPanel {
  #state;
  #form = byId("setup", HTMLFormElement);
  #games = select("game");
  #whom = select("whom");
  /** The games and the choice that the form shows. @type {{games?: State["games"], choice?: Choice}} */
  #shown = {};

  /** @param {State} state @param {NewGame} newGame @param {OwnGame} own @param {Screen} screen */
  constructor(state, newGame, own, screen) {
    this.#state = state;
    select("strength").append(...options(STRENGTHS));
    select("time").append(...options(TIMES));
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#read();
      newGame.start(this.#whom.value);
    });
    this.#form.addEventListener("change", () => {
      this.#read();
      keep(state.choice);
      newGame.choose();
    });
    onClick("undo", () => own.takeBack());
    onClick("hint", () => screen.hint());
  }

  /** @param {State} state */
  render({ tree, canMove, choice, games, isAnswered, isCut, isInArena, isPreparing, session, strengths }) {
    const { facts, parent } = tree.current;
    if (games !== this.#shown.games) this.#games.replaceChildren(...options([...games.values()].map(({ name, title }) => [name, title])));
    if (games !== this.#shown.games || choice !== this.#shown.choice) this.#write();
    this.#offerStrengths(strengths.map(([value]) => value), choice.strength);
    this.#offerTo(session.bots);
    enable("undo", parent !== null);
    enable("hint", canMove && !facts?.over && isAnswered && !isCut && !isPreparing);
    enable("start", !isInArena || session.isHere);
  }

  /** Take the choice from the form. */
  #read() {
    const data = new FormData(this.#form);
    const game = String(data.get("game"));
    this.#state.choice = {
      game,
      size: game === "connect4" ? `${data.get("width")}x${data.get("height")}` : (this.#state.games.get(game)?.size ?? ""),
      opponent: /** @type {Choice["opponent"]} */ (data.get("opponent")),
      strength: String(data.get("strength")),
      side: data.get("side") === "2" ? 2 : 1,
      time: String(data.get("time")),
    };
    this.#write();
  }

  /** Show the choice in the form, except where the user types, hide the fields that do not matter, and name the sides as the game does. */
  #write() {
    const { choice, games } = this.#state;
    const { game, size, opponent } = choice;
    this.#shown = { games, choice };
    const [width, height] = size.split("x");
    const fields = { ...choice, ...(game === "connect4" && { width, height }) };
    for (const [name, value] of Object.entries(fields)) {
      const field = this.#form.elements.namedItem(name);
      const isTyped = field instanceof HTMLInputElement && field === document.activeElement;
      if ((field instanceof HTMLSelectElement || field instanceof HTMLInputElement) && !isTyped) field.value = String(value);
    }
    show("size", game === "connect4");
    show("against", opponent === "engine");
    show("whom", opponent === "arena");
    setText("start", STARTS[opponent]);
    for (const option of select("strength").options) if (option.value === HIGHEST) option.text = highest(game);
    const players = games.get(game)?.players ?? ["First", "Second"];
    [...select("side").options].forEach((option, at) => (option.text = `${players[at]} (${at ? "second" : "first"})`));
  }

  /** Offer only these strengths: the chosen one, or the last if it is not among them. @param {string[]} values @param {string} chosen */
  #offerStrengths(values, chosen) {
    const field = select("strength");
    for (const option of field.options) option.hidden = option.disabled = !values.includes(option.value);
    field.value = values.includes(chosen) ? chosen : values[values.length - 1];
  }

  /** List those in the arena to whom a game can be offered. @param {string[]} names */
  #offerTo(names) {
    const [all, ...known] = this.#whom.options;
    if (known.map(({ value }) => value).join() === names.join()) return; // an open list stays as it is
    const chosen = this.#whom.value;
    this.#whom.replaceChildren(all, ...options(names.map((name) => [name, name])));
    this.#whom.value = names.includes(chosen) ? chosen : "";
  }
}

/** @param {string} name */
function select(name) {
  return byId(`choose-${name}`, HTMLSelectElement);
}

/** @param {[value: string, title: string][]} choices */
function options(choices) {
  return choices.map(([value, title]) => html("option", { value }, title));
}
