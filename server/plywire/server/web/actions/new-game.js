/** How the next game begins: against the engine, or with others in the arena. */

import { emit, on } from "../events.js";
import { limitsOf } from "../game/times.js";
import { settingsOf } from "../state/choice.js";

/**
 * @import { Terms } from "../connection/arena-session.js"
 * @import { State } from "../state/state.js"
 * @import { OwnGame } from "./own-game.js"
 * @import { Screen } from "./screen.js"
 */

export class NewGame {
  #state;
  #screen;
  #own;

  /** @param {State} state @param {Screen} screen @param {OwnGame} own */
  constructor(state, screen, own) {
    this.#state = state;
    this.#screen = screen;
    this.#own = own;
    on(state.arenaGame, "start", () => this.#seat());
  }

  /** The user chose something else for the next game; an invitation that no longer fits is taken back. */
  choose() {
    const { choice, invited, session } = this.#state;
    if (choice.opponent !== "friend" && invited) {
      this.#state.invited = null;
      session.attempt(() => session.uninvite());
      this.#screen.address.follow(this.#state);
    }
    this.#screen.attend();
    emit(this.#state, "change");
  }

  /** Begin the game that is chosen, or look for an opponent. @param {string} whom In the arena, empty for all. */
  async start(whom) {
    const { arenaGame, choice } = this.#state;
    const { game, size, opponent, time } = choice;
    arenaGame.leave();
    if (opponent === "arena") return this.offer({ game, size, limits: limitsOf(time) }, whom);
    if (opponent !== "friend") return this.#own.load({ game, size }, { settings: settingsOf(choice) });
    if (!(await this.#own.load({ game, size }))) return;
    this.#state.invited = { key: newKey(), game, size, time };
    return this.join();
  }

  /** Offer a game in the arena. @param {Terms} terms @param {string} whom Empty for all. */
  offer(terms, whom) {
    const { session } = this.#state;
    return session.attempt(() => session.offer(terms, whom));
  }

  /** Enter the arena as a guest, and take the invitation that is open. @param {string} name */
  enter(name) {
    if (this.#state.invited) this.join();
    this.#state.session.logIn({ name }, false);
  }

  /** Wait for the other who has the link of the invitation. */
  async join() {
    const { invited, session } = this.#state;
    if (!invited) return;
    const { time, ...terms } = invited;
    await session.attempt(() => session.invite({ ...terms, limits: limitsOf(time) }));
    await this.#screen.show();
  }

  /** Leave the invitation. */
  refuse() {
    this.#state.invited = null;
    return this.#screen.show();
  }

  /** Turn to the game that begins in the arena. */
  async #seat() {
    this.#state.invited = null;
    this.#state.mode = "play";
    await this.#screen.turnTo();
    emit(this.#state, "seated");
  }
}

/** A word that nobody guesses. */
function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
