/**
 * What is pasted, of whatever game: links of the page, moves, GGF, PGN, our records in JSON, and
 * positions as we, cutechess and programs of Othello write them.
 *
 * A text may be read as of several games. The one that is shown goes first, and the first in which
 * all can be played is taken; where there is none, the one in which most can says what is wrong.
 */

import { rulesOf } from "./games.js";
import * as link from "./link.js";
import { RulesError, readRows } from "./rules/rules.js";

/**
 * @typedef {{game: string, size: string}} Board
 * @typedef {Board & {fen: string | null, moves: string[]}} Line
 * @typedef {{game?: string, size?: string, fen?: string | null, words: string[]}} Reading Moves as they
 *   were written, and what the text says of their game, if anything.
 */

/** cutechess's names of games, where they differ from ours. @type {Record<string, string>} */
const VARIANTS = { cfour: "connect4" };

/**
 * Raises RulesError of a text that is nothing of this, or not to be played.
 *
 * @param {string} text
 * @param {Board} shown
 * @param {Iterable<import("./games.js").Game>} games All that there are.
 * @returns {Board & Partial<link.Place>}
 */
export function recognise(text, shown, games) {
  const pasted = text.trim();
  if (!pasted) throw new RulesError("There is nothing to set up: paste a position, moves, a game or a link.");
  if (/^(https?:\/\/|\/|#)\S*$/.test(pasted) && URL.canParse(pasted, "page:/")) {
    const place = link.read(pasted);
    if (!place.game && !place.table && !place.tournament && !place.invitation) throw new RulesError("This link leads to no game.");
    return { ...place, game: place.game ?? shown.game, size: place.size ?? shown.size };
  }
  const reading = read(pasted);
  /** @type {{error: RulesError, played: number} | null} */
  let furthest = null;
  for (const board of boards(reading, shown, games)) {
    const moves = reading.words.flatMap((word) => split(word, board.game, parseInt(board.size)));
    const found = follow({ ...board, fen: reading.fen ?? null, moves });
    if (!("error" in found)) return found;
    if (!furthest || found.played > furthest.played) furthest = found;
  }
  if (!furthest) throw new RulesError(`“${shorten(reading.game ?? "")}” is not played here.`);
  const isSomething = reading.game || reading.fen || furthest.played > 0;
  if (!isSomething) throw new RulesError(`“${shorten(pasted)}” is no move, position, game or link.`);
  throw furthest.error;
}

/** @param {string} text @returns {Reading} */
function read(text) {
  if (text.startsWith("{")) return readJson(text);
  if (text.includes("(;")) return readGgf(text);
  if (text.startsWith("[")) return readPgn(text);
  const squares = text.toLowerCase().replace(/\s/g, "");
  if (/^[-.*xo]{64}[*xo]$/.test(squares)) return { game: "othello", fen: ofSquares(squares), words: [] };
  const words = text.replace(/^position\s+/i, "").split(/\s+/);
  if (/^(startpos|fen)$/i.test(words[0])) words.shift();
  let fen = null;
  if (words[0]?.includes("/")) {
    const moves = words.findIndex((word) => word.toLowerCase() === "moves");
    const isTheirs = /\[| [wb]$/i.test(words.slice(0, 2).join(" "));
    fen = ofFen(words.splice(0, isTheirs ? (moves < 0 ? words.length : moves) : 2).join(" "));
  }
  if (words[0]?.toLowerCase() === "moves") words.shift();
  return { fen, words: withoutNumbers(words.join(" ")) };
}

/** A record of ours. @param {string} text @returns {Reading} */
function readJson(text) {
  try {
    const { game, size, fen = null, moves } = JSON.parse(text.split("\n")[0]);
    return { game: String(game), size, fen, words: moves.map(String) };
  } catch {
    throw new RulesError("This is no record of a game: one line of JSON, with game and moves.");
  }
}

/** The tags and the main line of the first game: numbers, comments, variations and the result are left out. @param {string} text @returns {Reading} */
function readPgn(text) {
  const [head, tail] = cut(text);
  const tags = new Map(
    [...head.matchAll(/\[(\w+)\s+"((?:\\.|[^"\\])*)"\s*\]/g)].map(([, name, value]) => [name, value]),
  );
  const variant = tags.get("Variant")?.toLowerCase();
  const fen = tags.get("FEN");
  let moves = tail.replace(/\{[^}]*\}|;[^\n]*/g, " ");
  for (let before = ""; before !== moves; ) [before, moves] = [moves, moves.replace(/\([^()]*\)/g, " ")];
  return {
    game: variant && (VARIANTS[variant] ?? variant),
    size: tags.get("Size"),
    fen: fen === undefined ? null : ofFen(fen),
    words: withoutNumbers(moves.replace(/\$\d+|[!?]+|(?:1-0|0-1|1\/2-1\/2|\*)\s*$/g, " ")),
  };
}

/** The tags of a PGN's first game, and its moves. @param {string} text @returns {[string, string]} */
function cut(text) {
  const lines = text.split("\n");
  const isTag = (/** @type {string} */ line) => /^\s*(\[.*\])?\s*$/.test(line);
  const start = lines.findIndex((line) => !isTag(line));
  if (start < 0) return [text, ""];
  const next = lines.findIndex((line, at) => at > start && /^\s*\[\w+ "/.test(line));
  return [lines.slice(0, start).join("\n"), lines.slice(start, next < 0 ? undefined : next).join("\n")];
}

/** The first game of a text in GGF (M. Buro, skatgame.net/mburo/ggsa/ggf). @param {string} text @returns {Reading} */
function readGgf(text) {
  const [game] = text.slice(text.indexOf("(;") + 2).split(";)");
  const properties = [...game.matchAll(/([A-Z]+)\s*\[((?:\\.|[^\]\\])*)\]/g)].map(([, name, value]) => [name, value]);
  const board = properties.find(([name]) => name === "BO")?.[1] ?? "";
  const [, squares] = /^\s*8\s([-.*XxOo0\s]+)$/.exec(board) ?? [];
  const fen = squares && ofSquares(squares.toLowerCase().replace(/\s/g, "").replace(/0/g, "o"));
  if (!fen) throw new RulesError("A game in GGF has its board in BO: 8, its 64 squares, and who is to move.");
  const moves = properties.filter(([name]) => name === "B" || name === "W");
  return { game: "othello", fen, words: moves.map(([, move]) => move.split("/")[0].trim()) };
}

/** A position string of 64 squares and who is to move, none if there are more or fewer. @param {string} text Of `x` or `*`, `o`, and `-` or `.`. */
function ofSquares(text) {
  if (!/^[-.*xo]{64}[*xo]$/.test(text)) return "";
  const cells = text.replace(/\*/g, "x").replace(/[-.]/g, "1");
  const rows = cells.slice(0, 64).match(/.{8}/g) ?? [];
  return `${rows.map((row) => row.replace(/1+/g, (run) => String(run.length))).join("/")} ${cells[64]}`;
}

/** Our position string for one of cutechess, which has a pocket; another stays as it is. @param {string} text */
function ofFen(text) {
  const [, rows, turn] = /^([\dPpXxOo/]+)(?:\[[^\]]*\])? ([wbxo])(?: .*)?$/i.exec(text) ?? [];
  if (!rows || (!/p/i.test(text) && !/[wb]/i.test(turn))) return text.toLowerCase();
  const ours = rows.replace(/P/g, "x").replace(/p/g, "o").toLowerCase();
  return `${ours} ${/[wx]/i.test(turn) ? "x" : "o"}`;
}

/** Without the numbers of moves, `1.` or `1...`, which may stand before a move or by themselves. @param {string} text */
function withoutNumbers(text) {
  return text.replace(/(^|\s)\d+(\.+|\))/g, " ").split(/[\s,;]+/).filter(Boolean);
}

