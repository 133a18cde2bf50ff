/** What follows when another position is shown: the address, what the arena sends, what the engine is asked. */

import { LostError } from "../connection/connection.js";
import { emit, on } from "../events.js";
import { QUIET } from "../state/fair-play.js";
import { Address } from "./address.js";

/**
 * @import { Searches } from "../state/searches.js"
 * @import { Analysis, State } from "../state/state.js"
 */

export class Screen {
  #state;
  #searches;
  address;

  /** @param {State} state @param {Searches} searches */
  constructor(state, searches) {
    this.#state = state;
    this.#searches = searches;
    this.address = new Address(state.home);
    on(searches, "learn", () => emit(state, "change"));
    on(searches, "found", () => emit(state, "tick"));
    on(searches, "reviewed", () => this.show());
    on(searches, "swept", () => this.turnTo());
    on(state.readiness, "ready", () => {
      if (!searches.hasHint) this.show();
    });
    on(state.engines, "loaded", () => {
      if (state.mode === "analyse" && state.sweeping === null) this.show();
      else emit(state, "tick");
    });
    on(state.engines, "again", () => {
      if (state.complaint === QUIET || (!state.isWatching && state.speaker === "plain")) this.show();
    });
    on(state.engines, "change", () => {
      this.#prepare();
      emit(state, "tick");
    });
    // Nobody reads the analysis of a hidden page, and it takes the battery.
    document.addEventListener("visibilitychange", () => this.attempt(() => searches.hide(document.hidden)));
    for (const game of [state.watchedGame, state.arenaGame]) on(game, "change", () => this.show());
  }

  /** Show a panel. @param {string} mode One of `state.modes`. */
  select(mode) {
    this.#state.hasWall = false;
    this.#state.mode = mode;
    return this.turnTo();
  }

  /** Watch one game, or no game yet. @param {string | null} table */
  watchGame(table) {
    return this.#watch(false, table);
  }

  /** Watch the games of a tournament side by side; an empty name is all games. @param {string} name */
  watchTournament(name) {
    this.#state.tournament.choose(name);
    return this.#watch(true, null);
  }

  /** @param {boolean} hasWall @param {string | null} table */
  #watch(hasWall, table) {
    this.#state.hasWall = hasWall;
    this.#state.watchedGame.choose(table);
    return this.turnTo();
  }

  /** Show what the user turns to, and end the evaluation of the whole game. */
  turnTo() {
    this.#state.sweeping = null;
    return this.show();
  }

  /** Show the current position, and ask the server and the engine what it calls for. */
  async show() {
    const state = this.#state;
    if (!state.isOpened) return emit(state, "change");
    this.#searches.stop();
    state.complaint = "";
    // The engine reviews a finished game while the user looks at its end.
    if (state.isAfterGame) state.tree.review ??= state.newReview();
    if (state.isWatching) {
      state.watchedGame.enter(state.games);
      emit(state, "tick");
    } else state.watchedGame.leave();
    this.attend();
    this.address.follow(state);
    this.#prepare();
    if (!state.isAnswered || !state.tree.current.facts) emit(state, "change");
    if (state.isAnswered) await this.attempt(() => this.#searches.start());
  }

  /** The server is there: ask it what the page does not answer by itself. */
  async connect() {
    const { isMeeting, isOpened, isWatching, remoteGame, speaker } = this.#state;
    if (!isOpened || isWatching || isMeeting || remoteGame || speaker === "server") return this.show();
    this.attend();
    this.#prepare();
    emit(this.#state, "change");
  }

  /** Have the server prepare its engine if it is to answer. */
  #prepare() {
    const { engines, isHelpBarred, isWatching, question, readiness, tree } = this.#state;
    if (!isWatching && !isHelpBarred && engines.needsServer(...question)) readiness.want(tree.game, tree.size);
  }

  /** Watch the arena where it is shown, and keep asking who is there where the user looks for a game. */
  attend() {
    const { isOffered, isWatching, isInArena, feed, session, arenaGame } = this.#state;
    if (!isOffered) return;
    if (isWatching || isInArena) feed.watch();
    session.keepFresh(isInArena && !arenaGame.isPlaying);
  }

  /** Analyse otherwise. @param {Analysis} analysis */
  analyse(analysis) {
    this.#state.analysis = analysis;
    return this.turnTo();
  }

  /** Evaluate the whole game, or stop evaluating it. */
  sweep() {
    this.#state.sweeping = this.#state.sweeping === null ? 0 : null;
    return this.show();
  }

  hint() {
    return this.attempt(() => this.#searches.hint());
  }

  /** Draw what is shown once more: the user points at something else. */
  draw() {
    emit(this.#state, "change");
  }

  /** Do something, and say why if it fails. @param {() => Promise<unknown>} act */
  async attempt(act) {
    try {
      await act();
    } catch (error) {
      this.complain(error);
    }
  }

  /** Say what went wrong. The line below the board says by itself that the connection is lost. @param {unknown} error */
  complain(error) {
    if (error instanceof LostError) return;
    this.#state.complaint = error instanceof Error ? error.message : String(error);
    emit(this.#state, "change");
  }
}
