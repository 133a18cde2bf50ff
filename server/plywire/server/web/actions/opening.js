/** Opening what an address leads to: when the page is loaded, when the user goes back, or when a link is pasted. */

import { on, emit } from "../events.js";
import { GAMES } from "../game/games.js";
import * as link from "../game/link.js";
import { recognise } from "../game/paste.js";
import { RulesError } from "../game/rules/rules.js";
import { known } from "../game/times.js";
import { kept, settingsOf } from "../state/choice.js";

/**
 * @import { Engines } from "../state/engines.js"
 * @import { State } from "../state/state.js"
 * @import { OwnGame } from "./own-game.js"
 * @import { Screen } from "./screen.js"
 */

export class Opening {
  #state;
  #screen;
  #own;
  #engine;

  /** @param {State} state @param {Screen} screen @param {OwnGame} own @param {Engines} engine */
  constructor(state, screen, own, engine) {
    this.#state = state;
    this.#screen = screen;
    this.#own = own;
    this.#engine = engine;
    on(state.connection, "open", () => this.#connected());
    on(state.connection, "lost", (reason) => {
      state.trouble = `Connection lost${reason ? `: ${reason}` : ""}. Trying again…`;
      emit(state, "change");
    });
    addEventListener("popstate", () => this.open());
  }

  async #connected() {
    const state = this.#state;
    state.trouble = "";
    if (!state.isOffered) {
      const offered = await this.#engine.games();
      state.games = new Map([...state.games, ...offered.map((game) => /** @type {const} */ ([game.name, game]))]);
      state.isOffered = true;
      state.session.start(offered.map(({ name }) => name));
      if (!state.isOpened) await this.open();
    }
    await this.#screen.connect();
  }

  /** Open what the address says, once its game is known. */
  async open() {
    const state = this.#state;
    const place = link.read(location.href, state.home);
    const { table, tournament = "", invitation = null } = place;
    const last = kept();
    const name = place.game ?? last.game ?? state.choice.game;
    if (!state.games.has(name) && !state.isOffered) return;
    const isFirst = !state.isOpened;
    if (!isFirst) state.sweeping = null;
    state.isOpened = true;
    this.#screen.address.settle();
    const game = state.games.get(name) ?? GAMES[0];
    const isKept = game.name === last.game && !place.game;
    const size = place.size ?? (isKept ? last.size : null) ?? game.size;
    state.invited = invitation;
    const terms = invitation ? { opponent: /** @type {const} */ ("friend"), time: known(invitation.time) } : {};
    state.choice = { ...state.choice, ...last, game: game.name, size, ...terms };
    state.settings = history.state?.settings ?? settingsOf(state.choice);
    state.hasWall = !!place.isWall;
    if (!state.hasServer) state.choice.opponent = settingsOf(state.choice).opponent;
    if (place.mode && state.modes.includes(place.mode)) state.mode = place.mode;
    state.tournament.choose(tournament ?? "");
    if (table && table === state.arenaGame.table) state.mode = "play";
    else if (table || tournament) state.watchedGame.choose(table ?? null, place.at);
    if (!isFirst && (table || tournament || place.isWall)) return this.#screen.show();
    await this.#own.open({ ...place, game: game.name, size }, game.size);
  }

  /**
   * Set up what the user pastes, or open it if it is a link.
   *
   * @param {string} text
   * @returns {Promise<string | null>} Why that failed, null if it did not.
   */
  async paste(text) {
    const state = this.#state;
    try {
      const { at, ...start } = recognise(text, state.tree, state.games.values());
      if (start.table || start.tournament || start.invitation) {
        if (!state.hasServer) throw new RulesError("This link leads to a server: open it in the browser.");
        const { pathname, search } = new URL(text.trim(), location.href);
        history.pushState(null, "", pathname + search);
        this.open();
        return null;
      }
      if (!state.games.has(start.game)) throw new RulesError(`“${start.game}” is not played here.`);
      if (state.remoteGame) state.mode = "analyse";
      if (await this.#own.load(start, { at })) return null;
    } catch (error) {
      if (!(error instanceof RulesError)) throw error;
      this.#screen.complain(error);
    }
    return state.complaint;
  }
}
