/** The game: a tree of moves with branches, and where in it we are. */

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
  /** @type {Facts | null} Where the page does not know the rules, null until the server told them. */
  facts = null;
  /** @type {Evaluation | null} */
  evaluation = null;
  /** Whether something weaker than the engine found the move, in the engine's place. */
  isWeak = false;
  /** What a review says of the move. @type {import("./review.js").Note | null} */
  note = null;

  /**
   * @param {Ply | null} parent
   * @param {string} move
   */
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

/**
 * Tells `change` whenever another position is shown or a move came or went. Where the page knows the
 * rules, no illegal move gets in.
 */
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
    /** Where it starts; null is the game's own start. */
    this.fen = fen === this.rules?.parse(null).fen ? null : fen;
    this.root = new Ply(null, "");
    this.root.facts = this.rules?.parse(fen) ?? null;
    this.current = this.root;
    /** What is to be said of the game, null as long as it is not to be reviewed. @type {import("./review.js").Review | null} */
    this.review = null;
    /** After how many moves a better one is to be found than was played, and which. @type {{at: number, better: string} | null} */
    this.lesson = null;
    /** Another number whenever the tree or the position that is shown is another. */
    this.version = 0;
    this.current = this.lead(moves);
  }

  /** The player to move at the start. @returns {1 | 2} */
  get firstTurn() {
    return this.fen?.trim().endsWith("o") ? 2 : 1;
  }

  /** Whose turn it is; players take turns, a pass being one. @param {Ply} ply @returns {1 | 2} */
  turn(ply) {
    return (this.firstTurn + ply.number) % 2 ? 1 : 2;
  }

  /** The line that leads to a position. @param {Ply} ply @returns {Line} */
  line(ply) {
    const moves = ply.path.slice(1).map(({ move }) => move);
    return { game: this.game, size: this.size, fen: this.fen, moves };
  }

  /** The whole line that is shown: to the current position and on. @returns {Ply[]} */
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

  /**
   * Have the main line go on with these moves from the start; its last position comes back. Raises
   * RulesError at a move that cannot be played, after those before it.
   *
   * @param {string[]} moves
   */
  lead(moves) {
    let ply = this.root;
    for (const move of moves) ply = this.#child(ply, move);
    return ply;
  }

  /** Say something of a move. @param {Ply} ply @param {import("./review.js").Note} note */
  annotate(ply, note) {
    ply.note = note;
    this.version++;
  }

  /** @param {Ply} ply */
  go(ply) {
    this.current = ply;
    this.#changed();
  }

  /** Go that many plies forward, or back if negative, as far as there are any. @param {number} by */
  step(by) {
    const shown = this.shown;
    const index = Math.max(0, Math.min(shown.length - 1, this.current.number + by));
    if (shown[index] !== this.current) this.go(shown[index]);
  }

  /** Take back a move with all that follows. @param {Ply} ply */
  remove(ply) {
    if (!ply.parent) return;
    ply.parent.children = ply.parent.children.filter((child) => child !== ply);
    this.go(ply.parent);
  }

  /**
   * @param {Ply} ply
   * @param {string} move
   */
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

  #changed() {
    this.version++;
    emit(this, "change");
  }
}
