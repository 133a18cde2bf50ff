/** What the user does with a game that is over: review it, learn from it, play again. */

import { emit } from "../events.js";
import { isKnown } from "../game/review.js";

/**
 * @import { State } from "../state/state.js"
 * @import { NewGame } from "./new-game.js"
 * @import { OwnGame } from "./own-game.js"
 * @import { Screen } from "./screen.js"
 */

export class AfterGame {
  #state;
  #screen;
  #own;
  #newGame;

  /** @param {State} state @param {Screen} screen @param {OwnGame} own @param {NewGame} newGame */
  constructor(state, screen, own, newGame) {
    this.#state = state;
    this.#screen = screen;
    this.#own = own;
    this.#newGame = newGame;
  }

  /** Play the same once more: against the engine with the sides exchanged, against others if they accept. */
  rematch() {
    const { arenaGame, remoteGame, settings } = this.#state;
    if (remoteGame) return this.#newGame.offer(arenaGame.terms, arenaGame.opponent);
    return this.#again({ ...settings, side: settings.side === 1 ? 2 : 1 });
  }

  /** Play the same against the next opponent. */
  next() {
    const { arenaGame, choice, nextOpponent, remoteGame, settings } = this.#state;
    if (!nextOpponent) return;
    const { value } = nextOpponent;
    if (remoteGame) return this.#newGame.offer(arenaGame.terms, value);
    this.#state.choice = { ...choice, strength: value };
    return this.#again({ ...settings, strength: value });
  }

  /** Play from the same start. @param {State["settings"]} settings */
  #again(settings) {
    const { game, size, fen } = this.#state.tree;
    return this.#own.load({ game, size, fen }, { settings });
  }

  /** Play on against the engine from before the mistake that is shown, as the player who made it. */
  async retry() {
    const { settings, tree } = this.#state;
    const { note, parent } = tree.current;
    if (!parent) return;
    this.#state.mode = "play";
    const isLoaded = await this.#own.load(tree.line(parent), {
      settings: { ...settings, opponent: "engine", side: tree.turn(parent) },
    });
    if (isLoaded) this.#state.own.lesson = { at: parent.number, better: note?.better ?? "" };
    emit(this.#state, "change");
  }

  /** Review the game: what is proven, and estimates of the rest. */
  async review() {
    const { remoteGame } = this.#state;
    const review = this.#state.newReview();
    if (remoteGame) await this.analyse();
    this.#state.mode = "analyse";
    const { own } = this.#state;
    own.review ??= review;
    own.current = own.shown.find(({ note }) => note?.isLosing) ?? own.current;
    own.version++;
    this.#state.sweeping = own.shown.every(isKnown) ? null : 0;
    return this.#screen.show();
  }

  /** Analyse the game of the arena that is shown, on the user's own board. */
  async analyse() {
    const { game, size, fen, moves, current } = this.#state.tree;
    this.#state.mode = "analyse";
    await this.#own.load({ game, size, fen, moves }, { at: current.number });
  }
}
