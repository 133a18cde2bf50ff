/** Positions and games as text: in the page's address, and as they are copied and pasted. */

import { RulesError } from "./rules/rules.js";

/**
 * @typedef {object} Place
 * @property {string} game
 * @property {string} size
 * @property {string | null} fen Where the moves start; null is the game's own start.
 * @property {string[]} moves
 * @property {number} at How many of the moves lead to the position that is shown.
 * @property {string} mode The panel that is shown.
 */

/** The address, after `#`. @param {Place} place */
export function write({ mode, game, size, fen, moves, at }) {
  const fields = new URLSearchParams({ mode, game, size });
  if (fen) fields.set("fen", fen);
  if (moves.length) fields.set("moves", moves.join("."));
  if (at < moves.length) fields.set("at", String(at));
  return `#${fields}`;
}

/** @param {string} hash @returns {Partial<Place>} What an address says. */
export function read(hash) {
  const fields = new URLSearchParams(hash.slice(1));
  const moves = fields.get("moves")?.toLowerCase().split(".").filter(Boolean) ?? [];
  const at = fields.has("at") ? Number(fields.get("at")) : moves.length;
  return {
    mode: fields.get("mode") ?? undefined,
    game: fields.get("game") ?? undefined,
    size: fields.get("size") ?? undefined,
    fen: fields.get("fen"),
    moves,
    at: Number.isInteger(at) && at >= 0 ? Math.min(at, moves.length) : moves.length,
  };
}

/** A game as the protocol's `position` command has it. @param {{fen: string | null, moves: string[]}} game */
export function toText({ fen, moves }) {
  return [fen ?? "startpos", ...(moves.length ? ["moves", ...moves] : [])].join(" ");
}

/**
 * Read a position string, moves, or both: `7/7/7/7/7/3x3 o moves 4`, `444`, `d3 c3 c4`, `d3c3c4`; or a
 * link of the page, which may be to another game. Raises RulesError of what is none of them.
 *
 * @param {string} text
 * @param {{game: string, size: string}} board
 * @returns {{game: string, size: string, fen: string | null, moves: string[], at?: number}}
 */
export function parse(text, { game, size }) {
  const words = text.trim().toLowerCase().replace(/^position\s+/, "").split(/\s+/).filter(Boolean);
  if (!words.length) throw new RulesError("There is nothing to set up: paste a position, moves or a link.");
  if (words.length === 1 && words[0].includes("#")) {
    const { fen = null, moves = [], at, ...place } = read(text.slice(text.indexOf("#")).trim());
    if (!place.game) throw new RulesError("This link leads to no game.");
    return { game: place.game, size: place.size ?? size, fen, moves, at };
  }
  if (words[0] === "startpos") words.shift();
  const fen = words[0]?.includes("/") ? words.splice(0, 2).join(" ") : null;
  if (words[0] === "fen" || words[0] === "moves") words.shift();
  const numbers = /^\d+[.)]$/; // as games are numbered: 1. d3 c3
  const moves = words.filter((word) => !numbers.test(word)).flatMap((word) => split(word, game, parseInt(size)));
  return { game, size, fen, moves };
}

/**
 * Moves that were written without spaces between them.
 *
 * @param {string} word
 * @param {string} game
 * @param {number} width
 */
function split(word, game, width) {
  if (game === "connect4") return width < 10 || word.length > 2 ? [...word] : [word];
  const moves = word.match(/pass|[a-z]\d+/g) ?? [];
  return moves.join("") === word ? moves : [word];
}
