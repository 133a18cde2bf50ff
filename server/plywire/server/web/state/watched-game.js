/** A game of the arena that is watched: live with its clocks, or over and reviewed. */

import { LostError } from "../connection/connection.js";
import { on, emit } from "../events.js";
import { note } from "../game/review.js";
import { clock } from "../game/times.js";
import { Tree } from "../game/tree.js";

/**
 * @typedef {import("../connection/arena-feed.js").ArenaFeed} ArenaFeed
 * @typedef {import("../connection/arena-feed.js").GameState} GameState
 * @typedef {import("../connection/remote-engine.js").RemoteEngine} RemoteEngine
 * @typedef {import("../game/games.js").Game} Game
 * @typedef {import("../connection/remote-engine.js").Reviewed} Reviewed
 * @typedef {import("../game/review.js").Note} Note
 * @typedef {import("../game/tree.js").Ply} Ply
 */

/** Tells `change` when another position is to be shown, `tick` when only clocks or notes changed. */
export class WatchedGame extends EventTarget {
  #feed;
  #engine;
  /** @type {Map<string, Game>} */
  #games = new Map();
  /** @type {GameState | null} */
  #state = null;
  /** The game that is watched. @type {Tree | null} */
  tree = null;
  /** What is said of its moves. @type {Map<Ply, Note>} */
  notes = new Map();
  /** How well the game was played, as far as it is reviewed. */
  verdict = "";
  #isShown = false;
  #review = 0;

  /**
   * @param {ArenaFeed} feed
   * @param {RemoteEngine} engine
   */
  constructor(feed, engine) {
    super();
    this.#engine = engine;
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
    if (this.#state?.result && this.notes.size === 0) this.#startReview();
  }

  /** Something else is shown. */
  leave() {
    this.#isShown = false;
    this.#review++;
  }

  /** The table of the game. */
  get table() {
    return this.#state?.table ?? null;
  }

  get isOver() {
    return !!this.#state?.result;
  }

  /** Whether the user may move: not in a game of others. */
  mayMove = false;

  /** The names of the players. @returns {[string, string]} */
  get owners() {
    return this.#state?.players ?? ["", ""];
  }

  /** What the clocks show. @returns {[string, string] | null} */
  get clocks() {
    const times = this.#state && this.#feed.clocks(this.#state);
    return times && [clock(times[0]), clock(times[1])];
  }

  /** What to say of the game. */
  get status() {
    if (!this.#state) return this.#feed.games.size ? "Choose a game to watch." : "Nothing to watch yet.";
    const names = this.#state.players.join(" – ");
    const { result } = this.#state;
    return result ? `${names}: ${outcome(this.#state)}, ${result.reason}.` : `Live: ${names}.`;
  }

  /** @param {string | null} table */
  #changed(table) {
    const state = table === null ? null : (this.#feed.games.get(table) ?? null);
    const isWaiting = this.tree === null && this.#isShown;
    if (state && isWaiting && !state.result && this.#games.has(state.game)) this.choose(state.table);
    else if (state && table === this.#state?.table) this.#advance(state);
  }

  /** Watch another game. @param {string} table */
  choose(table) {
    const state = this.#feed.games.get(table);
    if (!state) return;
    this.#review++;
    this.#state = state;
    this.notes = new Map();
    this.verdict = "";
    this.tree = new Tree(state);
    on(this.tree, "change", () => this.#emit("change"));
    this.#emit("change");
    if (state.result) this.#startReview();
  }

  /** Take in what happened in the game; who looks at its end sees it. @param {GameState} state */
  #advance(state) {
    const tree = this.tree;
    if (tree === null) return;
    this.#state = state;
    const isAtEnd = tree.current.children.length === 0;
    const end = tree.lead(state.moves);
    if (isAtEnd && end !== tree.current) tree.go(end);
    else this.#emit("change");
    if (state.result && this.#isShown) this.#startReview();
  }

  async #startReview() {
    const number = ++this.#review;
    const { tree } = this;
    const state = this.#state;
    if (tree === null || !state?.result || state.result.termination === "abort") return;
    const plies = [tree.root, ...tree.root.continuation];
    const { opening, result } = state;
    const all = plies.length - 1 - opening;
    if (all < 1) return;
    this.verdict = `Reviewing: 0 of ${all} moves.`;
    const judged = new Set();
    const game = { opening, winner: result.winner };
    /** @param {import("../connection/remote-engine.js").Judged} move */
    const hear = (move) => {
      if (number !== this.#review) return;
      const said = note(move, tree.game);
      if (said) this.notes = new Map([...this.notes, [plies[move.number], said]]);
      this.verdict = `Reviewing: ${judged.add(move.number).size} of ${all} moves.`;
      this.#emit("tick");
    };
    try {
      /** @type {Reviewed | null} */
      let reviewed = null;
      // It begins again where the page had to ask something else in between.
      while (reviewed === null && number === this.#review) {
        reviewed = await this.#engine.review(tree.line(tree.end), game, hear);
      }
      if (reviewed === null || number !== this.#review) return;
      this.verdict = verdict(state, reviewed);
      this.#emit("tick");
    } catch (error) {
      if (!(error instanceof LostError)) throw error;
    }
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

/**
 * @param {GameState} state
 * @param {Reviewed} reviewed
 */
function verdict(state, { players }) {
  const said = players.map(({ best, moves }, index) =>
    moves ? `${state.players[index]} played ${best} of ${moves} moves best` : "",
  );
  return said.some(Boolean) ? `${said.filter(Boolean).join(", ")}.` : "No move could be judged exactly.";
}
