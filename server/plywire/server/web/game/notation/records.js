/** Games in JSON: records of ours, Kaggle's ConnectX, and Botzone's Reversi. */

import { ofRows } from "./positions.js";
import { shorten } from "./source.js";
import { MOST_WORDS, ourName } from "./written.js";

/**
 * @import { Source } from "./source.js"
 * @import { Read, Written } from "./written.js"
 */

/** Where an object or an array begins. */
export const HEAD = /\{[ \n]*["}]|\[/y;

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|"|[{}[\]]/gs;
/** The most levels of objects in a record. */
const DEEPEST = 64;
const EXPECTED = "expected a record of a game, of Plywire, Kaggle's ConnectX or Botzone";

/** The games of the object or the array that begins here. @param {Source} source @param {number} at @returns {Read} */
export function readRecords(source, at) {
  const end = endOf(source, at);
  const text = source.text.slice(at, end);
  /** @type {unknown} */
  let said;
  try {
    said = JSON.parse(text);
  } catch {
    throw source.error("format", at, `no JSON: ${EXPECTED}`, end);
  }
  const games = (Array.isArray(said) ? said : [said]).map((item) => {
    const written = item !== null && typeof item === "object" && !Array.isArray(item) ? game(source, item, at, end) : null;
    if (!written) throw source.error("format", at, `${shorten(text)} is no game: ${EXPECTED}`, end);
    return written;
  });
  if (!games.length) throw source.error("empty", at, `no game: ${EXPECTED}`, end);
  return [games, end];
}

/** Where the first bracket is closed. @param {Source} source @param {number} at */
function endOf(source, at) {
  let depth = 0;
  TOKEN.lastIndex = at;
  for (let found; (found = TOKEN.exec(source.text)); ) {
    const [sign] = found;
    if (sign === '"') break;
    if ("{[".includes(sign)) depth++;
    if ("}]".includes(sign)) depth--;
    if (depth === 0) return TOKEN.lastIndex;
    if (depth > DEEPEST) {
      throw source.error("large", at, `over ${DEEPEST} levels: ${EXPECTED}`, source.lineEnd(TOKEN.lastIndex));
    }
  }
  throw source.error("format", at, `JSON without its end: ${EXPECTED}`, source.text.length);
}

/** The game of an object, null if it is no game. @param {Source} source @param {any} item @param {number} at @param {number} end @returns {Written | null} */
function game(source, item, at, end) {
  if (typeof item.game === "string" && "moves" in item) return ours(item, at, end);
  if (Array.isArray(item.steps)) return kaggle(source, item, at, end);
  if (Array.isArray(item.board) && "mark" in item) return kaggleBoard(item, at, end);
  if (Array.isArray(item.requests)) return botzone(item.requests, item.responses ?? [], at, end);
  if (Array.isArray(item.log)) return othello(logged(item.log), at, end);
  return null;
}

/** @param {any} item @param {number} at @param {number} end @returns {Written | null} */
function ours({ game, size = null, fen = null, moves }, at, end) {
  const areMoves = Array.isArray(moves) && moves.every((move) => typeof move === "string");
  if (!areMoves || ![size, fen].every((value) => value === null || typeof value === "string")) return null;
  const words = moves.slice(0, MOST_WORDS + 1).map((text) => ({ text, at, isWhole: true }));
  return { at, end, words, game: ourName(game), size, fen, fenAt: at, isOneOfMany: true };
}

/** The steps of an episode. In each step after the first, the two agents act in turn. @param {Source} source @param {any} item @param {number} at @param {number} end @returns {Written | null} */
function kaggle(source, item, at, end) {
  const { columns = 7, rows = 6, inarow = 4 } = item.configuration ?? {};
  if (inarow !== 4) throw source.error("game", at, "ConnectX of another length than four in a row", end);
  const words = [];
  for (const [number, step] of item.steps.slice(1, MOST_WORDS + 1).entries()) {
    const agent = Array.isArray(step) && step.length === 2 ? step[number % 2] : null;
    if (agent === null || typeof agent !== "object") return null;
    const { action = null } = agent;
    if (action === null) break;
    if (!Number.isInteger(action) || action < 0) return null;
    words.push({ text: String(action + 1), at, player: /** @type {1 | 2} */ ((number % 2) + 1), isWhole: true });
  }
  return { at, end, words, game: "connect4", size: `${columns}x${rows}` };
}

/** An observation: the squares from the upper left, and the player to move, 1 or 2. @param {any} item @param {number} at @param {number} end @returns {Written | null} */
function kaggleBoard({ board, mark }, at, end) {
  if (board.length !== 42 || ![1, 2].includes(mark) || !board.every((/** @type {any} */ cell) => [0, 1, 2].includes(cell))) return null;
  const text = board.map((/** @type {number} */ cell) => ".xo"[cell]).join("");
  const rows = Array.from({ length: 6 }, (_, row) => text.slice(7 * row, 7 * row + 7));
  return { at, end, game: "connect4", size: "7x6", fen: ofRows(rows, "xo"[mark - 1]), fenAt: at };
}

/** The opponent's moves and ours, in turn. If we begin, the first request is no move. @param {any[]} asked @param {any} answered @param {number} at @param {number} end */
function botzone(asked, answered, at, end) {
  if (!Array.isArray(answered) || !asked.length || asked.length > MOST_WORDS) return null;
  const begins = square(asked[0]) === "pass";
  const moves = asked.flatMap((request, number) => [
    ...(number || !begins ? [square(request)] : []),
    ...(number < answered.length ? [square(answered[number])] : []),
  ]);
  return othello(moves, at, end);
}

/** The answers of the players in the log of a match, which has the judge's requests between them. @param {any[]} log */
function logged(log) {
  const answers = log.slice(0, 2 * MOST_WORDS).flatMap((entry) => [entry?.["0"], entry?.["1"]]);
  return answers.filter((said) => said !== null && typeof said === "object" && "response" in said).map((said) => square(said.response));
}

/** @param {(string | null)[]} moves @param {number} at @param {number} end @returns {Written | null} */
function othello(moves, at, end) {
  if (moves.includes(null)) return null;
  return { at, end, words: moves.map((text) => ({ text: String(text), at, isWhole: true })), game: "othello" };
}

/** The name of `{"x": 2, "y": 3}`, a pass if both are -1; null if it is neither. @param {any} said */
function square(said) {
  const { x, y } = said ?? {};
  if (!Number.isInteger(x) || !Number.isInteger(y)) return null;
  if (x === -1 && y === -1) return "pass";
  return x >= 0 && x < 8 && y >= 0 && y < 8 ? `${"abcdefgh"[x]}${y + 1}` : null;
}
