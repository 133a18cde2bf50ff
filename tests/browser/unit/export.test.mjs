import assert from "node:assert/strict";
import { test } from "node:test";

import { toGgf, toMoves, toPgn } from "../../../server/plywire/server/web/game/export.js";
import { GAMES } from "../../../server/plywire/server/web/game/games.js";
import { recognise } from "../../../server/plywire/server/web/game/paste.js";

const START = "8/8/8/3ox3/3xo3/8/8/8 x";
const common = { players: ['a"b]', "engine"], end: null };
const othello = { ...common, game: "othello", size: "8x8", fen: START, isUsual: true, moves: ["f5", "d6", "c3"] };
const shown = { game: "tictactoe", size: "3x3" };

test("moves are written with spaces only where they are needed", () => {
  assert.equal(toMoves(othello), "f5d6c3");
  assert.equal(toMoves({ game: "connect4", size: "7x6", moves: ["4", "4"] }), "44");
  assert.equal(toMoves({ game: "connect4", size: "12x4", moves: ["1", "12"] }), "1 12");
});

test("what is written as GGF or PGN is read again", () => {
  const { game, size, moves } = othello;
  assert.deepEqual(recognise(toGgf(othello), shown, GAMES), { game, size, fen: START, moves });
  assert.deepEqual(recognise(toPgn(othello), shown, GAMES), { game, size, fen: null, moves });
  const fen = "xxxxxxo1/xxxxxxx1/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx o";
  const late = { ...othello, fen, isUsual: false, moves: ["pass", "h1"] };
  for (const write of [toGgf, toPgn]) {
    assert.deepEqual(recognise(write(late), shown, GAMES), { game, size, fen, moves: late.moves });
  }
});

test("a game is PGN by its standard, and says how it ended", () => {
  const end = { winner: 2, score: -4 };
  const moves = Array.from({ length: 42 }, (_, ply) => String((ply % 7) + 1));
  const text = toPgn({ ...common, game: "connect4", size: "7x6", fen: "", isUsual: true, moves, end });
  assert.ok(text.startsWith('[Event "Plywire"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "-"]\n[White "a\\"b]"]\n'));
  assert.ok(text.includes('[Result "0-1"]') && /\s0-1\n$/.test(text));
  assert.ok(text.split("\n").every((line) => line.length < 80));
  assert.ok(toPgn({ ...othello, end: { ...end, winner: null } }).endsWith("1/2-1/2\n"));
  assert.match(toGgf({ ...othello, end }), /^\(;GM\[Othello\].*RE\[-4\.000\].*B\[F5\]W\[D6\]B\[C3\];\)\n$/);
});
