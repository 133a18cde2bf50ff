/** A game of the arena that is watched: live with its clocks, or over and reviewed. */

import { LostError, RefusedError } from "../connection/connection.js";
import { on, emit } from "../events.js";
import { Review } from "../game/review.js";
import { worded } from "../game/times.js";
import { Tree } from "../game/tree.js";

/**
 * @import { ArenaFeed, GameState } from "../connection/arena-feed.js"
 * @import { Game } from "../game/games.js"
 */

/** Tells `change` when another position is to be shown, `tick` when only clocks changed. */
export class WatchedGame extends EventTarget {
  #feed;
  /** @type {Map<string, Game>} */
  #games = new Map();
  /** @type {GameState | null} */
  #state = null;
  /** The game that is watched. @type {Tree | null} */
  tree = null;
  #isShown = false;
  /** The game that is to be watched, and how many of its moves are to be shown, once it is told of; `isAsked` whether the server was asked for it. @type {{table: string, at: number | undefined, isAsked?: boolean, trouble?: string} | null} */
  #wanted = null;
  /** Whether the user chose the game, or none. */
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

  /** The arena is shown; watch it. @param {Map<string, Game>} games */
  enter(games) {
    this.#games = games;
    this.#isShown = true;
  }

  /** Something else is shown. */
  leave() {
    this.#isShown = false;
  }

  /** The table of the game. */
  get table() {
    return this.#wanted?.table ?? this.#state?.table ?? null;
  }

  get isOver() {
    return !!this.result;
  }

  /** How it ended, null if it goes on. */
  get result() {
    return this.#state?.result ?? null;
  }

  /** Who won, and how, null if it goes on. @returns {[string, string] | null} */
  get ending() {
    const { players, result } = this.#state ?? {};
    if (!players || !result) return null;
    return [result.winner ? `${players[result.winner - 1]} won` : "A draw", worded(result.reason)];
  }

  /** Whether the user may move: not in a game of others. */
  mayMove = false;

  /** The names of the players. @returns {[string, string]} */
  get owners() {
    return this.#state?.players ?? ["", ""];
  }

  /** What the clocks show. @returns {[string, string] | null} */
  get clocks() {
    return this.#state && this.#feed.clocks(this.#state);
  }

  /** What to say of the game. */
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
   * Watch a game as soon as it is told of, or none.
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

  /** Ask the server for the game that is to be watched, once. */
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

  /** Take in what happened in the game; who looks at its end sees it. @param {GameState} state */
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

/** How a game stands or ended. @param {GameState} state */
export function outcome({ moves, result }) {
  if (!result) return `move ${moves.length + 1}`;
  const points = result.winner === 1 ? "1–0" : result.winner === 2 ? "0–1" : "½–½";
  return result.termination === "normal" ? points : `${points}, ${result.termination}`;
}

/** Points as they are written: 2½. @param {number} points */
export function half(points) {
  const whole = Math.floor(points);
  return points === whole ? String(whole) : `${whole || ""}½`;
}

/** What is to be said of a game that was played to its end. @param {GameState} state */
function reviewOf({ players, moves, opening, result }) {
  const isPlayed = result && result.termination !== "abort" && moves.length > opening;
  return isPlayed ? new Review(players, { opening, winner: result.winner }) : null;
}
