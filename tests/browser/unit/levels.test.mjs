import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { choose, STRENGTHS } from "../../../server/plywire/server/web/game/levels.js";

const line = { game: "connect4", size: "7x6", fen: null, moves: [] };
/** What the engine finds in two iterations, of which the last counts. */
const FOUND = [
  [1, "cp", 10, "1"],
  [1, "win", 3, "4"],
  [2, "draw", 0, "3"],
  [3, "loss", 2, "7"],
].map(([multipv, kind, value, move]) => ({ multipv, score: { kind, value }, pv: [move] }));

/** An engine that finds what it is told to, and keeps what it was asked. */
function engineOf(infos) {
  const asked = [];
  const search = async (_line, limits, multipv, onInfo) => {
    asked.push({ limits, multipv });
    infos.forEach(onInfo);
    return infos.at(-1)?.pv[0] ?? "best";
  };
  return { asked, search };
}

/** The move at a level where chance draws that number, from 0 to 1. */
async function drawn(level, chance) {
  const random = mock.method(Math, "random", () => chance);
  try {
    return await choose(engineOf(FOUND), line, level, () => {});
  } finally {
    random.mock.restore();
  }
}

test("every strength is one that can be played", async () => {
  for (const [value] of STRENGTHS) {
    const engine = engineOf([]);
    assert.equal(await choose(engine, { ...line, game: "othello" }, value, () => {}), "best");
    assert.equal(engine.asked.length, 1);
  }
});

test("time is what the engine is given", async () => {
  for (const [strength, movetime] of [["instant", 5], ["ms-3000", 3000]]) {
    const engine = engineOf([]);
    await choose(engine, line, strength, () => {});
    assert.deepEqual(engine.asked, [{ limits: { movetime }, multipv: 1 }]);
  }
});

test("a level is so many positions in games that are not solved", async () => {
  const engine = engineOf([]);
  await choose(engine, { ...line, game: "othello" }, "level-3", () => {});
  assert.deepEqual(engine.asked, [{ limits: { nodes: 640 }, multipv: 1 }]);
});

test("the highest level plays the best move, whatever chance says", async () => {
  for (const chance of [0, 0.5, 0.999]) assert.equal(await drawn("level-10", chance), "4");
});

test("lower levels draw among the moves of the last iteration, the better the likelier", async () => {
  assert.equal(await drawn("level-1", 0), "4");
  assert.equal(await drawn("level-1", 0.999), "7");
  const counts = new Map();
  for (let chance = 0.005; chance < 1; chance += 0.01) {
    const move = await drawn("level-4", chance);
    counts.set(move, (counts.get(move) ?? 0) + 1);
  }
  assert.ok(counts.get("4") > (counts.get("3") ?? 0));
  assert.ok(!counts.has("1"));
});
