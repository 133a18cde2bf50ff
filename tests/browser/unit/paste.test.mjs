import assert from "node:assert/strict";
import { test } from "node:test";

import { GAMES } from "../../../server/plywire/server/web/game/games.js";
import { write } from "../../../server/plywire/server/web/game/link.js";
import { recognise } from "../../../server/plywire/server/web/game/paste.js";

const BOARDS = {
  connect4: { game: "connect4", size: "7x6" },
  wide: { game: "connect4", size: "10x5" },
  othello: { game: "othello", size: "8x8" },
  tictactoe: { game: "tictactoe", size: "3x3" },
  gomoku: { game: "gomoku", size: "7x7" },
};
const OFFERED = [...GAMES, { name: "gomoku", title: "Gomoku", players: ["Black", "White"], size: "7x7" }];
const START = "8/8/8/3ox3/3xo3/8/8/8 x";
const GGF_BOARD = `8 ${"--------".repeat(3)}---O*------*O---${"--------".repeat(3)} *`;

/** Of what is pasted while a board is shown, the board that it is for, where the moves start, and they. */
for (const [text, shown, board, fen, moves] of [
  ["startpos", "connect4", "connect4", null, []],
  ["444", "connect4", "connect4", null, ["4", "4", "4"]],
  ["444", "othello", "connect4", null, ["4", "4", "4"]],
  ["10 1 10", "wide", "wide", null, ["10", "1", "10"]],
  ["1. 4 4\n2. 3", "connect4", "connect4", null, ["4", "4", "3"]],
  ["position startpos moves 4 4", "connect4", "connect4", null, ["4", "4"]],
  ["position startpos moves P@d1 P@d2", "tictactoe", "connect4", null, ["4", "4"]],
  ["7/7/7/7/7/3x3 o moves 4", "othello", "connect4", "7/7/7/7/7/3x3 o", ["4"]],
  ["fen 5/5/5/5 x moves 3", "connect4", { game: "connect4", size: "5x4" }, "5/5/5/5 x", ["3"]],
  [`7/7/7/7/7/3P3[${"P".repeat(20)}${"p".repeat(21)}] b - - 0 1`, "othello", "connect4", "7/7/7/7/7/3x3 o", []],
  ["position fen 3/1P1/3[PPPPpppp] b - - 0 1 moves P@a1", "othello", "tictactoe", "3/1x1/3 o", ["a1"]],
  ["d3c3 c4", "othello", "othello", null, ["d3", "c3", "c4"]],
  ["f5d6c3", "connect4", "othello", null, ["f5", "d6", "c3"]],
  ["1. F5 d6\n2. C3", "tictactoe", "othello", null, ["f5", "d6", "c3"]],
  ["a1 b2 c3", "connect4", "tictactoe", null, ["a1", "b2", "c3"]],
  ["e6f4e3f6g5d6e7f5c5papa", "othello", "othello", null, ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]],
  ["d4e4", "gomoku", "gomoku", null, ["d4", "e4"]],
  [`${"-".repeat(27)}OX------XO${"-".repeat(27)} X`, "connect4", "othello", START, []],
  [`(;GM[Othello]PC[x]PB[a\\]b]RE[?]BO[${GGF_BOARD}]B[F5//1.2]W[d6]B[C3/2.5];)(;GM[Othello];)`, "connect4", "othello", START, ["f5", "d6", "c3"]],
  ['{"game":"tictactoe","size":"3x3","fen":"3/3/3 x","moves":["b2"],"players":["a","b"]}', "connect4", "tictactoe", "3/3/3 x", ["b2"]],
  ['[Event "a ] b"]\n[Variant "connect4"]\n[Size "7x6"]\n[Result "1-0"]\n\n1. 4 {+0.35/12\n[%clk 0:00:09.996] 7} 4 (1... 3 (1... 2)) 2. 3! $1\n1-0\n\n[Event "next"]\n\n1. 7 *', "othello", "connect4", null, ["4", "4", "3"]],
  ['[Variant "cfour"]\n[FEN "7/7/7/7/7/3P3[Pp] b - - 0 1"]\n\n1... P@d2 *', "othello", "connect4", "7/7/7/7/7/3x3 o", ["4"]],
  ['[Variant "gomoku"]\n[Size "7x7"]\n\n1. d4 *', "othello", "gomoku", null, ["d4"]],
]) {
  test(`${JSON.stringify(text).slice(0, 60)} is read while ${shown} is shown`, () => {
    assert.deepEqual(recognise(text, BOARDS[shown], OFFERED), { ...(BOARDS[board] ?? board), fen, moves });
  });
}

test("passes that a transcript leaves out are put in", () => {
  const fen = "xxxxxxo1/xxxxxxx1/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx o";
  assert.deepEqual(recognise(`${fen} moves h1`, BOARDS.othello, OFFERED).moves, ["pass", "h1"]);
});

test("a link of the page is read, also to another game", () => {
  const place = { ...BOARDS.othello, mode: "analyse", fen: null, moves: ["d3", "c3"], at: 1 };
  const address = `http://127.0.0.1:8080/${write(place)}`;
  assert.deepEqual(recognise(` ${address}\n`, BOARDS.connect4, OFFERED), place);
  assert.equal(recognise("http://localhost/game/1.3", BOARDS.connect4, OFFERED).table, "1.3");
});

for (const [text, shown, message] of [
  [" ", "connect4", /^There is nothing to set up/],
  ["http://example.org/#top", "connect4", /leads to no game/],
  ["d3c3 c4 zz", "othello", /^Line 1, column 9: “zz” is not understood: expected moves such as f5 d6 or pass\.$/],
  ["d3xc4", "othello", /^Line 1, column 3: “xc4” is not understood/],
  ["44444444", "othello", /^Line 1, column 7: move 7, “4”, cannot be played\.$/],
  ["hello\nworld", "othello", /^Line 1, column 1: “hello” is not understood: expected moves such as .* or a record\.$/],
  ["[3,3]", "connect4", /^Line 1, column 1: “\[3,3\]” is no game: expected a record/],
  ["7/7/7/7/3x3/7 o", "othello", /floats/],
  ["3/3", "othello", /^Line 1, column 1: a board of another size/],
  ["(;GM[Othello]BO[6 -];)", "othello", /BO/],
  ["{nonsense", "othello", /a comment without its }/],
  ['{"game": 1}', "othello", /is no game: expected a record/],
  ['[Variant "chess"]\n\n1. e4 *', "othello", /^Line 1, column 1: “chess” is not played here: expected othello or connect4/],
]) {
  test(`${JSON.stringify(text)} is refused`, () => {
    assert.throws(() => recognise(text, BOARDS[shown] ?? BOARDS.othello, OFFERED), { message });
  });
}
