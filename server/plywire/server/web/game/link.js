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
 * @property {string | null} [table] Of a game of the arena, which stands for all of the above but `at`.
 * @property {string | null} [tournament] The name of the tournament that is shown, and no game.
 */

/** The address, from the path on. @param {Place} place */
export function write({ mode, game, size, fen, moves, at, table, tournament }) {
  if (table) return `/game/${encodeURIComponent(table)}${at < moves.length ? `#at=${at}` : ""}`;
  if (tournament) return `/tournament/${encodeURIComponent(tournament)}`;
  const fields = new URLSearchParams({ mode, game, size });
  if (fen) fields.set("fen", fen);
  if (moves.length) fields.set("moves", moves.join("."));
  if (at < moves.length) fields.set("at", String(at));
  return `/#${fields}`;
}

/** @param {string} address @returns {Partial<Place>} What an address says. */
export function read(address) {
  const { pathname, hash } = new URL(address, "page:/");
  const fields = new URLSearchParams(hash.slice(1));
  const [, kind, name = ""] = /^\/(game|tournament)\/([^/]+)$/.exec(pathname) ?? [];
  if (kind === "game") return { mode: "watch", table: unescape(name), at: count(fields.get("at")) };
  if (kind) return { mode: "watch", tournament: unescape(name) };
  const moves = fields.get("moves")?.toLowerCase().split(".").filter(Boolean) ?? [];
  return {
    mode: fields.get("mode") ?? undefined,
    game: fields.get("game") ?? undefined,
    size: fields.get("size") ?? undefined,
    fen: fields.get("fen"),
    moves,
    at: Math.min(count(fields.get("at")) ?? Infinity, moves.length),
  };
}

/** @param {string | null} text */
function count(text) {
  return text && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** @param {string} text */
function unescape(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A game as the protocol's `position` command has it. @param {{fen: string | null, moves: string[]}} game */
export function toText({ fen, moves }) {
  return [fen ?? "startpos", ...(moves.length ? ["moves", ...moves] : [])].join(" ");
}

/**
 * Read a position string, moves, or both: `7/7/7/7/7/3x3 o moves 4`, `444`, `d3 c3 c4`, `d3c3c4`; or a
 * link of the page, which may be to anything. Raises RulesError of what is none of them.
 *
 * @param {string} text
 * @param {{game: string, size: string}} board
 * @returns {Partial<Place> & {game: string, size: string}}
 */
export function parse(text, { game, size }) {
  const words = text.trim().toLowerCase().replace(/^position\s+/, "").split(/\s+/).filter(Boolean);
  if (!words.length) throw new RulesError("There is nothing to set up: paste a position, moves or a link.");
  if (words.length === 1 && /^https?:\/\/|#/.test(words[0])) {
    const place = read(text.trim());
    if (!place.game && !place.table && !place.tournament) throw new RulesError("This link leads to no game.");
    return { ...place, game: place.game ?? game, size: place.size ?? size };
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
