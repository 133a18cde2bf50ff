/**
 * The server's engine, as the page asks it: what a position is, and what to play in it.
 *
 * The page knows no rules. Each question sends the whole line of moves, so it does not matter what
 * the server's session was about before, nor whether it is the same session still. Commands are
 * sent without waiting for answers: the server answers them in order.
 */

import { Connection } from "./connection.js";
import { on } from "../events.js";

/**
 * @typedef {import("./connection.js").Info} Info
 * @typedef {import("./connection.js").Event_} Event_
 *
 * @typedef {{game: string, size: string, fen: string | null, moves: string[]}} Line A position, by
 *   the moves that lead there from `fen`; null is the game's own start.
 * @typedef {{fen: string, turn: 1 | 2, legal: string[], moves: string[], over: boolean,
 *   winner: 1 | 2 | null, score: number, reason: string}} Facts What there is to know about a
 *   position: the `moves` that led here, as the server writes them; of a finished game the first
 *   player's `score` and how it ended.
 * @typedef {{limits?: import("./connection.js").Limits, multipv?: number, level?: number}} Go What
 *   a search is given: limits and how many lines to report, or how hard to play.
 * @typedef {{name: string, title: string, players: [string, string], size: string}} Game Of the
 *   usual `size`.
 */

export class RemoteEngine {
  #connection;
  /** The game and size that the server's session is set to. */
  #set = "";
  #searches = 0;

  /** @param {Connection} connection */
  constructor(connection) {
    this.#connection = connection;
    on(connection, "open", () => {
      this.#set = "";
      this.#searches = 0;
    });
  }

  /** @returns {Promise<Game[]>} */
  async games() {
    /** @type {Game[]} */
    const games = [];
    await this.#connection.ask({ type: "games" }, (event) => games.push(/** @type {any} */ (event)));
    return games;
  }

  /**
   * @param {Line} line
   * @returns {Promise<Facts>} Fails with RefusedError if the line cannot be played.
   */
  async describe(line) {
    /** @type {Record<string, Event_>} */
    const found = {};
    /** @param {Event_} event */
    const keep = (event) => (found[event.type] = event);
    await Promise.all([
      ...this.#setUp(line),
      this.#connection.ask({ type: "show" }, keep),
      this.#connection.ask({ type: "legal" }, keep),
      this.#connection.ask({ type: "result" }, keep),
    ]);
    const { show, legal, result } = found;
    return {
      fen: show.fen,
      turn: show.turn,
      moves: show.moves,
      legal: legal.moves,
      over: result.over,
      winner: result.winner ?? null,
      score: result.score,
      reason: result.reason,
    };
  }

  /**
   * Search a position until a limit is reached or something else is asked.
   *
   * @param {Line} line
   * @param {Go} go
   * @param {(info: Info) => void} [onInfo]
   * @returns {Promise<string | null>} The best move; null if the game is over.
   */
  async search(line, go, onInfo) {
    const asked = this.#setUp(line);
    this.#searches++;
    const answer = this.#connection.ask({ type: "go", ...go }, (event) =>
      onInfo?.(/** @type {any} */ (event)),
    );
    const all = Promise.all([...asked, answer]);
    answer.finally(() => this.#searches--).catch(() => {});
    await all;
    return (await answer).move ?? null;
  }

  /** End the running search, if there is one. */
  stop() {
    if (this.#searches) this.#ask({ type: "stop" });
  }

  /**
   * @param {Line} line
   * @returns {Promise<unknown>[]}
   */
  #setUp(line) {
    const asked = [];
    this.stop();
    const set = `${line.game} ${line.size}`;
    if (this.#set !== set) {
      this.#set = set;
      const game = { type: "new-game", game: line.game, size: line.size };
      asked.push(
        this.#connection.ask(game).catch((error) => {
          this.#set = "";
          throw error;
        }),
      );
    }
    const position = { type: "position", fen: line.fen ?? undefined, moves: line.moves };
    asked.push(this.#connection.ask(position));
    return asked;
  }

  /** Send what needs no answer. @param {import("./connection.js").Command} command */
  #ask(command) {
    this.#connection.ask(command).catch(() => {});
  }
}
