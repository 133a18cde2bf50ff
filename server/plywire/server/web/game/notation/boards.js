/** Boards drawn in lines: ours, those of GGS, rows of squares, and CodinGame's input. */

import { rulesOf } from "../games.js";
import { ofRows } from "./positions.js";
import { shorten } from "./source.js";

/** @import { Source } from "./source.js" */

/** The beginning of CodinGame's input: the player's number, and the size. */
export const CODINGAME = /[01] *\n *8 *\n *[01.]{8} *(?=\n)/y;

const ROW = /^[| ]*(?:[0-9]{1,2}[| ]+)?((?:[-.*xo_][| ]*){3,12})(?:[0-9]{1,2})?[| ]*$/i;
const BORDER = /^(?:[| ]*[-=]*\+[-+= ]*[| ]*|[| ]*={3,}[| ]*)$/;
const NAMES = /^[| ]*(?:a(?: +[b-l])+|1(?: +[0-9]{1,2})+)[| ]*$/i;
const TURN = /^[| ]*(?:to move:? *)?(?:(x|\*|black|yellow)|o|white|red)(?:'s turn| +to (?:move|play)| moves)?\.? *$/i;
/** Lines of GGS around a board. */
const GGS = /^(?:\||\/os:|READY)/;
/** The longest line of a board. */
const LONGEST = 100;
const FEWEST = 3;
/** How many lines decide whether a board begins, borders included. */
const MOST_LINES = 8;

/** Whether a board begins here: three rows, perhaps below the names of columns. @param {Source} source @param {number} at */
export function beginsBoard(source, at) {
  if (GGS.test(source.text.slice(at, at + 5))) return true;
  /** @type {string[]} */
  const seen = [];
  for (const { line } of lines(source, at)) if (seen.push(line) === MOST_LINES) break;
  if (isNames(seen[0]) || BORDER.test(seen[0])) seen.shift();
  const [first = "", ...rest] = seen;
  const rows = [first, ...rest.filter((line) => !BORDER.test(line))].slice(0, FEWEST).map((line) => cells(line).length);
  return rows.length === FEWEST && rows[0] > 0 && rows.every((width) => width === rows[0]);
}

/** The board that begins here, and who is to move. @param {Source} source @param {number} at @returns {import("./written.js").Read} */
export function readBoard(source, at) {
  const start = at;
  let [end, turn] = [at, ""];
  /** @type {string[]} */
  const rows = [];
  for (const { line, after } of lines(source, at)) {
    if (turn) break;
    const row = cells(line);
    const said = TURN.exec(line);
    if (row && (!rows.length || row.length === rows[0].length)) rows.push(row);
    else if (rows.length && said) turn = said[1] ? "x" : "o";
    else if (!BORDER.test(line) && !isNames(line) && !GGS.test(line)) break;
    end = after;
  }
  const behind = Math.max(end, source.lineEnd(start));
  if (!rows.length && GGS.test(source.text.slice(start, start + 5))) return [[], behind];
  if (rows.length < FEWEST) {
    throw source.error("unknown", start, `${shorten(source.text.slice(start))} is not understood: expected the rows of a board`, behind);
  }
  return [[{ at: start, end, fen: ofRows(rows, turn), fenAt: start }], end];
}

/** The lines from here on, stripped, and where each ends. @param {Source} source @param {number} at */
function* lines(source, at) {
  while (at < source.text.length) {
    const after = source.lineEnd(at);
    yield { line: after - at <= LONGEST ? source.text.slice(at, after).trim() : "", after };
    at = after + 1;
  }
}

/** @param {string} line */
function cells(line) {
  return (ROW.exec(line)?.[1] ?? "").replace(/[| ]/g, "");
}

/** Whether a line names the columns, in order. @param {string} line */
function isNames(line) {
  if (!NAMES.test(line)) return false;
  const names = line.replace(/\|/g, " ").toLowerCase().trim().split(/ +/);
  return [names.map((_, at) => String.fromCharCode(97 + at)), names.map((_, at) => String(at + 1))].some(
    (ordered) => ordered.join() === names.join(),
  );
}

/** The boards of a game. The legal moves decide whether the first row is rank 1 or rank 8. @param {Source} source @param {number} at @returns {import("./written.js").Read} */
export function readCodingame(source, at) {
  const left = lines(source, at);
  const next = () => left.next().value ?? { line: "", after: source.text.length };
  const mine = next().line;
  let end = next().after;
  /** @type {import("./written.js").Written[]} */
  const games = [];
  for (let place = end + 1; ; place = end + 1) {
    const first = next();
    if (!first.line) return [games, Math.min(place, source.text.length)];
    const rows = [first.line, ...Array.from({ length: 7 }, () => next().line)];
    const count = next();
    const most = /^[0-9]{1,2}$/.test(count.line) ? Math.min(Number(count.line), 64) : 0;
    const moves = Array.from({ length: most }, next);
    end = moves.at(-1)?.after ?? count.after;
    const fen = thatAllows(moves.map(({ line }) => line), rows, mine);
    if (fen === null) {
      const said = "not eight rows of 0, 1 and ., the number of legal moves, and these, a line each";
      throw source.error("position", place, said, Math.max(end, source.lineEnd(place)));
    }
    games.push({ at: place, end, game: "othello", fen, fenAt: place });
  }
}

/** The position string of the rows, perhaps upside down, in which the moves are legal. @param {string[]} legal @param {string[]} rows @param {string} mine */
function thatAllows(legal, rows, mine) {
  if (!rows.every((row) => /^[01.]{8}$/.test(row))) return null;
  const ours = rows.map((row) => row.replace(/0/g, "x").replace(/1/g, "o"));
  const rules = rulesOf("othello", "8x8");
  for (const each of [ours, [...ours].reverse()]) {
    const fen = ofRows(each, "xo"[Number(mine)]);
    try {
      if (rules && [...rules.parse(fen).legal].sort().join() === [...legal].sort().join()) return fen;
    } catch {
      return null; // a square in the centre is empty, whichever way it is turned
    }
  }
  return null;
}
