import assert from "node:assert/strict";
import { test } from "node:test";

import { accuracy, notes, review } from "../../../server/plywire/server/web/game/review.js";
import { Tree } from "../../../server/plywire/server/web/game/tree.js";

/** A game, and what its positions are worth to the first player; null is not known. */
function played(game, values) {
  const moves = values.slice(1).map((_, index) => `m${index}`);
  const tree = new Tree({ game, size: "7x6", moves });
  return { tree, values: new Map(tree.current.path.map((ply, index) => [ply, values[index]])) };
}

const texts = (found) => [...found.values()].map(({ text }) => text);

test("the move that threw the game away is the one that lost it", () => {
  const { tree, values } = played("connect4", [0, 0, 1, 1, 1]);
  const found = notes(tree, values, 1);
  assert.deepEqual(texts(found), ["D", "L??", "W", "L"]);
  assert.deepEqual([...found.values()].map(({ isLosing }) => isLosing), [false, true, false, false]);
  assert.deepEqual(accuracy(tree, values), [[2, 2], [1, 2]]);
});

test("a mistake that was not punished lost nothing", () => {
  const { tree, values } = played("connect4", [0, -1, 0]);
  assert.deepEqual(texts(notes(tree, values, undefined)), ["L?", "D?"]);
});

test("discs are counted where the game counts them", () => {
  const { tree, values } = played("othello", [4, 4, -2]);
  assert.deepEqual(texts(notes(tree, values, 2)), ["+4", "+2?"]);
});

test("what is not known is not judged", () => {
  const { tree, values } = played("connect4", [null, null, 1, 1]);
  assert.deepEqual(texts(notes(tree, values, 1)), ["L", "W"]);
  assert.deepEqual(accuracy(tree, values), [[1, 1], [0, 0]]);
});

/** An engine that proves of each position what it is told, by the number of moves before it. */
function engineOf(scores) {
  return {
    describe: async ({ moves }) => ({ over: moves.length === 2, score: 1 }),
    search: async ({ moves }, _go, onInfo) => onInfo({ multipv: 1, score: scores[moves.length] }),
  };
}

test("a game is reviewed from its last position, for the first player, as far as it is proven", async () => {
  const { tree } = played("connect4", [0, 0, 0]);
  const engine = engineOf([{ kind: "cp", value: 30 }, { kind: "loss", value: 1 }]);
  const said = [];
  await review(engine, tree, tree.current.path, () => true, (values) => said.push([...values.values()]));
  assert.deepEqual(said, [[1], [1, 1], [1, 1, null]]);
});

test("a review that is not wanted any more ends", async () => {
  const { tree } = played("connect4", [0, 0, 0]);
  let left = 1;
  const said = [];
  await review(engineOf([]), tree, tree.current.path, () => left-- > 0, () => said.push(1));
  assert.deepEqual(said, [1]);
});
