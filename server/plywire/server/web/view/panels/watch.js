/** The panel to watch the arena: who is here, games being played, games that are over. */

import { hereNow } from "../../connection/arena-feed.js";
import { outcome } from "../../state/watched-game.js";
import { byId, enable, onClick, setText, show } from "../dom.js";
import { setGames } from "./game-list.js";

/**
 * @import { AfterGame } from "../../actions/after-game.js"
 * @import { Screen } from "../../actions/screen.js"
 * @import { State } from "../../state/state.js"
 */

export class WatchPanel {
  #screen;

  /** @param {State} state @param {Screen} screen @param {AfterGame} afterGame */
  constructor(state, screen, afterGame) {
    this.#screen = screen;
    onClick("open-wall", () => screen.watchTournament(state.tournament.name));
    onClick("tournament-all", () => screen.watchTournament(""));
    onClick("analyse-this", () => afterGame.analyse());
  }

  /** @param {State} state */
  render({ feed, games, tournament, watchedGame }) {
    const states = feed.gamesOf(tournament.name, games);
    for (const [id, isOver] of /** @type {const} */ ([["running", false], ["finished", true]])) {
      const lines = states.filter(({ result }) => !!result === isOver).map((state) => ({
        ...{ key: state.table, table: state.table, text: state.players.join(" – ") },
        said: [games.get(state.game)?.title, outcome(state)].join(", "),
        isShown: state.table === watchedGame.table,
      }));
      setGames(byId(id), lines, (table) => this.#screen.watchGame(table));
      show(`${id}-none`, lines.length === 0);
    }
    enable("analyse-this", watchedGame.table !== null);
    const sorry = `${feed.trouble} It has one when it is started with --arena FOLDER.`;
    setText("arena-status", feed.trouble ? sorry : hereNow(feed.bots, "Nobody is here now."));
    show("tournament-all", !!tournament.name);
    show("over", !tournament.name); // the tournament shows them by rounds
  }
}
