/** The games whose rules the page knows. For other games it asks the server. */

import Connect4Rules from "./rules/connect4.js";
import OthelloRules from "./rules/othello.js";
import TicTacToeRules from "./rules/tictactoe.js";

/**
 * @typedef {{name: string, title: string, players: [string, string], size: string}} Game Of the
 *   usual `size`, as `WIDTHxHEIGHT`.
 */

/** @type {Game[]} */
export const GAMES = [
  { name: "connect4", title: "Connect Four", players: ["Yellow", "Red"], size: "7x6" },
  { name: "othello", title: "Othello", players: ["Black", "White"], size: "8x8" },
  { name: "tictactoe", title: "Tic-Tac-Toe", players: ["X", "O"], size: "3x3" },
];

/** @type {Map<string, new (width: number, height: number) => import("./rules/rules.js").Rules>} */
const RULES = new Map([
  ["connect4", Connect4Rules],
  ["othello", OthelloRules],
  ["tictactoe", TicTacToeRules],
]);

/** The rules of a game, null if the page does not know them. Raises RulesError if there is no such size. @param {string} game @param {string} size */
export function rulesOf(game, size) {
  const known = RULES.get(game);
  if (!known) return null;
  const [width, height] = size.split("x").map(Number);
  return new known(width, height);
}
