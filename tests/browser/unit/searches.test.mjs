import assert from "node:assert/strict";
import { test } from "node:test";

import { Tree } from "../../../server/plywire/server/web/game/tree.js";
import { Searches } from "../../../server/plywire/server/web/state/searches.js";

/** Searches in a state that is this, and what the engine was asked; it answers at once. */
function searchesIn(/** @type {object} */ others, found = { move: "4", isWeak: false }) {
  /** @type {any[]} */
  const asked = [];
  const state = {
    ...{ mode: "play", sweeping: null, dueReview: null, isHelpBarred: false, isPreparing: false, isWaiting: false, isHidden: false },
    ...{ analysis: { isOn: true, multipv: 1 }, settings: { strength: "level-3" }, infos: new Map(), hint: null },
    tree: new Tree({ game: "connect4", size: "7x6" }),
    ...others,
  };
  const engine = {
    stop() {
      asked.push("stop");
    },
    /** @param {any} line @param {any} go */
    async search(line, go) {
      asked.push(go);
      return found;
    },
    /** @param {any} line @param {any} game */
    async review(line, game) {
      asked.push("review");
      return null;
    },
  };
  return { state, asked, searches: new Searches(/** @type {any} */ (state), /** @type {any} */ (engine)) };
}

for (const [what, others] of Object.entries({
  "the engine's move": { isWaiting: true },
  "an analysis": { mode: "analyse" },
  "an evaluation of the game": { mode: "analyse", sweeping: 0 },
  "a review": { dueReview: { game: { opening: 0 }, reach() {}, end() {}, isRepeated: true } },
})) {
  test(`${what} waits until the engine is ready`, async () => {
    const { state, asked, searches } = searchesIn({ ...others, isPreparing: true });
    await searches.start();
    assert.deepEqual(asked, []);
    assert.equal(state.tree.moves.length, 0);
    state.isPreparing = false;
    await searches.start();
    assert.ok(asked.length > 0);
  });
}

test("a hint waits until the engine is ready", async () => {
  const { state, asked, searches } = searchesIn({ isPreparing: true });
  await searches.hint();
  assert.deepEqual([asked, state.hint], [[], null]);
  state.isPreparing = false;
  await searches.hint();
  assert.equal(state.hint, "4");
});

test("what the engine did not find is no hint, and a move is marked", async () => {
  const weak = { move: "4", isWeak: true };
  const hinted = searchesIn({}, weak);
  await hinted.searches.hint();
  assert.equal(hinted.state.hint, null);
  const played = searchesIn({ isWaiting: true }, weak);
  await played.searches.start();
  assert.equal(played.state.tree.current.isWeak, true);
});

test("a hint is barred while the user plays in the arena", async () => {
  const { asked, searches } = searchesIn({ isHelpBarred: true });
  await searches.hint();
  assert.deepEqual(asked, []);
});

test("an analysis ends while nobody sees the page, and goes on then", async () => {
  const { state, asked, searches } = searchesIn({ mode: "analyse" });
  await searches.start();
  await searches.hide(true);
  await searches.start(); // another position is shown meanwhile
  assert.deepEqual(asked.map((go) => go.limits?.infinite ?? go), [true, "stop"]);
  await searches.hide(false);
  assert.equal(asked.at(-1).limits.infinite, true);
  assert.equal(state.isHidden, false);
});

for (const [what, others] of Object.entries({
  "a game": { mode: "play" },
  "an evaluation of the game": { mode: "analyse", sweeping: 0 },
  "a review": { mode: "analyse", dueReview: {} },
})) {
  test(`${what} goes on while nobody sees the page`, async () => {
    const { asked, searches } = searchesIn(others);
    await searches.hide(true);
    assert.deepEqual(asked, []);
  });
}
