/** What the user watches in the arena: one game, or all of a tournament side by side. */

/**
 * @import { State } from "../state/state.js"
 * @import { Screen } from "./screen.js"
 */

export class Watching {
  #state;
  #screen;

  /** @param {State} state @param {Screen} screen */
  constructor(state, screen) {
    this.#state = state;
    this.#screen = screen;
  }

  /** Watch all games of a tournament, or of all if the name is empty. @param {string} name */
  tournament(name) {
    this.#state.tournament.choose(name);
    return this.wall();
  }

  /** Watch all games side by side. */
  wall() {
    return this.#show(true, null);
  }

  /** Watch the game at a table. @param {string | null} table */
  game(table) {
    return this.#show(false, table);
  }

  /** Ask for the games of a round that are over. @param {number} round */
  round(round) {
    return this.#state.tournament.recall(round);
  }

  /** @param {boolean} hasWall @param {string | null} table */
  #show(hasWall, table) {
    this.#state.hasWall = hasWall;
    this.#state.watchedGame.choose(table);
    return this.#screen.turnTo();
  }
}
