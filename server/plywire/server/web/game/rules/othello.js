/** Othello: a move is the name of a square, a1 at the upper left, or a pass. */

import { Rules, RulesError, other } from "./rules.js";

/** @import { Position } from "./rules.js" */

const SIZE = 8;
const SQUARES = SIZE * SIZE;
const CENTRE = [[3, 3], [3, 4], [4, 3], [4, 4]];
const DIRECTIONS = [-1, 0, 1].flatMap((down) => [-1, 0, 1].map((right) => [down, right])).filter(([a, b]) => a || b);

export default class OthelloRules extends Rules {
  /** Raises RulesError. @param {number} width @param {number} height */
  constructor(width, height) {
    super(width, height);
    if (width !== SIZE || height !== SIZE) throw new RulesError("Othello has 8 × 8 squares.");
  }

  start() {
    const position = super.start();
    for (const [row, column] of CENTRE) position.rows[row][column] = row === column ? 2 : 1;
    return position;
  }

  /** @param {Position} position */
  check({ rows }) {
    if (CENTRE.some(([row, column]) => !rows[row][column])) {
      throw new RulesError("A square in the centre is empty: d4, e4, d5 and e5 always hold discs.");
    }
  }

  /** @param {Position} position */
  moves({ rows, turn }) {
    const own = placings(rows, turn);
    return own.length === 0 && placings(rows, other(turn)).length > 0 ? ["pass"] : own;
  }

  /** @param {Position} position @param {string} move */
  place({ rows, turn }, move) {
    if (move === "pass") return;
    const [row, column] = [Number(move[1]) - 1, move.charCodeAt(0) - 97];
    for (const [flippedRow, flippedColumn] of flips(rows, turn, row, column)) rows[flippedRow][flippedColumn] = turn;
    rows[row][column] = turn;
  }

  /** Squares that stay empty count for the winner. @param {Position} position @param {string[]} moves */
  result({ rows }, moves) {
    if (moves.length) return null;
    const [black, white] = [1, 2].map((player) => rows.flat().filter((piece) => piece === player).length);
    const reason = black + white === SQUARES ? "board full" : "no moves left";
    if (black === white) return { winner: null, score: 0, reason };
    return black > white
      ? { winner: /** @type {1} */ (1), score: SQUARES - 2 * white, reason }
      : { winner: /** @type {2} */ (2), score: 2 * black - SQUARES, reason };
  }
}

/** Where a player can place a disc. @param {number[][]} rows @param {1 | 2} player */
function placings(rows, player) {
  return rows.flatMap((line, row) =>
    line.flatMap((piece, column) =>
      !piece && flips(rows, player, row, column).length ? [`${String.fromCharCode(97 + column)}${row + 1}`] : [],
    ),
  );
}

/** The discs that a new disc encloses, by row and column. @param {number[][]} rows @param {1 | 2} player @param {number} row @param {number} column */
function flips(rows, player, row, column) {
  return outflanked(rows, player, row, column).flat();
}

/** The discs that a new disc encloses, by lines that begin next to the new disc. @param {number[][]} rows @param {1 | 2} player @param {number} row @param {number} column */
export function outflanked(rows, player, row, column) {
  return DIRECTIONS.map(([down, right]) => {
    const line = [];
    let [y, x] = [row + down, column + right];
    for (; rows[y]?.[x] === other(player); y += down, x += right) line.push([y, x]);
    return rows[y]?.[x] === player ? line : [];
  }).filter((line) => line.length);
}
