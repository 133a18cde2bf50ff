/** Plays what was written, by the rules of the first game that allows all of it. */

import { rulesOf } from "../games.js";
import { RulesError } from "../rules/rules.js";
import { split, withoutScore } from "./moves.js";
import { squeeze } from "./positions.js";
import { NotationError, shorten } from "./source.js";

const ROW = /^(?:[xo]|[1-9][0-9]?(?![0-9]))+$/;
const SIZE = /^[1-9][0-9]?x[1-9][0-9]?$/i;

/**
 * @import { Source } from "./source.js"
 * @import { Word, Written } from "./written.js"
 * @import { Rules } from "../rules/rules.js"
 *
 * @typedef {{game: string, size: string}} Board
 * @typedef {Board & {fen: string | null, moves: string[]}} Found A game or a position
 *   that was understood: where it starts, null for the start of the game, and its moves with all passes.
 */

/**
 * The game by the rules of the first of these boards that allow it; the game may say another size. If no
 * board allows it, raises the NotationError of the board on which most can be played.
 *
 * @param {Source} source @param {Written} written @param {Board[]} boards @returns {Found}
 */
export function replay(source, written, boards) {
  /** @type {NotationError | null} */
  let furthest = null;
  let most = -1;
  for (const { board, rules } of candidates(source, written, boards)) {
    const played = { count: 0 };
    try {
      return { ...board, ...follow(source, written, board, rules, played) };
    } catch (error) {
      if (!(error instanceof NotationError)) throw error;
      if (played.count > most) [furthest, most] = [error, played.count];
    }
  }
  throw furthest ?? source.error("unknown", written.at, "no game is given");
}

/** The boards on which a game may be played. @param {Source} source @param {Written} written @param {Board[]} boards */
function candidates(source, written, boards) {
  const named = isString(written.game)
    ? boards.filter(({ game }) => game === written.game)
    : boards.filter((board, at) => at === 0 || rulesOf(board.game, board.size)); // others must be shown or named
  if (!named.length) {
    const names = [...new Set(boards.map(({ game }) => game))].join(" or ");
    throw source.error("game", written.at, `${shorten(written.game ?? "")} is not played here: expected ${names}`, written.end);
  }
  const found = named.flatMap((given) => {
    const size = sizeOf(written, given);
    if (size === null || !SIZE.test(size)) return [];
    const board = { game: given.game, size };
    try {
      return [{ board, rules: rulesOf(board.game, size) }];
    } catch (error) {
      if (!(error instanceof RulesError)) throw error;
      return [];
    }
  });
  if (found.length) return found;
  const sizes = [...new Set(named.map(({ game, size }) => `${size} for ${game}`))].join(" or ");
  const said = `a board of another size: expected ${sizes}`;
  if (!isString(written.fen)) throw source.error("game", written.at, said, written.end);
  throw source.error("position", written.fenAt ?? written.at, said, written.end);
}

/** The size of the board, null if the squares are not those of the game. @param {Written} written @param {Board} board */
function sizeOf({ fen, size }, board) {
  if (!isString(fen)) return size || board.size;
  const [cells] = fen.split(" ");
  if (cells.startsWith("=")) {
    const [width, height] = board.size.split("x").map(Number);
    return cells.length - 1 === width * height ? board.size : null;
  }
  const rows = cells.split("/");
  if (!rows.every((row) => ROW.test(row))) return board.size;
  const runs = rows[0].match(/[xo]|[0-9]+/g) ?? [];
  return `${runs.reduce((sum, run) => sum + (Number(run) || 1), 0)}x${rows.length}`;
}

/** The start and the moves of a game. Counts in `played` how much was understood. @param {Source} source @param {Written} written @param {Board} board @param {Rules | null} rules @param {{count: number}} played */
function follow(source, written, board, rules, played) {
  const [width] = board.size.split("x").map(Number);
  const isDigits = rules !== null && /^[0-9]+$/.test(rules.parse(null).legal[0]);
  const all = written.words ?? [];
  const words = written.hasScore ? withoutScore(all, isDigits, width) : all;
  const given = isString(written.fen) ? divided(written.fen, width) : null;
  if (!rules) {
    const names = words.flatMap((word) => split(source, word, isDigits, width)); // the server knows
    return { fen: given, moves: names.map(({ text }) => text) };
  }
  let facts = given === null ? rules.parse(null) : start(source, written, rules, given);
  const { fen } = facts;
  if (given !== null) played.count++;
  /** @type {string[]} */
  const moves = [];
  for (const move of words.flatMap((word) => lazily(source, word, isDigits, width))) {
    if (move instanceof NotationError) throw move;
    if (facts.over && move.text === "pass") continue;
    if (facts.legal[0] === "pass" && move.text !== "pass") {
      facts = rules.play(facts, "pass");
      moves.push("pass");
    }
    if (move.player && move.player !== facts.turn) {
      throw source.error("move", move.at, `move ${moves.length + 1} is the other player's`, written.end);
    }
    if (!facts.legal.includes(move.text)) {
      throw source.error("move", move.at, `move ${moves.length + 1}, ${shorten(move.text)}, cannot be played`, written.end);
    }
    facts = rules.play(facts, move.text);
    moves.push(move.text);
    played.count++;
  }
  return { fen: given === null ? null : fen, moves };
}

/** The moves in a word, or the error, which is raised after the moves before it were played. @param {Source} source @param {Word} word @param {boolean} isDigits @param {number} width @returns {(Word | NotationError)[]} */
function lazily(source, word, isDigits, width) {
  try {
    return split(source, word, isDigits, width);
  } catch (error) {
    if (!(error instanceof NotationError)) throw error;
    return [error];
  }
}

/** The start. If the text does not name the player to move, the stones decide. @param {Source} source @param {Written} written @param {Rules} rules @param {string} fen */
function start(source, written, rules, fen) {
  const at = written.fenAt ?? written.at;
  const [board, turn] = fen.split(" ");
  const found = (turn ? [turn] : ["x", "o"]).map((each) => {
    try {
      return rules.parse(`${board} ${each}`);
    } catch (error) {
      if (!(error instanceof RulesError)) throw error;
      return error;
    }
  });
  const facts = found.flatMap((each) => (each instanceof RulesError ? [] : [each]));
  if (!facts.length) {
    const [error] = found;
    const said = error instanceof RulesError ? error.message.replace(/\.$/, "") : "";
    throw source.error("position", at, said, written.end);
  }
  const known = facts.find((each) => facts.length === 1 || each.fen === rules.parse(null).fen);
  if (known) return known;
  const movers = facts.filter(({ legal }) => legal.length && legal[0] !== "pass");
  if (movers.length > 1) {
    const said = "it does not follow from the board who is to move: expected x or o behind it";
    throw source.error("turn", at, said, written.end);
  }
  return movers[0] ?? facts[0];
}

/** The position string, its squares divided into rows of the board. @param {string} fen @param {number} width */
function divided(fen, width) {
  if (!fen.startsWith("=")) return fen;
  const [cells, turn = ""] = fen.slice(1).split(" ");
  const rows = Array.from({ length: cells.length / width }, (_, row) => squeeze(cells.slice(row * width, (row + 1) * width)));
  return `${rows.join("/")} ${turn}`.trim();
}

/** @param {string | null | undefined} said @returns {said is string} */
function isString(said) {
  return typeof said === "string";
}
