import assert from "node:assert/strict";
import { test } from "node:test";

import { LostError } from "../../../server/plywire/server/web/connection/connection.js";
import { emit, on } from "../../../server/plywire/server/web/events.js";
import { Readiness } from "../../../server/plywire/server/web/state/readiness.js";

/** A connection that notes what is asked, and answers when the test says so. */
class FakeConnection extends EventTarget {
  isOpen = true;
  /** @type {{command: any, tell: (event: any) => void, resolve: () => void, reject: (error: Error) => void}[]} */
  asked = [];

  /** @param {any} command @param {(event: any) => void} tell */
  ask(command, tell) {
    return new Promise((resolve, reject) => {
      this.asked.push({ command, tell, resolve: () => resolve({ type: "ready" }), reject });
    });
  }
}

/** What was told of a game that is asked for once. */
function asked() {
  const connection = new FakeConnection();
  const readiness = new Readiness(/** @type {any} */ (connection));
  /** @type {string[]} */
  const told = [];
  for (const type of ["change", "ready"]) on(readiness, type, () => told.push(type));
  const done = readiness.want("othello", "8x8");
  return { connection, readiness, told, done };
}

test("a game is prepared once, with the progress in words", async () => {
  const { connection, readiness, told, done } = asked();
  readiness.want("othello", "8x8");
  assert.deepEqual(
    connection.asked.map(({ command }) => command),
    [{ type: "prepare", game: "othello", size: "8x8" }],
  );
  const [{ tell, resolve }] = connection.asked;
  assert.equal(readiness.text("othello", "8x8"), "Preparing the engine…");
  tell({ type: "preparing", step: "machine code", seconds_left: 2 });
  assert.equal(readiness.text("othello", "8x8"), "Preparing the engine, 2 s left");
  tell({ type: "preparing", step: "machine code" });
  assert.equal(readiness.text("othello", "8x8"), "Preparing the engine…");
  assert.equal(readiness.isPreparing("othello", "8x8"), true);
  assert.equal(readiness.isPreparing("connect4", "7x6"), false);
  resolve();
  await done;
  assert.deepEqual([readiness.isPreparing("othello", "8x8"), readiness.text("othello", "8x8")], [false, ""]);
  assert.deepEqual(told, ["change", "change", "ready"]);
});

test("nobody waits for what cannot be prepared", async () => {
  const { connection, readiness, told, done } = asked();
  connection.asked[0].reject(new Error("Othello cannot be prepared."));
  await done;
  assert.equal(readiness.isPreparing("othello", "8x8"), false);
  assert.deepEqual(told, ["ready"]);
});

test("another connection is asked again", async () => {
  const { connection, readiness, told, done } = asked();
  connection.isOpen = false;
  emit(connection, "lost", "");
  connection.asked[0].reject(new LostError());
  await done;
  assert.equal(readiness.isPreparing("othello", "8x8"), false);
  readiness.want("othello", "8x8");
  assert.equal(connection.asked.length, 1);
  connection.isOpen = true;
  emit(connection, "open", {});
  readiness.want("othello", "8x8");
  assert.equal(connection.asked.length, 2);
  assert.deepEqual(told, []);
});
