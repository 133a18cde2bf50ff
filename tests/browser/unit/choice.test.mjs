import assert from "node:assert/strict";
import { test } from "node:test";

import { keep, kept, settingsOf, USUAL } from "../../../server/plywire/server/web/state/choice.js";

/** @type {Map<string, string>} */
const stored = new Map();
globalThis.localStorage = /** @type {any} */ ({
  getItem: (/** @type {string} */ key) => stored.get(key) ?? null,
  setItem: (/** @type {string} */ key, /** @type {string} */ value) => stored.set(key, value),
});

test("a device keeps what was chosen, and leaves out what nobody can choose", () => {
  assert.deepEqual(kept(), {});
  keep({ ...USUAL, strength: "ms-500", side: 2 });
  assert.deepEqual(kept(), { ...USUAL, strength: "ms-500", side: 2 });
  keep(/** @type {any} */ ({ game: "othello", strength: "level-99", side: 3, opponent: "nobody", time: "5+3" }));
  assert.deepEqual(kept(), { game: "othello", time: "5+3" });
  for (const bad of ["{", "null", "7"]) {
    stored.set("plywire.choice", bad);
    assert.deepEqual(kept(), {});
  }
});

test("a game on the user's own board is played against the engine unless a person was chosen", () => {
  assert.equal(settingsOf({ ...USUAL, opponent: "person" }).opponent, "person");
  assert.equal(settingsOf({ ...USUAL, opponent: "arena" }).opponent, "engine");
});
