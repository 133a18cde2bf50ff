/**
 * The user's session in the arena, the same as any bot's: it logs in by name and token, finds
 * opponents, and comes back to the games when the connection is lost or the page is loaded again.
 *
 * It has a connection of its own, so that what the engine is asked meanwhile never keeps a move or
 * the answer to a probe waiting. The token is kept only if the user wishes so; the session, which
 * finds the games again, as long as the window.
 */

import { Connection, LostError, RefusedError } from "./connection.js";
import { on, emit } from "../events.js";

/**
 * @import { Command, Limits, Listener } from "./connection.js"
 *
 * @typedef {{name: string, token?: string}} Account A guest's has no token.
 * @typedef {{game: string, size: string, limits: Limits}} Terms
 * @typedef {Terms & {offer: number, name: string, key?: string}} Offer `name` is the other's; one with
 *   a `key` is an invitation.
 * @typedef {{name: string, games: string[], players: number, seats: number, limits: Limits}} Tournament
 */

const ACCOUNT = "plywire.account";
const SESSION = "plywire.session";
const INVITATION = "plywire.invitation";
const GUEST = "plywire.guest";
/** How often to ask who is there while the user looks for a game, in ms. */
const REFRESH_EVERY = 2000;

/**
 * Tells `change` when any of what it knows has changed, and `notice` of `start`, `turn`, `played`
 * and `over`, as the server tells of them.
 */
export class ArenaSession extends EventTarget {
  #connection = new Connection();
  /** @type {Account | null} */
  #account = guest();
  /** @type {string | null} */
  #session = sessionStorage.getItem(SESSION);
  /** What can be played here. @type {string[]} */
  #games = [];
  /** As whom the user has logged in, empty if not. */
  name = "";
  /** Whether the server is there; while it is not, it is being looked for. */
  isHere = false;
  /** What came to nothing last, and why: a login, an offer, a wish. */
  news = "";
  /** The others who are here. @type {string[]} */
  bots = [];
  /** What others offer to all. @type {Offer[]} */
  seeks = [];
  /** What others offer to the user. @type {Map<number, Offer>} */
  challenges = new Map();
  /** What the user offers, `name` being to whom, empty if to all. @type {Map<number, Offer>} */
  own = new Map();
  /** Those that may be joined. @type {Tournament[]} */
  tournaments = [];
  /** The names of those that the user has joined. @type {Set<string>} */
  joined = new Set();
  #refreshing = 0;
  #isPlaying = false;
  /** What the user waits for the other to come to, as long as the window. @type {Terms & {key: string} | null} */
  invitation = JSON.parse(sessionStorage.getItem(INVITATION) ?? "null");

