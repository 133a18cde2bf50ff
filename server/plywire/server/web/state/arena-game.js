/** The game that the user plays in the arena. */

import { RefusedError } from "../connection/connection.js";
import { on, emit } from "../events.js";
import { QUICK, Review } from "../game/review.js";
import { Tree } from "../game/tree.js";
import { terms, worded } from "../game/times.js";

/**
 * @import { ArenaFeed, GameResult } from "../connection/arena-feed.js"
 * @import { ArenaSession } from "../connection/arena-session.js"
 *
 * @typedef {{table: string, game: string, size: string, player: 1 | 2, opponent: string,
 *   limits: import("../connection/connection.js").Limits, fen: string, moves: string[], away?: number}} Start A game
 *   that begins, as the server tells of it.
 */

/**
 * Tells `start` when a game begins or goes on, `change` when another position is to be shown, and
 * `tick` when only clocks or words changed.
 */
export class ArenaGame extends EventTarget {
  #session;
  #feed;
  /** @type {Start | null} */
  #start = null;
  /** The turn that waits for the user's move, null if none does. @type {number | null} */
  #turn = null;
  /** Whether the server has told of the game since it was there last: until then nobody may move. */
  #isSet = false;
  /** Until when the opponent may stay away, in ms; null where it is there. @type {number | null} */
  #awayUntil = null;
  /** @type {GameResult | null} */
  #result = null;
  /** The game, null where the user has none. @type {Tree | null} */
  tree = null;

