/** The feed of the arena: what happens there, always the latest of each topic. */

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
 *   `fen`, so many of them are the `opening`'s; the clock is as it stood when it was `updated`.
 * @typedef {{rank: number, player: string, points: number, wins: number, draws: number,
 *   losses: number, elo: number, error: number}} StandingRow
 * @typedef {{tournament: string, name: string, page: number, rows: StandingRow[],
 *   crosstable: (number | null)[][], played: number, games: number, outcome?: string}} Standings One
 *   page of them; of many players there are several.
 * @typedef {{players: string[], points?: number[], table?: string, games?: number, played?: number}} Pairing Two
 *   players who meet, or one who sits out.
 * @typedef {{tournament: string, page: number, round: number, rounds: number, pairings: Pairing[]}} Pairings One
 *   page of a round's.
 */

/** How many games that are over are kept. */
const FINISHED = 64;
/** Orders tables by their numbers. */
const byTable = new Intl.Collator("en", { numeric: true }).compare;
/** How many names are shown of those who are there. */
const SHOWN = 50;

/** Tells `change`, with the table of the game if it is a game that changed. */
export class ArenaFeed extends EventTarget {
  #connection;
  /** @type {Map<string, GameState>} Those that changed last come last. */
  games = new Map();
  /** The pages of each. @type {Map<string, Standings[]>} */
  tournaments = new Map();
  /** The pages of each tournament's. @type {Map<string, Pairings[]>} */
  pairings = new Map();
  /** Who is connected. @type {Set<string>} */
  bots = new Set();
  /** How many more guests may come, null where none may, undefined as long as it is not known. @type {number | null | undefined} */
  guests;
  /** Why nothing can be watched, empty if it can. */
  trouble = "";
  /** The least that this clock is ahead of the server's, with the time that messages take. */
  #ahead = Infinity;
  /** Whether the server tells of the arena. */
  isWatching = false;
  /** The tables of games that were asked for. @type {Set<string>} */
  #recalled = new Set();
  /** How many rounds are being asked for. */
  #recalling = 0;

  /** @param {Connection} connection */
  constructor(connection) {
    super();
    this.#connection = connection;
    on(connection, "event", (event) => this.#hear(event));
    on(connection, "lost", () => (this.isWatching = false));
  }

  /** Be told of the arena from now on. */
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
    this.#changed();
  }

  /** Be told of a game that is not kept any more. Fails with RefusedError or LostError. @param {string} table */
  recall(table) {
    return this.#connection.ask({ type: "recall", table });
  }

  /**
   * What the clocks of a game show now: what is left, or what the move has taken so far where
   * nothing limits its time.
   *
   * @param {GameState} state
   * @returns {[string, string] | null}
   */
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

  /**
   * Be told of a tournament's games of a round that are over. Fails with RefusedError or LostError.
   *
   * @param {string} tournament Its name.
   * @param {number} round
   */
  async recallRound(tournament, round) {
    this.#recalling++;
    try {
      await this.#connection.ask({ type: "recall-round", tournament, round });
    } finally {
      this.#recalling--;
    }
  }

  /** The pages of the standings of the tournaments of a name, or of all if it is empty, the latest first. @param {string} name */
  tournamentsOf(name) {
    const all = [...this.tournaments.values()].reverse().map((pages) => pages.filter(Boolean));
    return all.filter(([{ name: its }]) => !name || its === name);
  }

  /** The pages of a tournament's pairings. @param {string} tournament */
  pairingsOf(tournament) {
    const pages = (this.pairings.get(tournament) ?? []).filter(Boolean);
    return pages.filter(({ round }) => round === pages[0].round); // of a longer round, some may be left
  }

  /**
   * The games of a tournament, or all if it has no name: first those that are being played, by their
   * tables, then those that are over, the latest first.
   *
   * @param {string} name
   * @param {{has(game: string): boolean}} known Which games are of interest.
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
        return this.#changed();
      case "missed": // who has left may be among it
        this.isWatching = false;
        void this.watch();
        return;
      case "player-state":
        this.bots[event.online ? "add" : "delete"](event.player);
        return this.#changed();
      case "standings":
      case "pairings": {
        const all = /** @type {Map<string, any[]>} */ (event.type === "standings" ? this.tournaments : this.pairings);
        const pages = [...(all.get(event.tournament) ?? [])];
        pages[event.page - 1] = event;
        all.set(event.tournament, pages);
        return this.#changed();
      }
      case "game-state":
        this.games.delete(event.table);
        this.games.set(event.table, event);
        if (this.#recalling && event.result) this.#recalled.add(event.table);
        this.#forget();
        return this.#changed(event.table);
    }
  }

  #forget() {
    const over = [...this.games.values()].filter(({ table, result }) => result && !this.#recalled.has(table));
    for (const { table } of over.slice(0, -FINISHED)) this.games.delete(table);
  }

  /** @param {string | null} table */
  #changed(table = null) {
    emit(this, "change", table);
  }
}

/** Who is there, in words, however many. @param {Iterable<string>} bots @param {string} nobody */
export function hereNow(bots, nobody) {
  const names = [...bots].sort();
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : "";
  return names.length ? `Here now: ${names.slice(0, SHOWN).join(", ")}${more}.` : nobody;
}
