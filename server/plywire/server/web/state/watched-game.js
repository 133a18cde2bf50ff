/** The game of others that the user watches. */

import { LostError, RefusedError } from "../connection/connection.js";
import { on, emit } from "../events.js";
import { Review } from "../game/review.js";
import { worded } from "../game/times.js";
import { Tree } from "../game/tree.js";

/**
 * @import { ArenaFeed, GameState } from "../connection/arena-feed.js"
 * @import { Game } from "../game/games.js"
 */

/** Emits `change` when another position is to be shown, `tick` when only clocks changed. */
export class WatchedGame extends EventTarget {
  #feed;
  /** @type {Map<string, Game>} */
  #games = new Map();
  /** @type {GameState | null} */
  #state = null;
  /** @type {Tree | null} */
  tree = null;
  #isShown = false;
  /** A game that the feed does not have yet, after how many moves to show it, whether the server was asked for it, and why it refused. @type {{table: string, at: number | undefined, isAsked?: boolean, trouble?: string} | null} */
  #wanted = null;
  /** Whether the user chose which game to watch. */
  isChosen = false;

  /** @param {ArenaFeed} feed */
  constructor(feed) {
    super();
    this.#feed = feed;
    on(this.#feed, "change", (table) => this.#changed(table));
    setInterval(() => {
      if (this.#isShown && this.#state && !this.#state.result) this.#emit("tick");
    }, 250);
  }

  /** Show the watched game. @param {Map<string, Game>} games */
  enter(games) {
    this.#games = games;
    this.#isShown = true;
  }

  /** Leave the watched game, as something else is shown. */
  leave() {
    this.#isShown = false;
  }

  get table() {
    return this.#wanted?.table ?? this.#state?.table ?? null;
  }

  get isOver() {
    return !!this.result;
  }

  get result() {
    return this.#state?.result ?? null;
  }

  /** Who won, and how; null while the game goes on. @returns {[string, string] | null} */
  get ending() {
    const { players, result } = this.#state ?? {};
    if (!players || !result) return null;
    return [result.winner ? `${players[result.winner - 1]} won` : "A draw", worded(result.reason)];
  }

  /** The user never moves in a game of others. */
  mayMove = false;

  /** @returns {[string, string]} */
  get owners() {
    return this.#state?.players ?? ["", ""];
  }

  /** @returns {[string, string] | null} */
  get clocks() {
    return this.#state && this.#feed.clocks(this.#state);
  }

  /** The text below the board. */
  get status() {
    if (this.#wanted) return this.#wanted.trouble ?? `Looking for game ${this.#wanted.table}…`;
    if (!this.#state) return this.#feed.games.size ? "Choose a game to watch." : "Nothing to watch yet.";
    const names = this.#state.players.join(" – ");
    const { result } = this.#state;
    return result ? `${names}: ${outcome(this.#state)}, ${worded(result.reason)}.` : `Live: ${names}.`;
  }

  /** @param {string | null} table */
  #changed(table) {
    if (table === null) this.#recall();
    const state = table === null ? null : (this.#feed.games.get(table) ?? null);
    if (!state || !this.#games.has(state.game)) return;
    const isIdle = this.tree === null && this.#isShown && !this.isChosen;
    if (state.table === this.#wanted?.table) this.choose(state.table, this.#wanted.at);
    else if (isIdle && !state.result) this.#turnTo(state);
    else if (table === this.#state?.table) this.#advance(state);
  }

  /**
   * Watch a game as soon as the feed has it, or none.
   *
   * @param {string | null} table
   * @param {number} [at] How many moves to show, all unless given.
   */
  choose(table, at) {
    this.isChosen = true;
    this.tree = this.#state = null;
    const state = this.#feed.games.get(table ?? "");
    this.#wanted = table !== null && !state ? { table, at } : null;
    if (state) this.#turnTo(state, at);
    else this.#recall();
  }

  /** Ask the server once for the game that the user wants to watch. */
  async #recall() {
    const wanted = this.#wanted;
    if (!wanted || wanted.isAsked) return;
    wanted.isAsked = true;
    try {
      await this.#feed.recall(wanted.table);
    } catch (error) {
      if (error instanceof RefusedError) wanted.trouble = error.message;
      else if (error instanceof LostError) wanted.isAsked = false;
      else throw error;
      this.#emit("change");
    }
  }

  /** @param {GameState} state @param {number} [at] */
  #turnTo(state, at = state.moves.length) {
    this.#state = state;
    this.tree = new Tree(state);
    this.tree.review = reviewOf(state);
    this.tree.current = this.tree.end.path[at] ?? this.tree.end;
    on(this.tree, "change", () => this.#emit("change"));
    this.#emit("change");
  }

  /** Add what happened in the game. If the user looks at the last position, show the new one. @param {GameState} state */
  #advance(state) {
    const tree = this.tree;
    if (tree === null) return;
    this.#state = state;
    const isAtEnd = tree.current.children.length === 0;
    const end = tree.lead(state.moves);
    tree.review ??= reviewOf(state);
    if (isAtEnd && end !== tree.current) tree.go(end);
    else this.#emit("change");
  }

  /** @param {string} type */
  #emit(type) {
    if (this.#isShown) emit(this, type);
  }
}

/** The state of a game in a few words. @param {GameState} state */
export function outcome({ moves, result }) {
  if (!result) return `move ${moves.length + 1}`;
  const points = result.winner === 1 ? "1–0" : result.winner === 2 ? "0–1" : "½–½";
  return result.termination === "normal" ? points : `${points}, ${result.termination}`;
}

/** Points with a half as a fraction: 2½. @param {number} points */
export function half(points) {
  const whole = Math.floor(points);
  return points === whole ? String(whole) : `${whole || ""}½`;
}

/** A review of a finished game; null if it goes on, was aborted, or nobody moved. @param {GameState} state */
function reviewOf({ players, moves, opening, result }) {
  const isPlayed = result && result.termination !== "abort" && moves.length > opening;
  return isPlayed ? new Review(players, { opening, winner: result.winner }) : null;
}
