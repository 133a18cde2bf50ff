/**
 * The user's session in the arena, the same as any bot's: it logs in by name and token, finds
 * opponents, and comes back to its games when the connection is lost or the page is loaded again.
 *
 * The session has a connection of its own, so that questions to the engine never delay a move.
 * The token is kept only if the user wishes; what finds the games again is kept as long as the window.
 */

import { emit, on } from "../events.js";
import { Connection, LostError, RefusedError } from "./connection.js";

/**
 * @import { Command, Limits, Listener } from "./connection.js"
 *
 * @typedef {{name: string, token?: string}} Account A guest has no token.
 * @typedef {{game: string, size: string, limits: Limits}} Terms
 * @typedef {Terms & {key: string}} Invitation Whoever knows the key may play.
 * @typedef {Terms & {offer: number, name: string, key?: string}} Offer The name is that of the other player, empty for
 *   all. An offer with a key is an invitation.
 * @typedef {{name: string, games: string[], players: number, seats: number, limits: Limits}} Tournament
 */

const ACCOUNT = "plywire.account";
const SESSION = "plywire.session";
const INVITATION = "plywire.invitation";
const GUEST = "plywire.guest";
/** Milliseconds between two questions who is there, while the user looks for a game. */
const REFRESH_EVERY = 2000;

/** Emits `change` when something is known that was not, and `notice` with `start`, `turn`, `played` and `over` of a game. */
export class ArenaSession extends EventTarget {
  #connection = new Connection();
  /** @type {Account | null} */
  #account = guest();
  /** The server's word for this session. */
  #session = sessionStorage.getItem(SESSION);
  /** The games that can be played here. @type {string[]} */
  #games = [];
  #refreshing = 0;
  #isPlaying = false;
  /** The user's name in the arena, empty while logged out. */
  name = "";
  /** Whether the session is connected and logged in. */
  isHere = false;
  /** What failed last, and why. */
  news = "";
  /** The others who are here. @type {string[]} */
  bots = [];
  /** What others offer to all. @type {Offer[]} */
  seeks = [];
  /** What others offer to the user. @type {Map<number, Offer>} */
  challenges = new Map();
  /** What the user offers. @type {Map<number, Offer>} */
  own = new Map();
  /** The tournaments that may be joined. @type {Tournament[]} */
  tournaments = [];
  /** The names of the tournaments that the user has joined. @type {Set<string>} */
  joined = new Set();
  /** The game that waits for a friend with the link. @type {Invitation | null} */
  invitation = JSON.parse(sessionStorage.getItem(INVITATION) ?? "null");

