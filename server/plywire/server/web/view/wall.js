/**
 * The wall: the games that are being played, side by side as small boards.
 *
 * A board is drawn when its game changes, and clocks once a second. All stones of a player are one path.
 * A board out of sight, as `content-visibility` says, is drawn when it is scrolled into sight.
 */

import { rulesOf } from "../game/games.js";
import { rowsOf } from "../game/rules/rules.js";
import { outcome } from "../state/watched-game.js";
import { byId, html, onClick, setRows, setText, show, svg } from "./dom.js";

/**
 * @import { Screen } from "../actions/screen.js"
 * @import { ArenaFeed, GameState } from "../connection/arena-feed.js"
 * @import { Facts } from "../game/rules/rules.js"
 * @import { State } from "../state/state.js"
 *
 * @typedef {{key: string, state: GameState, isMain: boolean}} Item
 */

/** The most boards that are shown, and how long a finished game stays, in ms. */
const MOST = 120;
const STAY = 8000;

/** Paths of a piece around the middle of its square, by player. */
const DISC = "m-.42 0a.42 .42 0 1 0 .84 0a.42 .42 0 1 0-.84 0";
const SHAPES = { disc: ["", DISC, DISC], tictactoe: ["", "m-.3-.3l.6 .6m0-.6l-.6 .6", "m-.32 0a.32 .32 0 1 0 .64 0a.32 .32 0 1 0-.64 0"] };

export class Wall {
  #feed;
  #screen;
  #list = byId("wall-games", HTMLUListElement);
  /** What is drawn of each game. @type {WeakMap<HTMLElement, {state: GameState, moves: number, facts: Facts | null}>} */
  #drawn = new WeakMap();
  /** The rows out of sight, and what each is to show when it is scrolled into sight. @type {WeakMap<HTMLElement, Item | null>} */
  #unseen = new WeakMap();
  /** When each game was first seen to be over. @type {Map<string, number>} */
  #ended = new Map();
  /** The table of the main game. @type {string | undefined} */
  #first;

