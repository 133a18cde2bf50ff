/** The arena: who is there, games being played and games that are over. */

import { byId, html, setRows, setText } from "../dom.js";
import { emit } from "../../events.js";
import { hereNow } from "../../connection/arena-feed.js";
import { outcome } from "../../state/watched-game.js";

/** @import { ArenaFeed, GameState } from "../../connection/arena-feed.js" */

/**
 * Tells `choose` with the table of a game, `all` to watch all tournaments, `analyse`, and `wall` to see all
 * games at once.
 */
export class WatchPanel extends EventTarget {
  #running = byId("running", HTMLUListElement);
  #finished = byId("finished", HTMLUListElement);

  constructor() {
    super();
    byId("open-wall", HTMLButtonElement).addEventListener("click", () => emit(this, "wall"));
    byId("analyse-this", HTMLButtonElement).addEventListener("click", () => emit(this, "analyse"));
    byId("tournament-all", HTMLButtonElement).addEventListener("click", () => emit(this, "all"));
  }

  /**
   * @param {ArenaFeed} feed
   * @param {import("../../state/watched-game.js").WatchedGame} watched
   * @param {Map<string, {title: string}>} games
   * @param {string} only The tournament that is watched, empty if it is all that there is.
   */
  render(feed, { table: chosen }, games, only) {
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
    byId("tournament-all").hidden = !only;
    byId("over").hidden = !!only; // they are shown round by round
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

/** @param {string} trouble */
function sorry(trouble) {
  return `${trouble} It has one when it is started with --arena FOLDER.`;
}
