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
 *   that begins.
 */

/** Emits `start` when a game begins, `change` when another position is to be shown, `tick` when only clocks or texts changed. */
export class ArenaGame extends EventTarget {
  #session;
  #feed;
  /** @type {Start | null} */
  #start = null;
  /** The number of the turn that waits for the user's move, null if none does. @type {number | null} */
  #turn = null;
  /** Whether the server has sent the game since the last loss of the connection. Before that, nobody may move. */
  #isSet = false;
  /** When the opponent loses by absence, in ms; null while the opponent is here. @type {number | null} */
  #awayUntil = null;
  /** How the game ended, null while it goes on. @type {GameResult | null} */
  result = null;
  /** @type {Tree | null} */
  tree = null;

  /** @param {ArenaSession} session @param {ArenaFeed} feed */
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
      // A player who was away for too long gets the end of the game from the feed only.
      const state = table === this.#start?.table ? feed.games.get(table) : undefined;
      if (state?.result && !this.result) this.#end(state.result);
      else if (state) emit(this, "tick");
    });
    setInterval(() => {
      if (this.isPlaying) emit(this, "tick");
    }, 250);
  }

  get table() {
    return this.#start?.table ?? null;
  }

  get isOver() {
    return this.result !== null;
  }

  /** Whether the user's game goes on. */
  get isPlaying() {
    return this.tree !== null && !this.isOver;
  }

  /** Whether the user may move in the position that is shown. */
  get mayMove() {
    const isAtEnd = this.tree?.current.children.length === 0;
    return this.#turn !== null && isAtEnd && this.#session.isHere;
  }

  get isTurn() {
    return this.#turn !== null;
  }

  /** Whether the user may end the game without a loser: before the user's first move. */
  get mayCallOff() {
    const hasMoved = this.#moves.length >= (this.#start?.player ?? 0);
    return this.isPlaying && !hasMoved && this.#state !== null && !this.#state.tournament;
  }

  get title() {
    return this.#start ? `Against ${this.#start.opponent}, ${terms(this.#start.limits)}` : "";
  }

  get terms() {
    const { game = "", size = "", limits = {} } = this.#start ?? {};
    return { game, size, limits };
  }

  get opponent() {
    return this.#start?.opponent ?? "";
  }

  /** A review of the finished game, null if nobody moved. */
  get review() {
    if (this.result?.termination === "abort" || !this.#moves.length) return null;
    return new Review(this.owners, { opening: 0, winner: this.result?.winner, nodes: QUICK });
  }

  /** The names of the players, `you` and `engine` included; empty where nobody is known. @returns {[string, string]} */
  get owners() {
    const { player = 1, opponent = "" } = this.#start ?? {};
    return player === 1 ? ["you", opponent] : [opponent, "you"];
  }

  /** @returns {[string, string] | null} */
  get clocks() {
    return this.#state && this.#feed.clocks(this.#state);
  }

  /** Who won, and how; null while the game goes on. @returns {[string, string] | null} */
  get ending() {
    if (!this.result) return null;
    const { winner, reason, termination } = this.result;
    if (termination === "abort") return ["The game was called off", reason];
    const how = winner === undefined ? "A draw" : winner === this.#start?.player ? "You won" : "You lost";
    return [how, worded(reason)];
  }

  /** The text below the board, empty if the user is to move. */
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
    this.#turn = null; // until the server sends a turn
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

  /** Resign, or call the game off while that is allowed. Fails with RefusedError. */
  async resign() {
    if (!this.#start || !this.isPlaying) return;
    const type = this.mayCallOff ? "abort" : "resign";
    await this.#session.ask({ type, table: this.#start.table });
  }

  /** Leave the table after the game. */
  leave() {
    if (this.isPlaying) return;
    this.#start = this.result = this.tree = null;
    emit(this, "change");
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
    this.result = null;
    this.tree = new Tree(start);
    on(this.tree, "change", () => emit(this, "change"));
    emit(this, "start");
  }

  /** Add the moves that were played. If the user looks at the last position, show the new one. @param {string[]} moves */
  #advance(moves) {
    const { tree } = this;
    if (tree === null) return;
    const isAtEnd = tree.current.children.length === 0;
    const end = tree.lead(moves);
    end.children = []; // a move that never arrived
    if (isAtEnd && end !== tree.current) tree.go(end);
    else emit(this, "tick");
  }

  /** @param {GameResult} result */
  #end(result) {
    this.result = result;
    this.#turn = null;
    emit(this, "change");
  }
}
