/** Tic-Tac-Toe: a move is the name of a square, a1 at the lower left. */

import { RulesError } from "./rules.js";
import { RowRules } from "./rows.js";

/** @import { Position } from "./rules.js" */

const SIZE = 3;

export default class TicTacToeRules extends RowRules {
  length = SIZE;
  reason = "three in a row";

  /** Raises RulesError. @param {number} width @param {number} height */
  constructor(width, height) {
    super(width, height);
    if (width !== SIZE || height !== SIZE) throw new RulesError("Tic-Tac-Toe has 3 × 3 squares.");
  }

  /** @param {Position} position */
  moves({ rows }) {
    const names = ["1", "2", "3"].flatMap((rank) => ["a", "b", "c"].map((file) => file + rank));
    return names.filter((name) => rows[SIZE - Number(name[1])]["abc".indexOf(name[0])] === 0);
  }

  /** @param {Position} position @param {string} move */
  place({ rows, turn }, move) {
    rows[SIZE - Number(move[1])]["abc".indexOf(move[0])] = turn;
  }
}
