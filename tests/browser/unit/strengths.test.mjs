import assert from "node:assert/strict";
import { test } from "node:test";

import { asked, highest, offered, STRENGTHS } from "../../../server/plywire/server/web/game/strengths.js";

test("time is what the engine is given", () => {
  assert.deepEqual(asked("instant"), { limits: { movetime: 5 } });
  assert.deepEqual(asked("ms-3000"), { limits: { movetime: 3000 } });
});

test("levels are left to the server, and each is offered", () => {
  const levels = STRENGTHS.map(([value]) => asked(value).level).filter(Boolean);
  assert.deepEqual(levels, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test("only games that are played without a mistake are called so", () => {
  assert.deepEqual(["connect4", "tictactoe", "othello"].map(highest), [
    "Level 10 (perfect)",
    "Level 10 (perfect)",
    "Level 10 (strongest)",
  ]);
});

test("a simple engine has three levels, and takes no time", () => {
  assert.deepEqual(offered(true).map(([value]) => value), ["level-1", "level-2", "level-3"]);
  assert.equal(offered(false).length, STRENGTHS.length);
});
