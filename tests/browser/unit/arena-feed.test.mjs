import assert from "node:assert/strict";
import { test } from "node:test";

import { ArenaFeed } from "../../../server/plywire/server/web/connection/arena-feed.js";
import { emit } from "../../../server/plywire/server/web/events.js";

test("after events were dropped, the feed asks again who is there", async () => {
  /** @type {string[]} */
  const asked = [];
  const connection = Object.assign(new EventTarget(), {
    /** @param {{type: string}} command */
    ask: async ({ type }) => void asked.push(type),
  });
  const feed = new ArenaFeed(/** @type {any} */ (connection));
  await feed.watch();
  for (const player of ["ann", "bob"]) emit(connection, "event", { type: "player-state", player, online: true });
  emit(connection, "event", { type: "missed", count: 3 });
  emit(connection, "event", { type: "player-state", player: "bob", online: true });
  assert.deepEqual([asked, [...feed.bots]], [["watch", "watch"], ["bob"]]);
});
