/** The panel to play in the arena: login, offers, tournaments, and the user's own game. */

import { byId, copy, html, onClick, setRows, setText, show } from "../dom.js";
import { hereNow } from "../../connection/arena-feed.js";
import { invite } from "../../game/link.js";
import { limitsOf, terms } from "../../game/times.js";

/**
 * @import { NewGame } from "../../actions/new-game.js"
 * @import { Offer } from "../../connection/arena-session.js"
 * @import { State } from "../../state/state.js"
 *
 * @typedef {object} Row An offer or a tournament.
 * @property {string} key What stays the same while it is offered.
 * @property {string} text
 * @property {Record<string, () => Promise<unknown>>} does What the user can do, by the text of its button.
 */

export class ArenaPanel {
  #session;
  #game;
  #list = byId("seats-list", HTMLUListElement);
  /** Whether the page asks if the user means to resign. */
  #isResigning = false;

  /** @param {State} state @param {NewGame} act */
  constructor({ session, arenaGame: game }, act) {
    this.#session = session;
    this.#game = game;
    const [name, token] = ["login-name", "login-token"].map((id) => byId(id, HTMLInputElement));
    const keep = byId("login-keep", HTMLInputElement);
    const { kept } = session;
    if (kept) [name.value, token.value, keep.checked] = [kept.name, kept.token ?? "", true];
    byId("login").addEventListener("submit", (event) => {
      event.preventDefault();
      session.logIn({ name: name.value.trim(), token: token.value.trim() }, keep.checked);
      if (!keep.checked) token.value = "";
    });
    byId("guest").addEventListener("submit", (event) => {
      event.preventDefault();
      act.enter(named(byId("guest-name", HTMLInputElement).value));
    });
    const link = byId("invitation-link", HTMLInputElement);
    onClick("invited-play", () => act.join());
    onClick("invited-not", () => act.refuse());
    onClick("invitation-end", () => {
      session.attempt(() => session.uninvite());
      act.refuse();
    });
    onClick("invitation-share", () => navigator.share({ url: link.value }).catch(() => {}));
    onClick("invitation-copy", async () => {
      session.news = (await copy(link)) ? "Copied." : "Copy it by the keyboard: it is selected.";
      setText("arena-said", session.news);
    });
    onClick("log-out", () => session.logOut());
    onClick("resign", () => {
      if (game.mayCallOff) session.attempt(() => game.resign());
      else this.#ask(true);
    });
    onClick("resign-sure", () => {
      session.attempt(() => game.resign());
      this.#ask(false);
    });
    onClick("resign-not", () => this.#ask(false));
    onClick("stand-up", () => game.leave());
  }

  /** @param {State} state */
  render({ isInArena: isChosen, games, feed: { bots, guests, trouble }, home, invited, choice }) {
    const session = this.#session;
    const isSeated = this.#game.tree !== null;
    show("arena", isChosen && !this.#game.isPlaying);
    this.#renderTable();
    const isIn = session.name !== "";
    const isMeeting = isChosen && choice.opponent === "friend";
    const { invitation } = session;
    const isWaiting = isMeeting && isIn && !!invitation;
    show("login-fold", !isIn && !trouble);
    if (guests === null) byId("login-fold", HTMLDetailsElement).open = true;
    show("login-summary", typeof guests === "number");
    show("guest", !isIn && !trouble && typeof guests === "number");
    show("invitation", isWaiting);
    show("invitation-share", "share" in navigator);
    if (invited) byId("invitation-link", HTMLInputElement).value = new URL(invite(invited), home).href;
    const game = invited && games.get(invited.game)?.title;
    const isInvited = isMeeting && !!game && !isWaiting;
    show("helps", !isSeated && !isInvited && !isWaiting);
    show("setup", !this.#game.isPlaying && !isInvited && !isWaiting);
    setText("arena-title", isMeeting ? "Play a friend" : "The arena");
    setText("invited", isInvited ? `You are invited to a game of ${game}, ${terms(limitsOf(invited.time))}.` : "");
    show("invited-does", isInvited);
    show("invited-play", isIn);
    show("logged-in", isIn);
    show("seats", isIn && !isMeeting);
    show("start", isIn || !isChosen);
    show("terms", isIn && isChosen);
    setText("login-as", session.name);
    const away = isIn && !session.isHere ? "Connection lost. Trying again…" : "";
    setText("arena-said", trouble || away || session.news);
    const names = isIn ? session.bots : bots;
    const others = hereNow(names, "Nobody else is here now.");
    setText("arena-here", trouble || isMeeting ? "" : others);
    const rows = this.#offered(games);
    show("seats-none", rows.length === 0);
    setRows(this.#list, rows, (row) => this.#row(row), fill);
  }

  #renderTable() {
    const { isPlaying, mayCallOff, tree, title } = this.#game;
    show("table", tree !== null);
    setText("table-title", title);
    if (!isPlaying || mayCallOff) this.#isResigning = false;
    setText("resign", mayCallOff ? "Call the game off" : "Resign");
    show("resign", isPlaying && !this.#isResigning);
    show("resign-sure", this.#isResigning);
    show("resign-not", this.#isResigning);
    show("stand-up", !isPlaying);
  }

  /** All offers and tournaments. @param {State["games"]} games @returns {Row[]} */
  #offered(games) {
    const session = this.#session;
    /** @param {Offer} offer */
    const what = ({ game, size, limits }) => {
      const known = games.get(game);
      const board = known && known.size !== size ? ` ${size.replace("x", " × ")}` : "";
      return `${known?.title ?? game}${board}, ${terms(limits)}`;
    };
    const challenges = [...session.challenges.values()].map((offer) => ({
      key: `offer ${offer.offer}`,
      text: `${offer.name} challenges you: ${what(offer)}`,
      does: { Accept: () => session.accept(offer.offer), Decline: () => session.decline(offer.offer) },
    }));
    const own = [...session.own.values()].map((offer) => ({
      key: `own ${offer.offer}`,
      text: `You ${offer.key ? "invite by a link" : "offer"}${offer.name ? ` ${offer.name}` : ""}: ${what(offer)}`,
      does: { "Take back": () => (offer.key ? session.uninvite() : session.withdraw(offer.offer)) },
    }));
    const seeks = session.seeks.filter(({ game }) => games.has(game)).map((offer) => ({
      key: `offer ${offer.offer}`,
      text: `${offer.name}: ${what(offer)}`,
      does: { Play: () => session.accept(offer.offer) },
    }));
    const playable = session.tournaments.filter((tournament) => tournament.games.every((game) => games.has(game)));
    const tournaments = playable.map(({ name, games: played, players, seats, limits }) => {
      const isIn = session.joined.has(name);
      const titles = played.map((game) => games.get(game)?.title).join(", ");
      return {
        key: `tournament ${name} ${isIn}`,
        text: `Tournament ${name}: ${titles}, ${terms(limits)}, ${players} of ${players + seats} seats taken`,
        does: { [isIn ? "Leave" : "Join"]: () => session.join(name) },
      };
    });
    return [...challenges, ...own, ...seeks, ...tournaments];
  }

  /** @param {Row} row */
  #row({ does }) {
    const buttons = Object.entries(does).map(([title, act]) =>
      html("button", { type: "button", onclick: () => this.#session.attempt(act) }, title),
    );
    return html("li", {}, html("span"), ...buttons);
  }

  /** Ask whether the user means to resign, or stop asking. @param {boolean} isOn */
  #ask(isOn) {
    this.#isResigning = isOn;
    this.#renderTable();
    byId(isOn ? "resign-not" : "resign", HTMLButtonElement).focus();
  }
}

/** @param {HTMLElement} item @param {Row} row */
function fill(item, row) {
  const [text, ...buttons] = item.children;
  setText(text, row.text);
  buttons.forEach((button, at) => (button.ariaLabel = `${Object.keys(row.does)[at]}: ${row.text}`));
}

/** The nearest name that the server takes. @param {string} text */
function named(text) {
  return text.trim().replace(/[^A-Za-z0-9_.-]+/g, "-").replace(/^[_.-]+/, "") || "guest";
}
