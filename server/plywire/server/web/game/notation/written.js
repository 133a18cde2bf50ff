/** A game as a notation writes it, before the rules check it. */

/** The most moves of a game. */
export const MOST_WORDS = 1000;

/**
 * @typedef {{text: string, at: number, player?: 1 | 2, isWhole?: boolean}} Word Moves as they were written,
 *   and where; who is said to make them, and whether it is one move, however it is written.
 * @typedef {object} Written A game or a position.
 * @property {number} at Where it begins.
 * @property {number} end
 * @property {Word[]} [words]
 * @property {string | null} [game] Our name of the game, null if the text does not say it.
 * @property {string | null} [size]
 * @property {string | null} [fen] The position string, perhaps without the player to move.
 * @property {number} [fenAt]
 * @property {boolean} [hasScore] Whether a number behind the moves may be a score.
 * @property {boolean} [isOneOfMany] Whether a text can hold many games, and bad ones are left out.
 *
 * @typedef {[Written[], number]} Read What a notation makes of a text at a place, and where it ends.
 */

/** @type {Map<string, string>} */
const OURS = new Map([
  ["reversi", "othello"],
  ["cfour", "connect4"],
  ["connectfour", "connect4"],
  ["connectx", "connect4"],
  ["fourinarow", "connect4"],
  ["noughtsandcrosses", "tictactoe"],
  ["tictactoe", "tictactoe"],
]);

/** Our name of a game for any of its names. @param {string} name */
export function ourName(name) {
  return OURS.get(name.toLowerCase().replace(/[^a-z0-9]/g, "")) ?? name.toLowerCase();
}
