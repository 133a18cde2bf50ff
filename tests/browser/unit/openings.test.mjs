import assert from "node:assert/strict";
import { test } from "node:test";

import { beginning, openings } from "../../../server/plywire/server/web/game/openings.js";
import { Tree } from "../../../server/plywire/server/web/game/tree.js";

/** What is said at the end of a game of Othello. @param {string} moves */
function said(moves, game = "othello", size = "8x8") {
  return beginning(new Tree({ game, size, moves: moves.match(game === "othello" ? /../g : /./g) ?? [] }));
}

test("each opening can be played, and is known by its name at its end", () => {
  for (const { moves, name } of openings()) assert.equal(said(moves.join("")), `Opening: ${name}`);
});

test("an opening is known however the board is turned, and keeps its name later on", () => {
  // The four first moves of Black are the same but for how one looks at the board.
  for (const moves of ["c4e3f6e6f5", "d3c5f6f5e6", "f5d6c3d3c4", "e6f4c3c4d3"]) assert.equal(said(moves), "Opening: Tiger");
  assert.equal(said("f5d6c3d3c4f4"), "Opening: Tiger");
  assert.equal(said("f5f6e6f4"), "Opening: Diagonal");
});

test("the start says what it is worth, where that is proven", () => {
  assert.match(said("", "connect4", "7x6"), /Yellow wins with the 21st stone/);
  assert.equal(said("", "connect4", "8x7"), "");
  assert.equal(said("4", "connect4", "7x6"), "");
  assert.match(said(""), /a draw/);
  const fen = "8/8/8/3xo3/3ox3/8/8/8 x"; // the other diagonal
  assert.equal(beginning(new Tree({ game: "othello", size: "8x8", fen })), "");
});
