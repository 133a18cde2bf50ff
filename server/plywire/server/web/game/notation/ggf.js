/** GGF, M. Buro's generic game format (skatgame.net/mburo/ggsa/ggf), for Othello. */

import { ofRows } from "./positions.js";

const MOVE = /^(pa(?:ss)?|[a-z][1-9][0-9]?)(?:\/[^/]*)?(?:\/.*)?$/;
const MOST_ROWS = 26;

/** The game of a tree. @param {import("./source.js").Source} source @param {import("./trees.js").Tree} tree @returns {import("./written.js").Written} */
export function fromGgf(source, tree) {
  const words = tree.moves.map(({ name, values, at }) => {
    const [, square] = MOVE.exec(values[0].trim().toLowerCase()) ?? [];
    if (!square) throw source.error("format", at, "expected SQUARE/EVAL/TIME, such as F5/1.25/0.5", tree.end);
    const player = /** @type {1 | 2} */ (name === "B" ? 1 : 2);
    return { text: square.startsWith("pa") ? "pass" : square, at, player, isWhole: true };
  });
  const said = wrong(source.text.slice(tree.at, tree.end), tree);
  const fen = said ? "" : board(tree.value("BO"));
  if (!fen) {
    const expected = said || "BO must be the size, as many squares * O or -, and whose turn it is";
    throw source.error("format", tree.at, expected, tree.end);
  }
  return { at: tree.at, end: tree.end, words, game: "othello", fen, fenAt: tree.at, isOneOfMany: true };
}

/** Why a tree is no GGF, else empty. GGF has one node, then an empty one, and one value a property. @param {string} text @param {import("./trees.js").Tree} tree */
function wrong(text, tree) {
  if (!text.startsWith("(;") || !text.endsWith(";)")) return "a game in GGF begins with (; and ends with ;)";
  const isFlat = tree.nodes.length === 2 && !tree.nodes[1].length && !tree.hasBranches;
  const areSingle = tree.nodes.flat().every(({ name, values }) => /^[A-Z]{1,8}$/.test(name) && values.length === 1);
  if (!isFlat || !areSingle) return "expected NAME[VALUE]";
  if (tree.value("GM").toLowerCase() !== "othello") return "GM is not Othello";
  return tree.first("BO") ? "" : "BO, the board, is missing";
}

/** The position string of a board, empty if it is no board. @param {string} text */
function board(text) {
  const [, word, rest] = /^([0-9]{1,2}) (.*)$/s.exec(text.trim()) ?? [];
  const size = Number(word);
  const cells = (rest ?? "").replace(/\s/g, "").replace(/[*Xx]/g, "x").replace(/[0Oo]/g, "o").replace(/-/g, ".");
  if (!(size >= 1 && size <= MOST_ROWS) || !/^[xo.]*[xo]$/.test(cells) || cells.length !== size * size + 1) return "";
  const rows = Array.from({ length: size }, (_, row) => cells.slice(row * size, (row + 1) * size));
  return ofRows(rows, cells.slice(-1));
}