/**
 * What it may be played on: as the text says, else what is shown and then the usual boards. A game
 * whose rules only the server knows must be shown or named.
 *
 * @param {Reading} reading
 * @param {Board} shown
 * @param {Iterable<import("./games.js").Game>} games
 * @returns {Board[]}
 */
function boards({ game, size, fen }, shown, games) {
  const rows = fen ? readRows(fen.split(" ")[0]) : null;
  const told = rows ? `${rows[0].length}x${rows.length}` : size;
  const others = [...games].map(({ name, size }) => ({ game: name, size }));
  const all = [shown, ...others.filter((each) => game || rulesOf(each.game, each.size))];
  const named = game ? all.filter((each) => each.game === game) : all;
  return named.map((each) => ({ game: each.game, size: told ?? each.size }));
}

/** Moves that were written without spaces between them, and drops of cutechess. @param {string} word @param {string} game @param {number} width */
function split(word, game, width) {
  const lower = word.toLowerCase();
  const [, column, row] = /^p@([a-z])(\d+)$/.exec(lower) ?? [];
  if (column) return [game === "connect4" ? String(column.charCodeAt(0) - 96) : column + row];
  if (game === "connect4") return /^\d+$/.test(lower) && (width < 10 || lower.length > 2) ? [...lower] : [lower];
  const moves = lower.match(/pa(?:ss)?|--|[a-z]\d+/g) ?? [];
  if (moves.join("") !== lower) return [lower];
  return moves.map((move) => (/^(pa|--)/.test(move) ? "pass" : move));
}

/**
 * The line, with the passes that the text left out and none after the end; or why it cannot be played, after how many moves.
 *
 * @param {Line} line
 * @returns {Line | {error: RulesError, played: number}}
 */
function follow(line) {
  let played = -2; // there is no such board
  try {
    const rules = rulesOf(line.game, line.size);
    if (!rules) return line; // the server knows
    played = -1; // nor such a position
    let facts = rules.parse(line.fen);
    played = 0;
    /** @type {string[]} */
    const moves = [];
    for (const move of line.moves) {
      if (move === "pass" && !facts.legal.length) continue; // after the end
      for (const each of facts.legal[0] === "pass" && move !== "pass" ? ["pass", move] : [move]) {
        if (!facts.legal.includes(each)) {
          throw new RulesError(`Move ${moves.length + 1}, “${shorten(move)}”, cannot be played.`);
        }
        facts = rules.play(facts, each);
        moves.push(each);
      }
      played++;
    }
    return { ...line, moves };
  } catch (error) {
    if (!(error instanceof RulesError)) throw error;
    return { error, played };
  }
}

/** @param {string} text */
function shorten(text) {
  const [first] = text.split("\n");
  return first.length > 30 || first !== text ? `${first.slice(0, 30)}…` : text;
}
