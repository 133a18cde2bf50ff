/**
 * The server's engine: it describes positions, searches them, and reviews games.
 *
 * Each question sends the whole line of moves, so that it needs nothing of the session before. Commands
 * do not wait for answers: the server answers them in order.
 */

import { Connection } from "./connection.js";
import { on } from "../events.js";

/**
 * @import { Command, Event_, Info, Limits } from "./connection.js"
 *
 * @typedef {{game: string, size: string, fen: string | null, moves: string[]}} Line A position, by
 *   the moves that lead there from `fen`; null is the game's own start.
 * @typedef {{limits?: Limits, multipv?: number, level?: number}} Go Limits of a search and its number of
 *   lines, or a level.
 * @typedef {{move: string | null, isWeak: boolean}} Found The best move, null if the game is over, and
 *   whether the server found it without its engine.
 * @typedef {{number: number, move: string, player: 1 | 2, after?: number, lost?: number, best?: string,
 *   mark: "best" | "sound" | "mistake" | "losing" | "unproven"}} Judged A move, and what it was worth.
 * @typedef {{players: [Tally, Tally], losing?: number}} Reviewed How well both players played.
 * @typedef {{moves: number, best: number, sound: number}} Tally Numbers of judged moves.
 */

export class RemoteEngine {
  #connection;
  /** The game and size that the server's session is set to. */
  #set = "";
  #searches = 0;
  /** How many stops were sent. */
  #stops = 0;

  /** @param {Connection} connection */
  constructor(connection) {
    this.#connection = connection;
    on(connection, "open", () => {
      this.#set = "";
      this.#searches = 0;
    });
  }

  /** @returns {Promise<import("../game/games.js").Game[]>} */
  async games() {
    /** @type {import("../game/games.js").Game[]} */
    const games = [];
    await this.#connection.ask({ type: "games" }, (event) => games.push(/** @type {any} */ (event)));
    return games;
  }

  /**
   * The facts of a position. Fails with RefusedError or LostError.
   *
   * @param {Line} line
   * @returns {Promise<import("../game/rules/rules.js").Facts>}
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
      legal: legal.moves,
      over: result.over,
      winner: result.winner ?? null,
      score: result.score,
      reason: result.reason,
    };
  }

  /**
   * Search a position until a limit is reached or the next question comes.
   *
   * @param {Line} line
   * @param {Go} go
   * @param {(info: Info) => void} [onInfo]
   * @returns {Promise<Found>}
   */
  async search(line, go, onInfo) {
    const { move = null, by = "engine" } = await this.#search(line, { type: "go", ...go }, onInfo);
    return { move, isWeak: by !== "engine" };
  }

  /**
   * Review a line.
   *
   * @param {Line} line
   * @param {{opening: number, winner?: 1 | 2, nodes?: number}} game
   * @param {(judged: Judged) => void} onMove Gets each judged move, the last one first.
   * @returns {Promise<Reviewed | null>} Null if the next question ended the review.
   */
  async review(line, game, onMove) {
    const answer = this.#search(line, { type: "review", ...game }, onMove);
    const stops = this.#stops;
    const reviewed = /** @type {any} */ (await answer);
    return this.#stops === stops ? reviewed : null;
  }

  /** End the search that runs. */
  stop() {
    if (!this.#searches) return;
    this.#stops++;
    this.#connection.ask({ type: "stop" }).catch(() => {});
  }

  /**
   * @param {Line} line
   * @param {Command} command
   * @param {((event: any) => void) | undefined} on
   */
  async #search(line, command, on) {
    const asked = this.#setUp(line);
    this.#searches++;
    const answer = this.#connection.ask(command, on);
    answer.finally(() => this.#searches--).catch(() => {});
    await Promise.all([...asked, answer]);
    return answer;
  }

  /** @param {Line} line @returns {Promise<unknown>[]} */
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
}
