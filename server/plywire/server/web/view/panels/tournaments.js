/** Tournaments: standings, pairings, and the games of each round. */

import { byTable } from "../../connection/arena-feed.js";
import { half, outcome } from "../../state/watched-game.js";
import { byId, html, setRows, setText } from "../dom.js";
import { setGames } from "./game-list.js";

/**
 * @import { Screen } from "../../actions/screen.js"
 * @import { GameState, Pairings, Standings } from "../../connection/arena-feed.js"
 * @import { State } from "../../state/state.js"
 * @import { Line } from "./game-list.js"
 *
 * @typedef {{key: string, pages: Standings[]}} Item
 */

/** The search for a name is shown if there are more players. */
const FEW = 8;
/** The most games of a pairing among which the one that is being played is sought. */
const MOST = 100;

export class TournamentsPanel {
  #state;
  #screen;
  #list = byId("tournaments");
  /** The standings that are drawn of each tournament. @type {WeakMap<HTMLElement, Standings[]>} */
  #drawn = new WeakMap();

  /** @param {State} state @param {Screen} screen */
  constructor(state, screen) {
    this.#state = state;
    this.#screen = screen;
  }

  /** @param {State} state */
  render(state) {
    const { feed, isWall, tournament } = state;
    setText("tournament-none", isWall ? "" : tournament.status); // the wall says it itself
    const host = byId(isWall ? "wall-side" : "watch-side");
    if (!host.contains(this.#list)) host.append(byId("tournament-none"), this.#list);
    const items = feed.tournamentsOf(tournament.name).map((pages) => ({ key: pages[0].tournament, pages }));
    setRows(this.#list, items, (item) => this.#make(item), (row, item) => this.#update(row, item, state));
  }

  /** @param {Item} item */
  #make({ pages: [{ name }] }) {
    const row = html("section", { class: "tournament", "aria-label": name });
    const title = html("h2", {}, html("span"), " ", html("span", { class: "quiet" }));
    const only = html("button", { onclick: () => this.#screen.watchTournament(name) }, "Only this");
    const label = `Find a player of ${name}`;
    row.append(
      html("div", { class: "row-of" }, title, only),
      html("input", { type: "search", placeholder: "Find a player", "aria-label": label, oninput: () => this.#filter(row) }),
      fold("Standings", html("div", { class: "table", tabindex: "0", role: "group", "aria-label": `Standings of ${name}` })),
      fold("Pairings", html("ul", { class: "games" })),
      html("div", { class: "rounds" }),
    );
    return row;
  }

  /** @param {HTMLElement} row @param {Item} item @param {State} state */
  #update(row, { key, pages }, { feed, games, tournament }) {
    const [head, search, standings, round, rounds] = /** @type {HTMLElement[]} */ ([...row.children]);
    const [{ name, played, games: count, outcome: end }] = pages;
    const [title, progress] = head.querySelectorAll("span");
    setText(title, name);
    setText(progress, end ?? `${played} of ${count} games`);
    /** @type {HTMLElement} */ (head.children[1]).hidden = !!tournament.name;
    search.hidden = pages.flatMap(({ rows }) => rows).length <= FEW;
    if (!same(pages, this.#drawn.get(row))) standings.children[1].replaceChildren(table(pages));
    this.#drawn.set(row, pages);
    const pairings = feed.pairingsOf(key);
    round.hidden = !pairings.length;
    if (pairings.length) {
      const [{ round: number, rounds: all }] = pairings;
      setText(round.children[0], all > 1 ? `Round ${number} of ${all}` : "Pairings");
      this.#games(round.children[1], pairings.flatMap((page) => page.pairings).map((one) => lineOf(one, feed.games)));
    }
    if (tournament.name) {
      const over = feed.gamesOf(tournament.name, games).filter((state) => state.result && state.tournament === key);
      this.#rounds(rounds, Map.groupBy(over, ({ round = 0 }) => round), pairings[0]);
    } else rounds.replaceChildren();
    this.#filter(row);
  }

  /** Show the finished games of each round. @param {HTMLElement} host @param {Map<number, GameState[]>} games @param {Pairings} [pairings] */
  #rounds(host, games, pairings) {
    const count = Math.max(pairings?.rounds ?? 1, ...games.keys());
    const last = pairings?.round ?? count;
    const items = Array.from({ length: Math.min(count, last) }, (_, at) => ({ key: String(last - at), round: last - at }));
    /** @param {{round: number}} item */
    const make = ({ round }) => {
      const row = fold(`Games of round ${round} that are over`, html("ul", { class: "games" }), html("p", { class: "quiet" }));
      row.open = false;
      row.addEventListener("toggle", () => row.open && this.#state.tournament.recall(round));
      return row;
    };
    setRows(host, items, make, (row, { round }) => {
      const lines = (games.get(round) ?? [])
        .sort((one, other) => byTable(one.table, other.table))
        .map((state) => ({ key: state.table, table: state.table, text: state.players.join(" – "), said: outcome(state) }));
      this.#games(row.children[1], lines);
      setText(row.children[2], lines.length ? "" : "None is.");
    });
  }

  /** @param {Element} list @param {Line[]} lines */
  #games(list, lines) {
    setGames(/** @type {HTMLElement} */ (list), lines, (table) => this.#screen.watchGame(table));
  }

  /** Show only rows of players with the name that is sought. @param {HTMLElement} row */
  #filter(row) {
    const wanted = /** @type {HTMLInputElement} */ (row.children[1]).value.trim().toLowerCase();
    if (!wanted && !row.dataset.wanted) return;
    row.dataset.wanted = wanted;
    for (const line of /** @type {NodeListOf<HTMLElement>} */ (row.querySelectorAll("tbody tr, li"))) {
      const names = line.querySelector("th, button")?.getAttribute("title")?.toLowerCase() ?? "";
      line.hidden = !names.includes(wanted);
    }
  }
}

/** @param {string} title @param {...HTMLElement} content */
function fold(title, ...content) {
  return html("details", { class: "fold", open: true }, html("summary", {}, title), ...content);
}

/** @param {unknown[]} items @param {unknown[]} [others] */
function same(items, others) {
  return items.length === others?.length && items.every((item, at) => item === others[at]);
}

/** @param {Pairings["pairings"][number]} pairing @param {Map<string, GameState>} known @returns {Line} */
function lineOf({ players, points = [], table, games = 0, played = 0 }, known) {
  const text = players.join(" – ");
  const sum = points.map(half).join("–");
  if (!table) return { key: text, text, said: points[0] ? `bye, ${sum}` : "bye", isOn: false };
  const [, tournament, first] = /^(.*)\.(\d+)$/.exec(table) ?? [];
  const tables = Array.from({ length: Math.min(games, MOST) }, (_, at) => `${tournament}.${Number(first) + at}`);
  const live = tables.find((one) => known.has(one) && !known.get(one)?.result);
  const said = [played ? sum : "", live ? "live" : "", games > 1 && played < games ? `${played} of ${games} games` : ""];
  return { key: table, table: live ?? table, text, said: said.filter(Boolean).join(", "), isOn: !!live || played > 0 };
}

/** @param {Standings[]} pages */
function table(pages) {
  const rows = pages.flatMap((page) => page.rows);
  const { crosstable } = pages[0];
  const crossed = crosstable?.length === rows.length ? crosstable : [];
  const head = ["", "Player", "Points", "Elo", ...crossed.map((_, index) => String(index + 1))];
  const lines = rows.map((row, index) => {
    const cells = (crossed[index] ?? []).map((points, other) =>
      html("td", {}, other === index ? "×" : points === null ? "·" : half(points)),
    );
    return html(
      "tr",
      {},
      html("td", {}, String(row.rank)),
      html("th", { scope: "row", title: row.player }, row.player),
      html("td", { title: `${row.wins} won, ${row.draws} drawn, ${row.losses} lost` }, half(row.points) + ofByes(row)),
      html("td", {}, `${String(Math.round(row.elo)).replace("-", "−")} ± ${Math.round(row.error)}`),
      ...cells,
    );
  });
  return html(
    "table",
    {},
    html("thead", {}, html("tr", {}, ...head.map((text) => html(text ? "th" : "td", { scope: text ? "col" : undefined }, text)))),
    html("tbody", {}, ...lines),
  );
}

/** The points that a player got without playing. @param {Standings["rows"][number]} row */
function ofByes({ points, wins, draws }) {
  const byes = points - wins - draws / 2;
  return byes > 0 ? ` (${half(byes)} of byes)` : "";
}
