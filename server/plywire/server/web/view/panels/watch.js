/** The arena: who is there, tournaments, games being played and games that are over. */

import { byId, html, setRows, setText } from "../dom.js";
import { emit } from "../../events.js";
import { hereNow } from "../../connection/arena-feed.js";
import { outcome } from "../../state/watched-game.js";

/**
 * @typedef {import("../../connection/arena-feed.js").ArenaFeed} ArenaFeed
 * @typedef {import("../../connection/arena-feed.js").GameState} GameState
 * @typedef {import("../../connection/arena-feed.js").Standings} Standings
 */

/**
 * Tells `choose` with the table of a game, `turn` with the name of a tournament, or none for all that
 * there is, `analyse`, and `wall` to see all games at once.
 */
export class WatchPanel extends EventTarget {
  #running = byId("running", HTMLUListElement);
  #finished = byId("finished", HTMLUListElement);
  #tournaments = byId("tournaments");
  /** @type {Standings[]} Those that are shown. */
  #standings = [];

  constructor() {
    super();
    byId("open-wall", HTMLButtonElement).addEventListener("click", () => emit(this, "wall"));
    byId("analyse-this", HTMLButtonElement).addEventListener("click", () => emit(this, "analyse"));
    byId("tournament-all", HTMLButtonElement).addEventListener("click", () => emit(this, "turn", ""));
  }

  /**
   * @param {ArenaFeed} feed
   * @param {import("../../state/watched-game.js").WatchedGame} watched
   * @param {Map<string, {title: string}>} games
   * @param {string} only The tournament that is watched, empty if it is all that there is.
   */
  render(feed, { table: chosen }, games, only) {
    const standings = feed.standingsOf(only);
    const states = feed.gamesOf(only, games);
    const running = states.filter(({ result }) => !result);
    const finished = states.filter(({ result }) => result);
    this.#list(this.#running, running, chosen, games);
    this.#list(this.#finished, finished, chosen, games);
    byId("running-none").hidden = running.length > 0;
    byId("finished-none").hidden = finished.length > 0;
    byId("analyse-this", HTMLButtonElement).disabled = chosen === null;
    const here = hereNow(feed.bots, "Nobody is here now.");
    setText("arena-status", feed.trouble ? sorry(feed.trouble) : here);
    const missing = only && !standings.length ? `Nothing is known here yet of a tournament ${only}.` : "";
    setText("tournament-none", missing);
    byId("tournament-all").hidden = !only;
    if (standings.length !== this.#standings.length || standings.some((one, at) => one !== this.#standings[at])) {
      this.#standings = standings;
      this.#tournaments.replaceChildren(
        ...standings.map((one) => tournament(one, () => emit(this, "turn", one.name))),
      );
    }
  }

  /**
   * @param {HTMLUListElement} list
   * @param {GameState[]} states
   * @param {string | null} chosen
   * @param {Map<string, {title: string}>} games
   */
  #list(list, states, chosen, games) {
    const items = states.map((state) => ({ key: state.table, state }));
    /** @param {{key: string}} item */
    const make = ({ key: detail }) => {
      const choose = () => emit(this, "choose", detail);
      const parts = [html("span"), html("span", { class: "quiet" })];
      return html("li", {}, html("button", { class: "row game", onclick: choose }, ...parts));
    };
    setRows(list, items, make, (row, { state }) => {
      const button = /** @type {HTMLElement} */ (row.firstElementChild);
      button.ariaPressed = String(state.table === chosen);
      button.title = state.players.join(" – ");
      setText(button.children[0], button.title);
      setText(button.children[1], [games.get(state.game)?.title, outcome(state)].join(", "));
    });
  }
}

/** @param {Standings} standings @param {() => void} turn Watches the tournament alone. */
function tournament({ name, rows, crosstable, played, games, outcome: end }, turn) {
  const crossed = crosstable?.length === rows.length ? crosstable : [];
  const head = ["", "Player", "Points", "Elo", ...crossed.map((_, index) => String(index + 1))];
  const scores = rows.map((row, index) => {
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
    "div",
    { class: "table", tabindex: 0, role: "group", "aria-label": `Standings of ${name}` },
    html(
      "table",
      {},
      html(
        "caption",
        {},
        html("button", { class: "link", onclick: turn }, name),
        `: ${end ?? `${played} of ${games} games`}`,
      ),
      html("thead", {}, html("tr", {}, ...head.map((text) => html(text ? "th" : "td", { scope: text ? "col" : undefined }, text)))),
      html("tbody", {}, ...scores),
    ),
  );
}

/** What a player has without playing. @param {Standings["rows"][number]} row */
function ofByes({ points, wins, draws }) {
  const byes = points - wins - draws / 2;
  return byes > 0 ? ` (${half(byes)} of byes)` : "";
}

/** Points as they are written: 2½. @param {number} points */
function half(points) {
  const whole = Math.floor(points);
  return points === whole ? String(whole) : `${whole || ""}½`;
}

/** @param {string} trouble */
function sorry(trouble) {
  return `${trouble} It has one when it is started with --arena FOLDER.`;
}
