/** The feed of the arena: the latest state of its games, tournaments and bots. */

import { LostError, RefusedError } from "./connection.js";
import { on, emit } from "../events.js";
import { clock as written, running } from "../game/times.js";

/**
 * @import { Clock, Connection, Limits } from "./connection.js"
 *
 * @typedef {{winner?: 1 | 2, score: number, termination: string, reason: string}} GameResult
 * @typedef {{table: string, tournament?: string, round?: number, game: string, size: string,
 *   players: [string, string], limits: Limits, fen: string, moves: string[], opening: number,
 *   turn: 1 | 2, clock?: Clock, updated: string, result?: GameResult}} GameState The moves start at
 *   `fen`, and the first of them are the `opening`; the clock is that of the time `updated`.
 * @typedef {{rank: number, player: string, points: number, wins: number, draws: number,
 *   losses: number, elo: number, error: number}} StandingRow
 * @typedef {{tournament: string, name: string, page: number, rows: StandingRow[],
 *   crosstable: (number | null)[][], played: number, games: number, outcome?: string}} Standings One
 *   page of the standings.
 * @typedef {{players: string[], points?: number[], table?: string, games?: number, played?: number}} Pairing Two
 *   players who meet, or one who sits out.
 * @typedef {{tournament: string, page: number, round: number, rounds: number, pairings: Pairing[]}} Pairings One
 *   page of the pairings of a round.
 */

/** How many finished games are kept. */
const FINISHED = 64;
/** Compare tables by their numbers. */
export const byTable = new Intl.Collator("en", { numeric: true }).compare;
/** How many bots are named. */
const SHOWN = 50;

/** Emits `change`, with the table if a game changed. */
export class ArenaFeed extends EventTarget {
  #connection;
  /** @type {Map<string, GameState>} Those that changed last come last. */
  games = new Map();
  /** The pages of standings, by tournament. @type {Map<string, Standings[]>} */
  tournaments = new Map();
  /** The pages of pairings, by tournament. @type {Map<string, Pairings[]>} */
  pairings = new Map();
  /** The bots that are connected. @type {Set<string>} */
  bots = new Set();
  /** How many more guests the server takes, null if it takes none, undefined until it says so. @type {number | null | undefined} */
  guests;
  /** Why nothing can be watched, else empty. */
  trouble = "";
  /** The least measured lead of this clock over the server's, the time of a message included, in ms. */
  #ahead = Infinity;
  /** Whether the server sends what happens in the arena. */
  isWatching = false;
  /** The tables of finished games that the user asked for. @type {Set<string>} */
  #recalled = new Set();
  /** How many questions for a round are open. */
  #recalling = 0;

  /** @param {Connection} connection */
  constructor(connection) {
    super();
    this.#connection = connection;
    on(connection, "event", (event) => this.#hear(event));
    on(connection, "lost", () => (this.isWatching = false));
  }

  /** Ask the server to send what happens in the arena. */
  async watch() {
    if (this.isWatching) return;
    this.isWatching = true;
    this.bots.clear();
    try {
      await this.#connection.ask({ type: "watch" });
      this.trouble = "";
    } catch (error) {
      this.isWatching = false;
      if (error instanceof LostError) return;
      if (!(error instanceof RefusedError)) throw error;
      this.trouble = error.message;
    }
    emit(this, "change", null);
  }

  /** Ask for a game that is not in the feed any more. Fails with RefusedError or LostError. @param {string} table */
  recall(table) {
    return this.#connection.ask({ type: "recall", table });
  }

  /** The texts of both clocks: the time that is left, or the time of the move if it has no limit. @param {GameState} state @returns {[string, string] | null} */
  clocks({ clock, limits: { movetime }, turn, updated, result }) {
    if (result && !clock) return null;
    const spent = result ? 0 : Math.max(0, Date.now() - Date.parse(updated) - this.#ahead);
    const show = (/** @type {1 | 2} */ player) => {
      const run = player === turn ? spent : 0;
      if (clock) return running(clock, player, run);
      return written(movetime === undefined ? run : Math.max(0, movetime - run));
    };
    return [show(1), show(2)];
  }

  /** Ask for the finished games of a round. Fails with RefusedError or LostError. @param {string} tournament @param {number} round */
  async recallRound(tournament, round) {
    this.#recalling++;
    try {
      await this.#connection.ask({ type: "recall-round", tournament, round });
    } finally {
      this.#recalling--;
    }
  }

  /** The pages of standings of each tournament of that name, of all if the name is empty, the latest first. @param {string} name */
  tournamentsOf(name) {
    const all = [...this.tournaments.values()].reverse().map((pages) => pages.filter(Boolean));
    return all.filter(([{ name: its }]) => !name || its === name);
  }

  /** The pages of a tournament's pairings. @param {string} tournament */
  pairingsOf(tournament) {
    const pages = (this.pairings.get(tournament) ?? []).filter(Boolean);
    return pages.filter(({ round }) => round === pages[0].round); // pages of the round before may be left
  }

  /**
   * The games of a tournament, of all if the name is empty: running games by their tables, then finished
   * ones, the latest first.
   *
   * @param {string} name
   * @param {{has(game: string): boolean}} known The games that the page can show.
   */
  gamesOf(name, known) {
    const watched = new Set(this.tournamentsOf(name).map(([{ tournament }]) => tournament));
    const games = [...this.games.values()].filter(
      ({ game, tournament = "" }) => known.has(game) && (!name || watched.has(tournament)),
    );
    const running = games.filter(({ result }) => !result);
    const finished = games.filter(({ result }) => result).reverse();
    return [...running.sort((one, other) => byTable(one.table, other.table)), ...finished];
  }

  /** @param {any} event */
  #hear(event) {
    if (event.updated) this.#ahead = Math.min(this.#ahead, Date.now() - Date.parse(event.updated));
    switch (event.type) {
      case "status":
        this.guests = event.guests ?? null;
        return emit(this, "change", null);
      case "missed": // the page may have missed that a bot left
        this.isWatching = false;
        void this.watch();
        return;
      case "player-state":
        this.bots[event.online ? "add" : "delete"](event.player);
        return emit(this, "change", null);
      case "standings":
      case "pairings": {
        const all = /** @type {Map<string, any[]>} */ (event.type === "standings" ? this.tournaments : this.pairings);
        const pages = [...(all.get(event.tournament) ?? [])];
        pages[event.page - 1] = event;
        all.set(event.tournament, pages);
        return emit(this, "change", null);
      }
      case "game-state":
        this.games.delete(event.table);
        this.games.set(event.table, event);
        if (this.#recalling && event.result) this.#recalled.add(event.table);
        this.#forget();
        return emit(this, "change", event.table);
    }
  }

  #forget() {
    const over = [...this.games.values()].filter(({ table, result }) => result && !this.#recalled.has(table));
    for (const { table } of over.slice(0, -FINISHED)) this.games.delete(table);
  }
}

/** Name the bots that are here. @param {Iterable<string>} bots @param {string} nobody */
export function hereNow(bots, nobody) {
  const names = [...bots].sort();
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : "";
  return names.length ? `Here now: ${names.slice(0, SHOWN).join(", ")}${more}.` : nobody;
}