  /** @param {ArenaFeed} feed @param {Screen} screen */
  constructor(feed, screen) {
    this.#feed = feed;
    this.#screen = screen;
    onClick("wall-close", () => screen.watchGame(this.#first ?? null));
    onClick("wall-all", () => screen.watchTournament(""));
    this.#list.addEventListener("contentvisibilityautostatechange", (event) => this.#seen(/** @type {ContentVisibilityAutoStateChangeEvent} */ (event)));
    setInterval(() => this.#tick(), 1000);
  }

  /** @param {State} state */
  render({ feed, games: known, tournament: { name, status } }) {
    const games = feed.gamesOf(name, known);
    const now = performance.now();
    for (const { table, result } of games) {
      if (result && !this.#ended.has(table)) this.#ended.set(table, this.#isFirst ? -Infinity : now);
    }
    const running = games.filter(({ table, result }) => !result || now - (this.#ended.get(table) ?? 0) < STAY);
    const shown = (running.length ? running : games).slice(0, MOST);
    const main = mainOf(feed, shown);
    /** @type {Item[]} */
    const items = shown.map((state) => ({ key: state.table, state, isMain: state === main }));
    setRows(this.#list, items, (item) => this.#make(item), (row, item) => this.#update(row, item));
    this.#list.dataset.size = shown.length > 40 ? "small" : shown.length > 12 ? "middle" : "large";
    this.#first = (main ?? shown[0])?.table;
    show("wall-close", !!this.#first);
    show("wall-all", !!name);
    setText("wall-title", name || "All games");
    const more = running.length > MOST ? ` The first ${MOST} of ${running.length} are shown.` : "";
    const words = running.length ? `${running.length === 1 ? "One game is" : `${running.length} games are`} shown live.${more}` : "No game is being played; these were the last.";
    setText("wall-said", status || (shown.length ? words : "No game has been played yet."));
  }

  /** Whether nothing was shown before. Games that are over then do not stay. */
  get #isFirst() {
    return !this.#list.firstChild;
  }

  /** @param {Item} item */
  #make({ key, state: { game, size } }) {
    const [width, height] = size.split("x").map(Number);
    const board = svg(
      "svg",
      { viewBox: `-.1 -.1 ${width + 0.2} ${height + 0.2}`, "aria-hidden": "true" },
      svg("rect", { class: "ground", x: -0.1, y: -0.1, width: width + 0.2, height: height + 0.2, rx: 0.2 }),
      svg("path", { class: "lattice", d: lattice(game, width, height) }),
      svg("path", { class: "one" }),
      svg("path", { class: "two" }),
      svg("path", { class: "lasting" }),
    );
    const choose = () => this.#screen.watchGame(key);
    const players = [1, 2].map((player) => html("span", { class: `who player-${player}` }, html("span"), html("span", { class: "count" })));
    return html("li", {}, html("button", { class: "tile", onclick: choose, "data-game": game }, board, ...players));
  }

  /** @param {ContentVisibilityAutoStateChangeEvent} event */
  #seen({ target, skipped }) {
    const row = /** @type {HTMLElement} */ (target);
    const item = this.#unseen.get(row);
    if (skipped) this.#unseen.set(row, null);
    else this.#unseen.delete(row);
    if (item) this.#update(row, item);
  }

  /** @param {HTMLElement} row @param {Item} item */
  #update(row, item) {
    const { state, isMain } = item;
    row.classList.toggle("main", isMain);
    if (this.#unseen.has(row)) {
      this.#unseen.set(row, item);
      return;
    }
    const drawn = this.#drawn.get(row);
    if (drawn?.state === state) return;
    const { game, size, fen, moves, players, result } = state;
    const rules = rulesOf(game, size);
    const isOn = drawn && drawn.moves <= moves.length && drawn.facts;
    let facts = isOn ? drawn.facts : (rules?.parse(fen) ?? null);
    const [known, added] = [facts, moves.slice(isOn ? drawn.moves : 0)];
    let before = facts;
    for (const move of added) [before, facts] = [facts, facts && (rules?.play(facts, move) ?? null)];
    this.#drawn.set(row, { state, moves: moves.length, facts });
    const button = /** @type {HTMLElement} */ (row.firstElementChild);
    const [board, ...names] = button.children;
    if (facts && (facts !== known || !isOn)) this.#draw(board, game, facts, before ?? facts);
    names.forEach((name, at) => {
      setText(name.children[0], players[at]);
      name.classList.toggle("on", !result && state.turn === at + 1);
      name.classList.toggle("won", result?.winner === at + 1);
    });
    button.classList.toggle("over", !!result);
    button.ariaLabel = `${players.join(" – ")}, ${outcome(state)}`;
    this.#clocks(names, state);
  }

  /** @param {Element} board @param {string} game @param {Facts} facts @param {Facts} before */
  #draw(board, game, facts, before) {
    const shapes = game === "tictactoe" ? SHAPES.tictactoe : SHAPES.disc;
    const [rows, old] = [facts, before].map(({ fen }) => rowsOf(fen));
    const paths = ["", "", ""];
    let last = "";
    rows.forEach((row, y) =>
      row.forEach((player, x) => {
        if (player) paths[player] += `M${x + 0.5} ${y + 0.5}${shapes[player]}`;
        if (player && !old[y]?.[x]) last += `M${x + 0.5} ${y + 0.5}m-.14 0a.14 .14 0 1 0 .28 0a.14 .14 0 1 0-.28 0`;
      }),
    );
    [paths[1], paths[2], last].forEach((d, at) => {
      const path = board.children[at + 2];
      if (path.getAttribute("d") !== d) path.setAttribute("d", d);
    });
  }

  /** @param {Element[]} names @param {GameState} state */
  #clocks(names, state) {
    const clocks = this.#feed.clocks(state);
    const points = state.result?.winner === 1 ? ["1", "0"] : state.result?.winner === 2 ? ["0", "1"] : ["½", "½"];
    names.forEach((name, at) => setText(name.children[1], state.result ? points[at] : (clocks?.[at] ?? "")));
  }

  #tick() {
    if (document.hidden || byId("wall").hidden) return;
    for (const row of /** @type {Iterable<HTMLElement>} */ (this.#list.children)) {
      const state = this.#drawn.get(row)?.state;
      const [, ...names] = row.firstElementChild?.children ?? [];
      if (state && !state.result && !this.#unseen.has(row)) this.#clocks(names, state);
    }
  }
}

/** The main game: that of the players with the best ranks in their tournament. @param {ArenaFeed} feed @param {GameState[]} games */
function mainOf({ tournaments }, games) {
  const ranks = new Map([...tournaments].map(([id, pages]) => [id, new Map(pages.flatMap((page) => page?.rows ?? []).map((row) => [row.player, row.rank]))]));
  const sum = (/** @type {GameState} */ { tournament = "", players }) =>
    players.reduce((total, player) => total + (ranks.get(tournament)?.get(player) ?? Infinity), 0);
  const best = games.filter(({ result }) => !result).reduce((one, other) => (one && sum(one) <= sum(other) ? one : other), /** @type {GameState | null} */ (null));
  return best && sum(best) < Infinity ? best : null;
}

/** Holes of Connect Four, else the lines between squares. @param {string} game @param {number} width @param {number} height */
function lattice(game, width, height) {
  const columns = Array.from({ length: width }, (_, x) => x);
  const rows = Array.from({ length: height }, (_, y) => y);
  if (game === "connect4") return rows.flatMap((y) => columns.map((x) => `M${x + 0.5} ${y + 0.5}${DISC}`)).join("");
  return [...columns.slice(1).map((x) => `M${x} 0V${height}`), ...rows.slice(1).map((y) => `M0 ${y}H${width}`)].join("");
}
