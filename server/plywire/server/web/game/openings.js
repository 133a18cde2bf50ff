/**
 * Openings: the names of Othello's, and the proven values of starts.
 *
 * The names are those of R. Gatliff's catalogue (www.samsoft.org.uk/reversi/openings.htm), one to an
 * opening. The page finds an opening by its position, in all symmetries and orders of moves.
 */

import { rulesOf } from "./games.js";
import { rowsOf } from "./rules/rules.js";

/** @import { Tree } from "./tree.js" */

/** Moves and name. Each line continues the nearest line above that is indented less. */
const OTHELLO = `
c4c3 Diagonal
 d3c5b2 X-square
 d3c5b3 Snake
  f3 Lysons
  f4b5b4c6d6f5 Pyramid
 d3c5b4 Heath
  d2c2f4d6c6f5e6f7 Mimura II
  d2d6 Heath-Bat
  d2e2 Iwasaki
  e3 Heath-Chimney
 d3c5b5 Raccoon Dog
 d3c5b6 Rocket
  c6b5 Hamilton
  e3 Lollipop
 d3c5d6 Cow
  e3 Chimney
  f4b4 Bat
   b6b5c6b3 Bat, Piau 2
   b6b5c6f5 Melnikov
   c6b5b3b6e3c2a4a5a6d2 Bat, Kling
   e3b3 Bat, Kling's alternative
  f4f5 Rose v. Toth
   d2 Tanida
    b5 Aircraft
    g4d7 Sailboat
   e6c6d7 Maruoka
   e6f6 Landau
 d3c5f6 Buffalo
  e2c6 Maruoka Buffalo
  e3c6f5f4g5 Tanida Buffalo
  f5 Hokuriku Buffalo
 e6c5 Wing
 f5c5 Semi-Wing
c4c5 Parallel
c4e3 Perpendicular
 f4c5d6e6 Mimura
 f4c5d6f3c6 Shaman
 f4c5d6f3d3 Inoue
  c3 Iago
 f4c5d6f3e2 Bhagat
 f4c5d6f3e6c3d3e2 Rose
  b5 Flat
   f5 Rotating Flat
    b3 Murakami
    b4f6c2e7d2c7 Rotating Flat, Kling
  b6f5 Rose-Birth
   b4f6g5d7 Brightstein
   g5 Rose-Birdie
    f6 Rose-Tamenori-Kling
  d2 Greenberg
 f4c5d6f3e6c6 Ralle
 f4c5e6 Horse
 f5b4 Ganglion
  f3 Swallow
   f4e2e6g5f6d6c6 No-Cat
 f5e6d3 Italian
 f5e6f4 Cat
  c5d6c6f7f3 Sakaguchi
  c5d6c6f7g5g6 Berner
 f6b4 Bent Ganglion
 f6e6f5 Tiger
  c5c3 Stephenson
   b4 No-Kung
    d6c6b5a6b6c7 No-Kung, continued
   c6 Comp'Oth
    d3d2e2b3c1c2b4a3a5b5a6a4a2 F.A.T. Draw
    d6 Lightning Bolt
   g5 Kung
  c5d3 Leader's Tiger
  c5d6 Brightwell
  c5f4g5g4f3c6d3d6 Ishii
   b3c3b4e2b6 Mainline Tiger
  c5f4g6f7 Rose-Bill
   d3 Tamenori
   g5 Dead Draw
  g6 Aubrey
   e7c5 Aubrey, Feldborg
`;

/** The proven value of each usual start. @type {Record<string, string>} */
const STARTS = {
  "connect4 7x6": "With perfect play Yellow wins with the 21st stone (J. Allen and V. Allis, 1988).",
  "othello 8x8": "With perfect play a draw (H. Takizawa, 2023).",
  "tictactoe 3x3": "With perfect play a draw.",
};

/** Names by position, filled at first use. @type {Map<string, string>} */
const NAMES = new Map();

/** The name of the opening, or the value of the start; empty if neither is known. @param {Tree} tree */
export function beginning({ game, size, fen, current }) {
  if (fen !== null) return "";
  if (!current.parent) return STARTS[`${game} ${size}`] ?? "";
  if (game !== "othello") return "";
  const names = current.path.map(({ facts }) => facts && openingAt(facts.fen));
  const name = names.findLast(Boolean);
  return name ? `Opening: ${name}` : "";
}

/** The name of the opening of Othello that leads to a position. @param {string} fen */
function openingAt(fen) {
  if (!NAMES.size) for (const { facts, name } of openings()) NAMES.set(canonical(facts.fen), name);
  return NAMES.get(canonical(fen));
}

/** Each opening of `OTHELLO`: moves, the position after them, and name. */
export function openings() {
  const rules = /** @type {import("./rules/rules.js").Rules} */ (rulesOf("othello", "8x8"));
  const above = [{ moves: /** @type {string[]} */ ([]), facts: rules.parse(null), name: "" }];
  return OTHELLO.trim().split("\n").map((line) => {
    const [, indent, moves, name] = /** @type {string[]} */ (/^( *)(\S+) (.*)$/.exec(line));
    above.length = indent.length + 1;
    const [before] = above.slice(-1);
    const added = moves.match(/../g) ?? [];
    const facts = added.reduce((each, move) => rules.play(each, move), before.facts);
    above.push({ moves: [...before.moves, ...added], facts, name });
    return above[above.length - 1];
  });
}

/** One position string for the four symmetric ones; Othello's start has no other symmetries. @param {string} fen */
function canonical(fen) {
  const [, turn] = fen.split(" ");
  const rows = rowsOf(fen);
  const across = rows.map((row, y) => row.map((_, x) => rows[x][y]));
  const all = [rows, across].flatMap((each) => [each, each.toReversed().map((row) => row.toReversed())]);
  return `${all.map((each) => each.flat().join("")).sort()[0]} ${turn}`;
}
