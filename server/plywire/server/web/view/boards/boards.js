/** The board of each game. */

import Connect4Board from "./connect4.js";
import GridBoard from "./grid.js";
import OthelloBoard from "./othello.js";
import TicTacToeBoard from "./tictactoe.js";

/** Games that have a board of their own. @type {Map<string, typeof import("./board.js").Board>} */
const BOARDS = new Map([
  ["connect4", Connect4Board],
  ["othello", OthelloBoard],
  ["tictactoe", TicTacToeBoard],
]);

/**
 * A new board in a host.
 *
 * @param {import("../../game/games.js").Game} game
 * @param {string} size WIDTHxHEIGHT
 * @param {HTMLElement} host
 * @param {(move: string) => void} [play] What a click on a move does.
 */
export function boardOf({ name, players }, size, host, play = () => {}) {
  const [width, height] = size.split("x").map(Number);
  const board = new (BOARDS.get(name) ?? GridBoard)(host, { width, height, players, play });
  host.dataset.game = name;
  board.build();
  return board;
}
