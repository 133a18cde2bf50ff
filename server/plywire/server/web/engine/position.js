/** Positions as the kernels have them: words, and numbers of squares. */

import { rulesOf } from "../game/games.js";
import { rowsOf } from "../game/rules/rules.js";
import { GAMES, PASS } from "./layout.js";
import { UnavailableError } from "./unavailable.js";

/**
 * @import { Line } from "../connection/remote-engine.js"
 * @import { GameLayout } from "./layout.js"
 */

/** @typedef {"connect4" | "othello" | "tictactoe"} GameName */

/** A position that a line of moves leads to. */
export class Position {
  /** The numbers of the legal moves, ascending. @type {number[]} */
  moves;
  /** Empty squares. */
  empty;
  isOver;
  /** The words of the kernels. @type {bigint} */
  own;
  /** @type {bigint} */
  other;
  /** @type {GameLayout} */
  layout;

  /** Raises RulesError, or UnavailableError if the engine does not know the game. @param {Line} line */
  constructor({ game, size, fen, moves }) {
    const layout = GAMES.get(game);
    const rules = rulesOf(game, size);
    if (!layout || !rules || layout.size !== size) {
      throw new UnavailableError("The page's engine knows the usual games and sizes only.");
    }
    const facts = moves.reduce((now, move) => rules.play(now, move), rules.parse(fen));
    const rows = rowsOf(facts.fen);
    this.layout = layout;
    this.isOver = facts.over;
    this.empty = rows.flat().filter((piece) => !piece).length;
    const [first, second] = [1, 2].map((player) =>
      rows.reduce(
        (word, row, y) => row.reduce((sum, piece, x) => (piece === player ? sum | bit(layout.grid[y][x]) : sum), word),
        0n,
      ),
    );
    [this.own, this.other] = facts.turn === 1 ? [first, second] : [second, first];
    if (layout.oneWord) {
      const { second: shift, firstMoves, isOn } = layout.oneWord;
      this.own = first | (second << BigInt(shift)) | (facts.turn === 1 ? firstMoves : 0n) | (facts.over ? 0n : isOn);
      this.other = 0n;
    }
    const taken = first | second;
    this.moves = facts.legal
      .map((name) => (name === layout.moves[PASS] ? PASS : layout.moves.findIndex((it, square) => it === name && !(taken & bit(square)))))
      .sort((a, b) => a - b);
  }
}

/** @param {number} square */
export function bit(square) {
  return 1n << BigInt(square);
}

/** The number of set bits. @param {bigint} word */
export function popcount(word) {
  let count = 0;
  for (; word; word &= word - 1n) count++;
  return count;
}
