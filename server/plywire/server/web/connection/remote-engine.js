/**
 * The server's engine, as the page asks it: what a position is, and what to play in it.
 *
 * Each question sends the whole line of moves, so it does not matter what
 * the server's session was about before, nor whether it is the same session still. Commands are
 * sent without waiting for answers: the server answers them in order.
 */

import { Connection } from "./connection.js";
import { on } from "../events.js";

/**
 * @import { Command, Event_, Info, Limits } from "./connection.js"
 *
 * @typedef {{game: string, size: string, fen: string | null, moves: string[]}} Line A position, by
 *   the moves that lead there from `fen`; null is the game's own start.
 * @typedef {{limits?: Limits, multipv?: number, level?: number}} Go What
 *   a search is given: limits and how many lines to report, or how hard to play.
 * @typedef {{move: string | null, isWeak: boolean}} Found The best move, null if the game is over, and
 *   whether something weaker than the engine found it.
 * @typedef {{number: number, move: string, player: 1 | 2, after?: number, lost?: number, best?: string,
 *   mark: "best" | "sound" | "mistake" | "losing" | "unproven"}} Judged A move, and what it was worth.
 * @typedef {{players: [Tally, Tally], losing?: number}} Reviewed How well both players played.
 * @typedef {{moves: number, best: number, sound: number}} Tally Of moves that were judged.
 */

export class RemoteEngine {
  #connection;
  /** The game and size that the server's session is set to. */
  #set = "";
  #searches = 0;
  /** How often a search was told to end. */
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
   * What is known about a position of a game whose rules the page does not know.
   *
   * @param {Line} line
   * @returns {Promise<import("../game/rules/rules.js").Facts>} Fails with RefusedError if the line cannot be played.
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
   * Search a position until a limit is reached or something else is asked.
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
   * @param {(judged: Judged) => void} onMove Of each move that is judged, the last one first.
   * @returns {Promise<Reviewed | null>} Null if it was ended because something else is asked.
   */
  async review(line, game, onMove) {
    const answer = this.#search(line, { type: "review", ...game }, onMove);
    const stops = this.#stops;
    const reviewed = /** @type {any} */ (await answer);
    return this.#stops === stops ? reviewed : null;
  }

  /** End the running search, if there is one. */
  stop() {
    if (!this.#searches) return;
    this.#stops++;
    this.#ask({ type: "stop" });
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

  /** Send what needs no answer. @param {Command} command */
  #ask(command) {
    this.#connection.ask(command).catch(() => {});
  }
}
