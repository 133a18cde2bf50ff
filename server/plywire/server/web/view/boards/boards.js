/** The board of each game. */

import Connect4Board from "./connect4.js";
import OthelloBoard from "./othello.js";
import TicTacToeBoard from "./tictactoe.js";

/** @type {Record<string, typeof import("./board.js").Board>} */
const BOARDS = { connect4: Connect4Board, othello: OthelloBoard, tictactoe: TicTacToeBoard };

/** Whether the page can draw a game. @param {import("../../connection/remote-engine.js").Game} game */
export function hasBoard({ name }) {
  return name in BOARDS;
}

/**
 * A new board in a host.
 *
 * @param {import("../../connection/remote-engine.js").Game} game
 * @param {string} size WIDTHxHEIGHT
 * @param {HTMLElement} host
 */
export function boardOf({ name, players }, size, host) {
  const [width, height] = size.split("x").map(Number);
  const board = new BOARDS[name](host, { width, height, players });
  host.dataset.game = name;
  board.build();
  return board;
}
