import assert from "node:assert/strict";
import { test } from "node:test";

import { DEEPEST, look } from "../../../server/plywire/server/web/game/plain.js";

/** The scores of all moves of a position, the best first. @param {string} game @param {string} size @param {string | null} fen @param {string} [moves] */
function scores(game, size, fen, moves = "") {
  const line = { game, size, fen, moves: moves.split(" ").filter(Boolean) };
  return look(line, DEEPEST).map(({ pv, score }) => [pv[0], score.kind, score.value]);
}

test("near its end, Othello is proven in discs, as the engine proves it", () => {
  const two = "oooooooo/xxxooooo/1xoxoooo/ooxooxoo/oxoxxxxo/oxoxxoxo/ooxooxxo/oxxxx1xo x";
  assert.deepEqual(scores("othello", "8x8", two), [["f8", "exact", -18], ["a3", "exact", -24]]);
  const three = "oxxxxxo1/xxx1xxxx/xxxxoxxx/xoxoooxx/xxxooxxx/xxxoxoxx/xxxxooox/1ooooooo o";
  assert.deepEqual(scores("othello", "8x8", three), [["h1", "exact", 10], ["a8", "exact", 4], ["d2", "draw", 0]]);
});

test("Othello is estimated while a line goes on, and proven once all discs are taken", () => {
  assert.deepEqual(scores("othello", "8x8", null).map(([, kind]) => kind), Array(4).fill("cp"));
  const taken = scores("othello", "8x8", "8/8/8/3xo3/3xx3/8/8/8 x");
  assert.deepEqual(taken.map((score) => score.slice(1)), Array(3).fill(["exact", 64]));
});

test("a win in sight and a draw at the end are proven", () => {
  assert.deepEqual(scores("connect4", "7x6", "7/7/7/7/ooo4/xxx4 x")[0], ["4", "win", 1]);
  assert.deepEqual(scores("connect4", "7x6", null)[0][1], "cp");
  assert.deepEqual(scores("tictactoe", "3x3", null, "a1 b2 c3 b1 b3 a3 c1 c2"), [["a2", "draw", 0]]);
});
