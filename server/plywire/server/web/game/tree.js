/** The game: a tree of moves, and the position in it that is shown. */

import { emit } from "../events.js";
import { rulesOf } from "./games.js";
import { RulesError } from "./rules/rules.js";

/**
 * @import { Line } from "../connection/remote-engine.js"
 * @import { Facts } from "./rules/rules.js"
 *
 * @typedef {{value: number, text: string, isProven: boolean, score?: import("../connection/connection.js").Score, best?: string,
 *   only?: string | null, discs?: number}} Evaluation From -1 to 1 for the first player, and in words; as the
 *   engine wrote it; the best move; the one that no other comes near, null if there is none, absent as long as
 *   they are not compared; discs, where the game counts them.
 */

/** A position, by the move that led there. */
export class Ply {
  /** @type {Ply[]} The first is the main line. */
  children = [];
  /** Null until the server has sent them, if the page does not know the rules. @type {Facts | null} */
  facts = null;
  /** @type {Evaluation | null} */
  evaluation = null;
  /** Whether the server found the move without its engine. */
  isWeak = false;
  /** What a review says of the move. @type {import("./review.js").Note | null} */
  note = null;

  /** @param {Ply | null} parent @param {string} move */
  constructor(parent, move) {
    this.parent = parent;
    this.move = move;
  }

  /** How many moves led here. @returns {number} */
  get number() {
    return this.parent ? this.parent.number + 1 : 0;
  }

  /** From the root to here. @returns {Ply[]} */
  get path() {
    return this.parent ? [...this.parent.path, this] : [this];
  }

  /** From here on, along the main line. @returns {Ply[]} */
  get continuation() {
    const plies = [];
    for (let ply = this.children[0]; ply; ply = ply.children[0]) plies.push(ply);
    return plies;
  }
}

/** Emits `change` when another position is shown. If the page knows the rules, it raises at illegal moves. */
export class Tree extends EventTarget {
  /**
   * Raises RulesError if there is no such size, no such position, or a move cannot be played.
   *
   * @param {{game: string, size: string, fen?: string | null, moves?: string[]}} start
   */
  constructor({ game, size, fen = null, moves = [] }) {
    super();
    this.game = game;
    this.size = size;
    this.rules = rulesOf(game, size);
    /** The position string of the start, null for the game's own start. */
    this.fen = fen === this.rules?.parse(null).fen ? null : fen;
    this.root = new Ply(null, "");
    this.root.facts = this.rules?.parse(fen) ?? null;
    this.current = this.root;
    /** The review of the game, if there is one. @type {import("./review.js").Review | null} */
    this.review = null;
    /** The lesson: after how many moves the user is to find a better one, and which one it is. @type {{at: number, better: string} | null} */
    this.lesson = null;
    /** A number that grows with each change of the tree or of the position that is shown. */
    this.version = 0;
    this.current = this.lead(moves);
  }

  /** The player to move at the start. @returns {1 | 2} */
  get firstTurn() {
    return this.fen?.trim().endsWith("o") ? 2 : 1;
  }

  /** The player to move. A pass is a turn, too. @param {Ply} ply @returns {1 | 2} */
  turn(ply) {
    return (this.firstTurn + ply.number) % 2 ? 1 : 2;
  }

  /** The line that leads to a position. @param {Ply} ply @returns {Line} */
  line(ply) {
    const moves = ply.path.slice(1).map(({ move }) => move);
    return { game: this.game, size: this.size, fen: this.fen, moves };
  }

  /** The line that is shown: to the current position, and on along the first moves. @returns {Ply[]} */
  get shown() {
    return [...this.current.path, ...this.current.continuation];
  }

  /** The last position of the main line. @returns {Ply} */
  get end() {
    return this.root.continuation.at(-1) ?? this.root;
  }

  /** The moves of the line that is shown. */
  get moves() {
    return this.shown.slice(1).map(({ move }) => move);
  }

  /** Play a move, on the main line if there is none yet. @param {string} move @param {boolean} [isWeak] */
  play(move, isWeak = false) {
    const ply = this.#child(this.current, move);
    ply.isWeak = isWeak;
    this.go(ply);
  }

  /** Add moves from the start, and return the last position. Raises RulesError at an illegal move. @param {string[]} moves */
  lead(moves) {
    let ply = this.root;
    for (const move of moves) ply = this.#child(ply, move);
    return ply;
  }

  /** @param {Ply} ply @param {import("./review.js").Note} note */
  annotate(ply, note) {
    ply.note = note;
    this.version++;
  }

  /** @param {Ply} ply */
  go(ply) {
    this.current = ply;
    this.version++;
    emit(this, "change");
  }

  /** Go forward by a number of plies, or back if it is negative, as far as the line reaches. @param {number} by */
  step(by) {
    const shown = this.shown;
    const index = Math.max(0, Math.min(shown.length - 1, this.current.number + by));
    if (shown[index] !== this.current) this.go(shown[index]);
  }

  /** Remove a move and all that follow it. @param {Ply} ply */
  remove(ply) {
    if (!ply.parent) return;
    ply.parent.children = ply.parent.children.filter((child) => child !== ply);
    this.go(ply.parent);
  }

  /** @param {Ply} ply @param {string} move */
  #child(ply, move) {
    let child = ply.children.find((known) => known.move === move);
    if (child) return child;
    if (ply.facts && !ply.facts.legal.includes(move)) {
      throw new RulesError(`Move ${ply.number + 1}, “${move}”, cannot be played.`);
    }
    ply.children.push((child = new Ply(ply, move)));
    if (ply.facts) child.facts = this.rules?.play(ply.facts, move) ?? null;
    this.version++;
    return child;
  }
}
