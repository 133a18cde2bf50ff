/** SGF: the main line of a game. Its `GM` is 2, Othello, or the name of one of our games. */

import { fromGgf } from "./ggf.js";
import { ofRows } from "./positions.js";
import { shorten } from "./source.js";
import { readTree } from "./trees.js";
import { ourName } from "./written.js";

/**
 * @import { Source } from "./source.js"
 * @import { Property, Tree } from "./trees.js"
 */

/** @type {Record<string, [number, number]>} */
const SIZES = { othello: [8, 8], connect4: [7, 6], tictactoe: [3, 3] };
const SIZE = /^([1-9][0-9]?)(?::([1-9][0-9]?))?$/;
const SQUARE = /^([a-z])([a-z]|[1-9][0-9]?)$/i;
const PASSES = ["", "tt", "pa", "pass", "--"];
const MOST_VALUES = 100;
const MOST_ROWS = 26;

/** The game of the tree that begins here, in GGF or SGF. @param {Source} source @param {number} at @returns {import("./written.js").Read} */
export function readTreeOfGame(source, at) {
  const tree = readTree(source, at);
  const isGgf = tree.first("GM") && ourName(tree.value("GM")) === "othello" && !tree.first("FF");
  return [[isGgf ? fromGgf(source, tree) : fromSgf(source, tree)], tree.end];
}

/** @param {Source} source @param {Tree} tree @returns {import("./written.js").Written} */
function fromSgf(source, tree) {
  const kind = tree.value("GM", "1").trim();
  const game = kind === "2" ? "othello" : ourName(kind);
  if (/^[0-9]+$/.test(game)) {
    throw source.error("game", tree.at, `GM[${kind}] is not played here: expected GM[2], Othello, or a game's name`, tree.end);
  }
  let [width, height] = SIZES[game] ?? [8, 8];
  const size = tree.first("SZ");
  if (size) {
    const found = SIZE.exec(size.values[0].trim());
    if (!found) throw source.error("format", size.at, "expected SZ[8], or the width and the height as in SZ[7:6]", tree.end);
    [width, height] = [Number(found[1]), Number(found[2] ?? found[1])];
  }
  const words = tree.moves.map((found) => {
    const player = /** @type {1 | 2} */ (found.name === "B" ? 1 : 2);
    return { text: named(source, tree, found, game, height), at: found.at, player, isWhole: true };
  });
  return {
    at: tree.at,
    end: tree.end,
    words,
    game,
    size: `${width}x${height}`,
    fen: setUp(source, tree, width, height, words[0]?.player),
    fenAt: tree.at,
    isOneOfMany: true,
  };
}

/** Our name of a move. @param {Source} source @param {Tree} tree @param {Property} found @param {string} game @param {number} height */
function named(source, tree, found, game, height) {
  const text = found.values[0].trim();
  if (PASSES.includes(text.toLowerCase())) return "pass";
  if (game === "connect4" && /^[0-9]{1,2}$/.test(text)) return text;
  const [column, row] = square(source, tree, found, text, height);
  if (game === "connect4") return String(column + 1);
  return `${String.fromCharCode(97 + column)}${game === "tictactoe" ? height - row : row + 1}`;
}

/** The column from the left and the row from the top. @param {Source} source @param {Tree} tree @param {Property} found @param {string} text @param {number} height @returns {[number, number]} */
function square(source, tree, found, text, height) {
  const [, file, rank] = SQUARE.exec(text) ?? [];
  if (!file) {
    throw source.error("format", found.at, `${shorten(text)} is not understood: expected a square such as f5 or fe`, tree.end);
  }
  const column = file.toLowerCase().charCodeAt(0) - 97;
  if (/[a-z]/i.test(rank)) return [column, rank.toLowerCase().charCodeAt(0) - 97];
  return [column, countsUp(tree) ? height - Number(rank) : Number(rank) - 1];
}

/** Whether rank 1 is the lowest row, as in all our games but Othello. @param {Tree} tree */
function countsUp(tree) {
  const kind = tree.value("GM").trim();
  return kind !== "2" && ourName(kind) !== "othello";
}

/** The position that AB and AW set up. PL or the first move says who is to move. @param {Source} source @param {Tree} tree @param {number} width @param {number} height @param {1 | 2 | undefined} first */
function setUp(source, tree, width, height, first) {
  const rows = Array.from({ length: height }, () => Array(width).fill("."));
  const stones = (tree.nodes[0] ?? []).filter(({ name }) => name === "AB" || name === "AW");
  if (!stones.length) return null;
  for (const found of stones) {
    for (const [column, row] of squares(source, tree, found, height)) {
      if (column < 0 || column >= width || row < 0 || row >= height) {
        throw source.error("position", found.at, "a square beyond the board", tree.end);
      }
      rows[row][column] = found.name === "AB" ? "x" : "o";
    }
  }
  /** @type {Record<string, string>} */
  const turns = { b: "x", 1: "x", w: "o", 2: "o" };
  const known = turns[tree.value("PL").trim().toLowerCase().slice(0, 1)];
  return ofRows(rows.map((row) => row.join("")), known ?? (first ? "xo"[first - 1] : ""));
}

/** The squares of a list, in which `aa:cb` is a rectangle. @param {Source} source @param {Tree} tree @param {Property} found @param {number} height @returns {Generator<[number, number]>} */
function* squares(source, tree, found, height) {
  for (const value of found.values.slice(0, MOST_VALUES)) {
    const [first, last = ""] = cut(value);
    const [left, top] = square(source, tree, found, first.trim(), height);
    const [right, bottom] = square(source, tree, found, (last || first).trim(), height);
    for (let row = top; row <= Math.min(bottom, top + MOST_ROWS); row++) {
      for (let column = left; column <= right; column++) yield [column, row];
    }
  }
}

/** @param {string} value */
function cut(value) {
  const at = value.indexOf(":");
  return at < 0 ? [value] : [value.slice(0, at), value.slice(at + 1)];
}