  /**
   * @param {ArenaSession} session
   * @param {ArenaFeed} feed Tells the clocks.
   */
  constructor(session, feed) {
    super();
    this.#session = session;
    this.#feed = feed;
    on(session, "notice", (notice) => this.#hear(notice));
    on(session, "change", () => {
      if (session.isHere) return;
      this.#turn = null;
      this.#isSet = false;
    });
    on(feed, "change", (table) => {
      // Who was away for too long is not told how the game ended, but those who watch are.
      const state = table === this.#start?.table ? feed.games.get(table) : undefined;
      if (state?.result && !this.#result) this.#end(state.result);
      else if (state) this.#emit("tick");
    });
    setInterval(() => {
      if (this.isPlaying) this.#emit("tick");
    }, 250);
  }

  /** The table of the game. */
  get table() {
    return this.#start?.table ?? null;
  }

  get isOver() {
    return this.#result !== null;
  }

  /** How it ended, null if it goes on. */
  get result() {
    return this.#result;
  }

  /** Whether the user sits at a table where a game goes on. */
  get isPlaying() {
    return this.tree !== null && !this.isOver;
  }

  /** Whether the user may move now, in the position that is shown. */
  get mayMove() {
    const isAtEnd = this.tree?.current.children.length === 0;
    return this.#turn !== null && isAtEnd && this.#session.isHere;
  }

  /** Whether it is the user's turn. */
  get isTurn() {
    return this.#turn !== null;
  }

  /** Whether the game may be called off, by which nobody loses: before the user's first move. */
  get mayCallOff() {
    const hasMoved = this.#moves.length >= (this.#start?.player ?? 0);
    return this.isPlaying && !hasMoved && this.#state !== null && !this.#state.tournament;
  }

  /** Whom the user plays against, and how long both may think. */
  get title() {
    return this.#start ? `Against ${this.#start.opponent}, ${terms(this.#start.limits)}` : "";
  }

  /** What is played, and for how long both may think. */
  get terms() {
    const { game = "", size = "", limits = {} } = this.#start ?? {};
    return { game, size, limits };
  }

  /** The name of the user's opponent. */
  get opponent() {
    return this.#start?.opponent ?? "";
  }

  /** What is to be said of the game when it is over, null if it was not played. */
  get review() {
    if (this.#result?.termination === "abort" || !this.#moves.length) return null;
    return new Review(this.owners, { opening: 0, winner: this.#result?.winner, nodes: QUICK });
  }

  /** Who plays which side. @returns {[string, string]} */
  get owners() {
    const { player = 1, opponent = "" } = this.#start ?? {};
    return player === 1 ? ["you", opponent] : [opponent, "you"];
  }

  /** What the clocks show. @returns {[string, string] | null} */
  get clocks() {
    return this.#state && this.#feed.clocks(this.#state);
  }

  /** Who won, and how, null if it goes on. @returns {[string, string] | null} */
  get ending() {
    if (!this.#result) return null;
    const { winner, reason, termination } = this.#result;
    if (termination === "abort") return ["The game was called off", reason];
    const how = winner === undefined ? "A draw" : winner === this.#start?.player ? "You won" : "You lost";
    return [how, worded(reason)];
  }

  /** What to say of the game, empty where it is for the user to move. */
  get status() {
    if (!this.#start) return "";
    const { opponent } = this.#start;
    if (this.ending) return `${this.ending.join(": ")}.`;
    if (!this.#session.isHere) return "Connection lost: the clock runs on. Trying again…";
    if (!this.#isSet) return `The game goes on as soon as ${opponent} is back.`;
    if (this.mayMove) return "";
    if (this.#awayUntil !== null && !this.isTurn) {
      const seconds = Math.max(0, Math.ceil((this.#awayUntil - Date.now()) / 1000));
      return `${opponent} is away and loses unless back in ${seconds} s.`;
    }
    return this.isTurn ? "It is your turn: go to the last move." : `${opponent} is to move.`;
  }

  /** Play a move. Fails with RefusedError. @param {string} move */
  async play(move) {
    const turn = this.#turn;
    if (!this.#start || turn === null) return;
    this.#turn = null; // until that turn is told again, or the next
    this.tree?.play(move);
    try {
      await this.#session.ask({ type: "play", table: this.#start.table, turn, move });
    } catch (error) {
      const isStill = this.isPlaying && this.#moves.length === turn + 1;
      if (error instanceof RefusedError && isStill) {
        this.#turn = turn;
        this.tree?.remove(this.tree.end);
      }
      throw error;
    }
  }

  /** Give the game up, or call it off where that harms nobody. Fails with RefusedError. */
  async resign() {
    if (!this.#start || !this.isPlaying) return;
    const type = this.mayCallOff ? "abort" : "resign";
    await this.#session.ask({ type, table: this.#start.table });
  }

  /** Get up after the game. */
  leave() {
    if (this.isPlaying) return;
    this.#start = this.#result = this.tree = null;
    this.#emit("change");
  }

  get #moves() {
    return this.tree?.line(this.tree.end).moves ?? [];
  }

  get #state() {
    return (this.#start && this.#feed.games.get(this.#start.table)) ?? null;
  }

  /** @param {any} event */
  #hear(event) {
    if (event.type === "start") return this.#begin(event);
    if (event.table !== this.#start?.table) return;
    this.#awayUntil = null;
    switch (event.type) {
      case "turn":
        this.#turn = event.turn;
        return this.#advance(event.moves);
      case "played":
        return this.#advance([...this.#moves.slice(0, event.turn), event.move]);
      case "over":
        return this.#end(event);
    }
  }

  /** @param {Start} start */
  #begin(start) {
    this.#turn = null;
    this.#isSet = true;
    this.#awayUntil = start.away === undefined ? null : Date.now() + start.away;
    if (start.table === this.#start?.table) return this.#advance(start.moves);
    this.#start = start;
    this.#result = null;
    this.tree = new Tree(start);
    on(this.tree, "change", () => this.#emit("change"));
    this.#emit("start");
  }

  /** Take in the moves so far; who looks at the end sees the last. @param {string[]} moves */
  #advance(moves) {
    const { tree } = this;
    if (tree === null) return;
    const isAtEnd = tree.current.children.length === 0;
    const end = tree.lead(moves);
    end.children = []; // a move that never arrived
    if (isAtEnd && end !== tree.current) tree.go(end);
    else this.#emit("tick");
  }

  /** @param {GameResult} result */
  #end(result) {
    this.#result = result;
    this.#turn = null;
    this.#emit("change");
  }

  /** @param {string} type */
  #emit(type) {
    emit(this, type);
  }
}
