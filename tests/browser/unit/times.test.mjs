import assert from "node:assert/strict";
import { test } from "node:test";

import { clock, limitsOf, running, terms, TIMES, worded } from "../../../server/plywire/server/web/game/times.js";

test("what can be chosen is called what its limits are", () => {
  assert.equal(new Set(TIMES.map(([value]) => value)).size, TIMES.length);
  for (const [value, title] of TIMES) assert.equal(terms(limitsOf(value)), title);
  assert.deepEqual(limitsOf("5+3").clock, { p1: 300_000, p2: 300_000, inc1: 3000, inc2: 3000 });
  assert.deepEqual(limitsOf("unknown"), limitsOf("5+3"));
});

for (const [limits, text] of [
  [{ movetime: 10_000 }, "10 s a move"],
  [{ movetime: 50 }, "50 ms a move"],
  [{ depth: 3, nodes: 100 }, "depth 3 100 nodes"],
  [{ clock: { p1: 60_000, p2: 90_000 } }, "1 min against 90 s"],
  [{ clock: { p1: 60_000, p2: 60_000, periods1: 3, byoyomi: 5000 } }, "1 min + 3 × 5 s"],
]) {
  test(`limits read ${text}`, () => assert.equal(terms(limits), text));
}

const byoyomi = { p1: 5000, p2: 0, byoyomi: 30_000, periods1: 2, periods2: 1 };
test("times that a server tells are written as people write them", () => {
  assert.equal(worded("bob: no answer in 15600 ms"), "bob: no answer in 15.6 s");
});

for (const [player, spent, text] of [
  [1, 0, "0:05.0 + 2 × 30 s"],
  [1, 6000, "0:29 + 1 × 30 s"],
  [1, 66_000, "0:00.0"],
  [2, 1000, "0:29"],
]) {
  test(`after ${spent} ms the clock of player ${player} shows ${text}`, () =>
    assert.equal(running(byoyomi, player, spent), text));
}

for (const [ms, text] of [
  [0, "0:00.0"],
  [9_890, "0:09.8"],
  [10_000, "0:10"],
  [299_999, "4:59"],
  [3_600_000, "60:00"],
]) {
  test(`a clock of ${ms} ms shows ${text}`, () => assert.equal(clock(ms), text));
}
