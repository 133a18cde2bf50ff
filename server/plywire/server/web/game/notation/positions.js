/** Positions on a line: ours, those of cutechess, and board strings. */

import { tokens } from "./moves.js";
import { shorten } from "./source.js";

/** @import { Source } from "./source.js" */

/** The beginning of a line with a position string. */
export const HEAD = /(?:position +)?(?:startpos\b|fen +|\w*(?:\/\w*)+(?:\[\w*\])?(?= |\n|$))/iy;
/** Squares without spaces, at least as many as the smallest board has. */
export const CELLS = /([-.*xo_]{9,})(?= |\n|;|$)/iy;

const ROWS = /\w*(?:\/\w*)+(?:\[\w*\])?/y;
const WORDS = /(?:position +)?(?:fen +)?/iy;
const TURN = / +([xowb*])(?= |\n|;|$)/iy;
const SAID_TURN = / *([xo*])(?= |\n|;|$)/iy;
const MOVES = / +moves\b/i;
/** Text after a position that is no move: fields and operations of EPD, remarks, or a score. */
const BEHIND = /^(?: +-(?: |$)| *(?:[;%#]|$)| +[+-]?[0-9]+ *(?:;|$)| +(?:bm|am|id|ce|acd|acn|acs|dm|pv|hmvc|fmvn) )/;
const THEIRS = /^([0-9PpXxOo/]+)(?:\[\w*\])?(?: ([wbxo])(?: .*)?)?$/i;
/** The length of Othello's squares with the player to move after them, without a space. */
const GLUED = 65;

/** A position string or `startpos`, and the moves after it. @param {Source} source @param {number} at @param {boolean} joined @returns {import("./written.js").Read} */
export function readPosition(source, at, joined) {
  const { text } = source;
  const start = at;
  at += source.match(WORDS, at)?.[0].length ?? 0;
  const fenAt = at;
  let fen = null;
  const rows = source.match(ROWS, at);
  if (rows) {
    at += rows[0].length;
    const turn = source.match(TURN, at);
    if (turn) at += turn[0].length;
    fen = ofTheirs(turn ? `${rows[0]} ${turn[1]}` : rows[0]);
  } else if (text.slice(at, at + 8).toLowerCase() === "startpos") {
    at += 8;
  } else {
    throw source.error("unknown", at, `${shorten(text.slice(at))} is not understood: expected a position string or startpos`);
  }
  const rest = text.slice(at, source.lineEnd(at));
  const moves = MOVES.exec(rest);
  if (moves) at += moves.index + moves[0].length;
  else if (BEHIND.test(rest)) at += rest.length;
  const { words, end } = tokens(source, at, { joined });
  return [[{ at: start, end, words, fen, fenAt, hasScore: true }], end];
}

/** All squares from the upper left, the player to move, and what EPD says after them. @param {Source} source @param {number} at @returns {import("./written.js").Read} */
export function readCells(source, at) {
  const { text } = source;
  const start = at;
  const end = source.lineEnd(at);
  let cells = source.match(CELLS, at)?.[1] ?? "";
  let turn = "";
  at += cells.length;
  const said = source.match(SAID_TURN, at);
  if (said) {
    turn = said[1];
    at += said[0].length;
  } else if (cells.length === GLUED) {
    [cells, turn] = [cells.slice(0, -1), cells.slice(-1)];
  }
  const rest = text.slice(at, end);
  if (!BEHIND.test(rest)) {
    at += rest.length - rest.trimStart().length;
    throw source.error("unknown", at, `${shorten(rest.trim())} is not understood: expected x or o, who is to move, or ;`, end);
  }
  return [[{ at: start, end, fen: `=${ours(cells)} ${ours(turn)}`.trim(), fenAt: start }], end];
}

/** The position string of rows from the top; an empty `turn` is left out. @param {string[]} rows @param {string} turn */
export function ofRows(rows, turn) {
  return `${rows.map((row) => squeeze(ours(row))).join("/")} ${ours(turn)}`.trim();
}

/** A row with each run of empty squares as its length. @param {string} row */
export function squeeze(row) {
  return row.replace(/\.+/g, (run) => String(run.length));
}

/** @param {string} cells */
function ours(cells) {
  return cells.toLowerCase().replace(/\*/g, "x").replace(/[-_]/g, ".");
}

/** Our position string for one of cutechess, which has a pocket. Other strings stay. @param {string} text */
export function ofTheirs(text) {
  const [, rows, turn = ""] = THEIRS.exec(text.trim()) ?? [];
  if (!rows || !(/p/i.test(rows) || /^[wb]$/i.test(turn))) {
    return text.toLowerCase().replace(/\*/g, "x").split(/\s+/).filter(Boolean).join(" ");
  }
  const board = rows.replace(/P/g, "x").replace(/p/g, "o").toLowerCase();
  return turn ? `${board} ${/[wx]/i.test(turn) ? "x" : "o"}` : board;
}
