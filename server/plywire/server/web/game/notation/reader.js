/**
 * The one reader of games and positions: text in, games out. It is the twin of `plywire.clients.play.notation`,
 * and both are held to the same table of cases, `tests/clients/play/notation/cases.json`.
 */

import * as boards from "./boards.js";
import * as moves from "./moves.js";
import * as pgn from "./pgn.js";
import * as positions from "./positions.js";
import * as records from "./records.js";
import { replay } from "./replay.js";
import * as sgf from "./sgf.js";
import { MOST, NotationError, Source, shorten } from "./source.js";
import * as trees from "./trees.js";

/**
 * @import { Board, Found } from "./replay.js"
 *
 * @typedef {object} Notation One way to write games or positions.
 * @property {(source: Source, at: number) => unknown} begins Whether it begins at a place that is no white space.
 * @property {(source: Source, at: number, joined: boolean) => import("./written.js").Read} read What it makes
 *   of the block at a place; raises NotationError.
 * @property {boolean} [isLine] Whether one line is all that it needs.
 * @property {boolean} [holdsMany] Whether a text can hold many games, and bad ones are left out.
 */

/** What a text can be, for errors. */
const EXPECTED = "moves such as f5 d6 or 443, a position, a board, PGN, GGF, SGF or a record";

/** @type {Notation[]} */
const NOTATIONS = [
  { begins: (source, at) => source.match(moves.TAG, at), read: pgn.readPgn, holdsMany: true },
  { begins: (source, at) => source.match(records.HEAD, at), read: records.readRecords },
  { begins: (source, at) => source.match(trees.HEAD, at), read: sgf.readTreeOfGame, holdsMany: true },
  { begins: (source, at) => source.match(boards.CODINGAME, at), read: boards.readCodingame },
  { begins: boards.beginsBoard, read: boards.readBoard },
  { begins: (source, at) => source.match(positions.CELLS, at), read: positions.readCells, isLine: true },
  { begins: (source, at) => source.match(positions.HEAD, at), read: positions.readPosition, isLine: true },
  { begins: () => true, read: moves.readMoves, isLine: true },
];

/**
 * All games of a text. A line of moves is a game; if `joined`, lines of moves that follow each other are
 * one. In PGN, GGF, SGF or records, games that cannot be played are left out if others can. Raises
 * NotationError for all else that is not understood.
 *
 * @param {string} text @param {Board[]} on The first is tried first. @returns {Found[]}
 */
export function read(text, on, { joined = false } = {}) {
  /** @type {Found[]} */
  const games = [];
  /** @type {NotationError | null} */
  let first = null;
  for (const each of readEach(text, on, joined)) {
    if (!(each instanceof NotationError)) games.push(each);
    else if (each.canSkip) first ??= each;
    else throw each;
  }
  if (!games.length && first) throw first;
  return games;
}

/** Each game, or the error in its place. @param {string} text @param {Board[]} on @param {boolean} joined @returns {Generator<Found | NotationError>} */
function* readEach(text, on, joined) {
  if (text.length > MOST) {
    yield new NotationError("large", 1, 1, `over ${MOST} characters`);
    return;
  }
  const source = new Source(text);
  let isEmpty = true;
  for (let at = nextBlock(source, 0); at >= 0; at = nextBlock(source, at)) {
    const begun = at;
    const { read, isLine, holdsMany } = /** @type {Notation} */ (NOTATIONS.find((each) => each.begins(source, at)));
    /** @type {import("./written.js").Written[]} */
    let written = [];
    try {
      [written, at] = read(source, at, joined);
    } catch (error) {
      isEmpty = false;
      const told_ = told(source, error, begun, holdsMany ?? false);
      yield told_;
      at = Math.max(told_.at, begun + 1);
      if (isLine) at = source.lineEnd(at);
    }
    for (const each of written) {
      isEmpty = false;
      try {
        yield replay(source, each, on);
      } catch (error) {
        yield told(source, error, begun, each.isOneOfMany ?? false);
      }
    }
  }
  if (isEmpty) yield new NotationError("empty", 1, 1, `nothing to read: expected ${EXPECTED}`);
}

/** The error. At the beginning of a block it names all that can be read. @param {Source} source @param {unknown} error @param {number} begun @param {boolean} canSkip */
function told(source, error, begun, canSkip) {
  if (!(error instanceof NotationError)) throw error;
  const place = source.error("unknown", begun, "");
  const isFirst = error.kind === "unknown" && error.line === place.line && error.column === place.column;
  const word = source.text.slice(begun, source.lineEnd(begun));
  const all = `${shorten(word)} is not understood: expected ${EXPECTED}`;
  const found = isFirst ? source.error("unknown", begun, all, error.at) : error;
  found.canSkip = canSkip;
  return found;
}

/** Where the next block begins, after blank lines and remarks; -1 if there is none. @param {Source} source @param {number} at */
function nextBlock(source, at) {
  const { text } = source;
  while (at < text.length) {
    if (text[at] === " " || text[at] === "\n") at++;
    else if (text[at] === "#" || text[at] === "%") at = source.lineEnd(at);
    else return at;
  }
  return -1;
}
