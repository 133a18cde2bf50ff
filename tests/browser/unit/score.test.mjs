import assert from "node:assert/strict";
import { test } from "node:test";

import * as score from "../../../server/plywire/server/web/game/score.js";

for (const [kind, value, short, long, verdict, isProven] of [
  ["win", 13, "W13", "wins in 13 moves", "good", true],
  ["win", 1, "W1", "wins in 1 move", "good", true],
  ["loss", 12, "L12", "loses in 12 moves", "bad", true],
  ["draw", 0, "D", "draws", "even", true],
  ["exact", 4, "=+4", "ends 4 discs ahead", "good", true],
  ["exact", -4, "=−4", "ends 4 discs behind", "bad", true],
  ["exact", 0, "=+0", "draws", "even", true],
  ["cp", 80, "+0.8", "about +0.8", "guess", false],
  ["cp", -80, "−0.8", "about −0.8", "guess", false],
  ["cp", 1234, "+12", "about +12.3", "guess", false],
]) {
  test(`${kind} ${value} is written ${short}`, () => {
    const each = { kind, value };
    assert.equal(score.short(each), short);
    assert.equal(score.long(each), long);
    assert.equal(score.verdict(each), verdict);
    assert.equal(score.isProven(each), isProven);
  });
}

test("the balance is the first player's, whoever is to move, and within bounds", () => {
  for (const [kind, value] of [["win", 3], ["loss", 3], ["draw", 0], ["exact", 64], ["cp", -90]]) {
    const [first, second] = [1, 2].map((turn) => score.balance({ kind, value }, turn));
    assert.equal(first + second, 0);
    assert.ok(Math.abs(first) <= 1);
  }
  assert.equal(score.balance({ kind: "win", value: 3 }, 2), -1);
  assert.ok(score.balance({ kind: "cp", value: 50 }, 1) > 0);
});

test("a move is worth as much as the best one, or less", () => {
  const [win, late, draw, guess] = [["win", 3], ["win", 41], ["draw", 0], ["cp", -200]].map(([kind, value]) => ({ kind, value }));
  assert.deepEqual([score.quality(win, win), score.quality(draw, win), score.quality(guess, draw)], [1, 0, 0.75]);
  assert.ok(score.quality(late, win) > 0.5 && score.quality(late, win) < 1);
});

test("what a position is worth is told in words, by who is ahead", () => {
  const told = (kind, value, hasDiscs = true) => score.sentence({ kind, value }, ["Black", "White"], hasDiscs);
  assert.equal(told("win", 1), "Black wins in 1 move: proven.");
  assert.equal(told("loss", 12), "White wins in 12 moves: proven.");
  assert.equal(told("exact", -4), "With best play White wins by 4 discs: proven.");
  assert.equal(told("exact", 0), told("draw", 0));
  assert.equal(told("cp", 120), "Black is ahead by about 1 disc.");
  assert.equal(told("cp", -380), "White is ahead by about 4 discs.");
  assert.equal(told("cp", 30), "About even.");
  assert.equal(told("cp", -380, false), "White is better, it seems.");
});