  constructor() {
    super();
    on(this.#connection, "open", () => this.#arrive());
    on(this.#connection, "lost", () => {
      this.isHere = false;
      this.#changed();
    });
    on(this.#connection, "event", (event) => this.#hear(event));
  }

  // ---- coming and going ----

  /** Come back if this window was here before. @param {string[]} games What can be played here. */
  start(games) {
    this.#games = games;
    if (this.#session) this.#connection.open();
  }

  /** The account that the user had kept. @returns {Account | null} */
  get kept() {
    try {
      const { name, token } = JSON.parse(localStorage.getItem(ACCOUNT) ?? "null");
      return { name: String(name), token: String(token) };
    } catch {
      return null;
    }
  }

  /** @param {Account} account @param {boolean} isToBeKept On this device, until it is not any more. */
  logIn(account, isToBeKept) {
    if (isToBeKept) localStorage.setItem(ACCOUNT, JSON.stringify(account));
    else if (account.token) localStorage.removeItem(ACCOUNT);
    if (account.token) sessionStorage.removeItem(GUEST);
    else sessionStorage.setItem(GUEST, account.name);
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
      sessionStorage.setItem(SESSION, session);
      if (guest()) sessionStorage.setItem(GUEST, name);
      // Offers do not outlive a connection.
      this.own.clear();
      this.challenges.clear();
      this.#changed();
      if (this.invitation) await this.attempt(() => this.#seek());
      if (this.#refreshing) await this.#refresh();
    } catch (error) {
      if (error instanceof LostError) return;
      if (!(error instanceof RefusedError)) throw error;
      if (error.code !== "draining") this.#leave(error.message); // a server that goes comes back
    }
  }

  /** The server's welcome. */
  async #enter() {
    if (this.#session) {
      try {
        return await this.ask({ type: "resume", session: this.#session });
      } catch (error) {
        if (!(error instanceof RefusedError && this.#account)) throw error;
        // Nobody takes a guest's place who has nothing to come back for.
        if (!this.#account.token && !this.invitation && !this.#isPlaying) throw error;
      }
    }
    if (!this.#account?.token) {
      return this.ask({ type: "guest", name: guest()?.name, games: this.#games });
    }
    return this.ask({ type: "login", ...this.#account, games: this.#games, slots: 1 });
  }

  /** @param {string} news */
  #leave(news) {
    this.#session = this.#account = null;
    sessionStorage.removeItem(SESSION);
    sessionStorage.removeItem(GUEST);
    this.#keepInvitation(null);
    this.name = "";
    this.news = news;
    this.bots = this.seeks = this.tournaments = [];
    this.own.clear();
    this.challenges.clear();
    this.joined.clear();
    this.#connection.close();
  }

  // ---- finding each other ----

  /** Whether to keep asking who is there and what is offered. @param {boolean} isOn */
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
      await Promise.all([
        this.ask({ type: "lobby" }, keep),
        this.ask({ type: "tournaments" }, keep),
      ]);
    } catch (error) {
      if (error instanceof LostError || error instanceof RefusedError) return; // the next refresh will do
      throw error;
    }
    this.bots = found.bot.map(({ name }) => name).filter((name) => name !== this.name);
    this.seeks = found.offer.filter(({ name }) => name !== this.name);
    this.tournaments = found.tournament.filter(
      ({ state, name, seats, starts }) =>
        state === "open" && (seats > 0 || starts || this.joined.has(name)),
    );
    this.#changed();
  }

  /** Offer a game to whoever seeks the same, or to the one of that name. @param {Terms} terms @param {string} name */
  async offer(terms, name) {
    await this.uninvite(); // there is one slot
    const command = name ? { type: "challenge", name } : { type: "seek" };
    const { offer } = await this.ask({ ...command, ...terms });
    // A game that begins at once takes the offer with it, and is told of later than this.
    this.own.set(offer, { ...terms, offer, name });
    this.#changed();
  }

  /** Wait for whoever has the same key, also after the connection was lost. @param {Terms & {key: string}} invitation */
  async invite(invitation) {
    this.#keepInvitation(invitation);
    this.#changed();
    if (this.isHere) await this.#seek();
  }

  async #seek() {
    const { invitation } = this;
    if (!invitation) return;
    await this.#takeAllBack();
    const { offer } = await this.ask({ type: "seek", ...invitation });
    this.own.set(offer, { ...invitation, offer, name: "" });
    this.#changed();
  }

  /** Wait no more. */
  async uninvite() {
    this.#keepInvitation(null);
    await this.#takeAllBack();
    this.#changed();
  }

  /** @param {Terms & {key: string} | null} invitation */
  #keepInvitation(invitation) {
    this.invitation = invitation;
    if (invitation) sessionStorage.setItem(INVITATION, JSON.stringify(invitation));
    else sessionStorage.removeItem(INVITATION);
  }

  /** Accept what somebody offers. @param {number} offer */
  async accept(offer) {
    await this.uninvite();
    await this.ask({ type: "accept", offer });
    this.#forget(offer);
  }

  /** @param {number} offer */
  async decline(offer) {
    await this.ask({ type: "decline", offer });
    this.#forget(offer);
  }

  /** @param {number} offer */
  async withdraw(offer) {
    await this.ask({ type: "withdraw", offer });
    this.#forget(offer);
  }

  async #takeAllBack() {
    await Promise.all([...this.own.keys()].map((offer) => this.withdraw(offer)));
  }

  /** Join a tournament, or leave it. @param {string} tournament */
  async join(tournament) {
    const isIn = this.joined.has(tournament);
    await this.ask({ type: isIn ? "leave" : "join", tournament });
    if (isIn) this.joined.delete(tournament);
    else this.joined.add(tournament);
    await this.#refresh();
  }

  // ---- what goes on ----

  /** Do what the user wishes; if it is refused, that is the news. @param {() => Promise<unknown>} act */
  async attempt(act) {
    this.news = "";
    try {
      await act();
    } catch (error) {
      if (!(error instanceof LostError || error instanceof RefusedError)) throw error;
      this.news = error instanceof RefusedError ? error.message : "";
    }
    this.#changed();
  }

  /**
   * Ask the arena for something.
   *
   * @param {Command} command
   * @param {Listener} [on]
   * @returns {Promise<any>} Fails with RefusedError or LostError.
   */
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
        return this.#changed();
      case "withdrawn":
        if (event.reason) this.news = `An offer was withdrawn: ${event.reason}.`;
        return this.#forget(event.offer);
      case "progress":
        this.joined[event.state === "over" ? "delete" : "add"](event.name);
        if (event.state === "playing" && event.scheduled === 0) {
          this.news = `${event.name} begins as soon as its openings are made.`;
        }
        return this.#changed();
      case "over":
        this.#isPlaying = false;
        break;
      case "start":
        this.#isPlaying = true;
        this.own.clear();
        this.#keepInvitation(null);
    }
    emit(this, "notice", event);
  }

  /** @param {number} offer */
  #forget(offer) {
    this.own.delete(offer);
    this.challenges.delete(offer);
    this.seeks = this.seeks.filter((seek) => seek.offer !== offer);
    this.#changed();
  }

  #changed() {
    emit(this, "change");
  }
}

/** As whom this window is a guest, null if it is none. @returns {Account | null} */
function guest() {
  const name = sessionStorage.getItem(GUEST);
  return name ? { name } : null;
}