  constructor() {
    super();
    on(this.#connection, "open", () => this.#arrive());
    on(this.#connection, "lost", () => {
      this.isHere = false;
      emit(this, "change");
    });
    on(this.#connection, "event", (event) => this.#hear(event));
  }

  // ---- coming and going ----

  /** Come back if this window was here before. @param {string[]} games The games that can be played here. */
  start(games) {
    this.#games = games;
    if (this.#session) this.#connection.open();
  }

  /** The account that this device keeps. @returns {Account | null} */
  get kept() {
    try {
      const { name, token } = JSON.parse(localStorage.getItem(ACCOUNT) ?? "null");
      return { name: String(name), token: String(token) };
    } catch {
      return null;
    }
  }

  /** @param {Account} account @param {boolean} isToBeKept Whether this device keeps the account from now on. */
  logIn(account, isToBeKept) {
    if (isToBeKept) localStorage.setItem(ACCOUNT, JSON.stringify(account));
    else if (account.token) localStorage.removeItem(ACCOUNT);
    keep(GUEST, account.token ? null : account.name);
    this.#account = account;
    this.#session = null;
    this.news = "";
    this.#connection.close();
    this.#connection.open();
  }

  logOut() {
    this.#leave("");
  }

  async #arrive() {
    try {
      const { name, session } = await this.#enter();
      this.name = name;
      this.isHere = true;
      this.#session = session;
      keep(SESSION, session);
      if (guest()) keep(GUEST, name);
      // Offers do not outlive a connection.
      this.own.clear();
      this.challenges.clear();
      emit(this, "change");
      if (this.invitation) await this.attempt(() => this.#seek());
      if (this.#refreshing) await this.#refresh();
    } catch (error) {
      if (error instanceof LostError) return;
      if (!(error instanceof RefusedError)) throw error;
      if (error.code !== "draining") this.#leave(error.message); // a draining server is started again
    }
  }

  /** Resume the session, or log in; the answer is the server's welcome. */
  async #enter() {
    if (this.#session) {
      try {
        return await this.ask({ type: "resume", session: this.#session });
      } catch (error) {
        if (!(error instanceof RefusedError && this.#account)) throw error;
        // A guest who has nothing to come back for does not log in again.
        if (!this.#account.token && !this.invitation && !this.#isPlaying) throw error;
      }
    }
    if (!this.#account?.token) return this.ask({ type: "guest", name: guest()?.name, games: this.#games });
    return this.ask({ type: "login", ...this.#account, games: this.#games, slots: 1 });
  }

  /** @param {string} news */
  #leave(news) {
    this.#session = this.#account = null;
    keep(SESSION, null);
    keep(GUEST, null);
    this.#setInvitation(null);
    this.name = "";
    this.news = news;
    this.bots = this.seeks = this.tournaments = [];
    this.own.clear();
    this.challenges.clear();
    this.joined.clear();
    this.#connection.close();
  }

  // ---- finding each other ----

  /** Keep asking who is there and what is offered, or stop. @param {boolean} isOn */
  keepFresh(isOn) {
    if (isOn === this.#refreshing > 0) return;
    clearInterval(this.#refreshing);
    this.#refreshing = isOn ? setInterval(() => this.#refresh(), REFRESH_EVERY) : 0;
    if (isOn) this.#refresh();
  }

  async #refresh() {
    if (!this.isHere || document.hidden) return;
    /** @type {Record<string, any[]>} */
    const found = { bot: [], offer: [], tournament: [] };
    const keep = (/** @type {any} */ event) => found[event.type]?.push(event);
    try {
      await Promise.all([this.ask({ type: "lobby" }, keep), this.ask({ type: "tournaments" }, keep)]);
    } catch (error) {
      if (error instanceof LostError || error instanceof RefusedError) return; // the next refresh will do
      throw error;
    }
    this.bots = found.bot.map(({ name }) => name).filter((name) => name !== this.name);
    this.seeks = found.offer.filter(({ name }) => name !== this.name);
    this.tournaments = found.tournament.filter(
      ({ state, name, seats, starts }) => state === "open" && (seats > 0 || starts || this.joined.has(name)),
    );
    emit(this, "change");
  }

  /** Offer a game. @param {Terms} terms @param {string} name The player to challenge, empty for all. */
  async offer(terms, name) {
    await this.uninvite(); // there is one slot
    const command = name ? { type: "challenge", name } : { type: "seek" };
    const { offer } = await this.ask({ ...command, ...terms });
    // If a game begins at once, its start comes later than this answer, and removes the offer.
    this.own.set(offer, { ...terms, offer, name });
    emit(this, "change");
  }

  /** Wait for the one who has the same key, also after the connection was lost. @param {Invitation} invitation */
  async invite(invitation) {
    this.#setInvitation(invitation);
    emit(this, "change");
    if (this.isHere) await this.#seek();
  }

  async #seek() {
    const { invitation } = this;
    if (!invitation) return;
    await this.#withdrawAll();
    const { offer } = await this.ask({ type: "seek", ...invitation });
    this.own.set(offer, { ...invitation, offer, name: "" });
    emit(this, "change");
  }

  /** Wait no more, and withdraw all offers. */
  async uninvite() {
    this.#setInvitation(null);
    await this.#withdrawAll();
    emit(this, "change");
  }

  /** @param {Invitation | null} invitation */
  #setInvitation(invitation) {
    this.invitation = invitation;
    keep(INVITATION, invitation && JSON.stringify(invitation));
  }

  /** @param {number} offer */
  async accept(offer) {
    await this.uninvite();
    await this.#close("accept", offer);
  }

  /** @param {number} offer */
  decline(offer) {
    return this.#close("decline", offer);
  }

  /** @param {number} offer */
  withdraw(offer) {
    return this.#close("withdraw", offer);
  }

  #withdrawAll() {
    return Promise.all([...this.own.keys()].map((offer) => this.withdraw(offer)));
  }

  /** @param {string} type @param {number} offer */
  async #close(type, offer) {
    await this.ask({ type, offer });
    this.#forget(offer);
  }

  /** Join a tournament, or leave it. @param {string} tournament */
  async join(tournament) {
    const isIn = this.joined.has(tournament);
    await this.ask({ type: isIn ? "leave" : "join", tournament });
    this.joined[isIn ? "delete" : "add"](tournament);
    await this.#refresh();
  }

  // ---- what goes on ----

  /** Do what the user wishes; if the server refuses it, that is the news. @param {() => Promise<unknown>} act */
  async attempt(act) {
    this.news = "";
    try {
      await act();
    } catch (error) {
      if (error instanceof RefusedError) this.news = error.message;
      else if (!(error instanceof LostError)) throw error;
    }
    emit(this, "change");
  }

  /** Ask the arena. Fails with RefusedError or LostError. @param {Command} command @param {Listener} [on] @returns {Promise<any>} */
  ask(command, on) {
    return this.#connection.ask(command, on);
  }

  /** @param {any} event */
  #hear(event) {
    switch (event.type) {
      case "probe":
        this.ask({ type: "echo", number: event.number }).catch(() => {});
        return;
      case "replaced":
        return this.#leave(`${this.name} has logged in from somewhere else.`);
      case "challenged":
        this.challenges.set(event.offer, event);
        return emit(this, "change");
      case "withdrawn":
        if (event.reason) this.news = `An offer was withdrawn: ${event.reason}.`;
        return this.#forget(event.offer);
      case "progress":
        this.joined[event.state === "over" ? "delete" : "add"](event.name);
        if (event.state === "playing" && event.scheduled === 0) {
          this.news = `${event.name} begins as soon as its openings are made.`;
        }
        return emit(this, "change");
      case "over":
        this.#isPlaying = false;
        break;
      case "start":
        this.#isPlaying = true;
        this.own.clear();
        this.#setInvitation(null);
    }
    emit(this, "notice", event);
  }

  /** @param {number} offer */
  #forget(offer) {
    this.own.delete(offer);
    this.challenges.delete(offer);
    this.seeks = this.seeks.filter((seek) => seek.offer !== offer);
    emit(this, "change");
  }
}

/** The account of a guest of this window. @returns {Account | null} */
function guest() {
  const name = sessionStorage.getItem(GUEST);
  return name ? { name } : null;
}

/** Keep a text as long as the window, or forget it. @param {string} key @param {string | null} text */
function keep(key, text) {
  if (text === null) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, text);
}
