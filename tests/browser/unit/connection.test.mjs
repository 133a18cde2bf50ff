/** The connection to the server, over a socket that the test answers. */

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

import { on } from "../../../server/plywire/server/web/events.js";

/** @type {FakeSocket[]} */
let sockets = [];

class FakeSocket extends EventTarget {
  static OPEN = 1;
  readyState = 0;
  /** @type {any[]} */
  sent = [];

  constructor() {
    super();
    sockets.push(this);
  }

  /** @param {string} text */
  send(text) {
    this.sent.push(...text.split("\n").map((line) => JSON.parse(line)));
  }

  open() {
    this.readyState = FakeSocket.OPEN;
    this.dispatchEvent(new Event("open"));
  }

  /** @param {object} event */
  answer(event) {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(event) }));
  }

  close() {}
}

const { addEventListener, document, WebSocket } = /** @type {any} */ (globalThis);

beforeEach(() => {
  sockets = [];
  Object.assign(globalThis, { addEventListener() {}, document: { addEventListener() {} }, WebSocket: FakeSocket });
});

afterEach(() => {
  Object.assign(globalThis, { addEventListener, document, WebSocket });
});

test("the page asks on opening before anybody else", async () => {
  const { Connection, LostError } = await import("../../../server/plywire/server/web/connection/connection.js");
  const connection = new Connection();
  on(connection, "open", () => connection.ask({ type: "games" }).catch(() => {}));
  connection.open();
  const [socket] = sockets;
  socket.open();
  const early = connection.ask({ type: "go" });
  early.catch(() => {});
  await new Promise(setImmediate);
  assert.deepEqual(socket.sent, [{ type: "hello", version: 1, id: 1 }]);
  await assert.rejects(early, LostError);
  socket.answer({ type: "hello", id: 1 });
  await new Promise(setImmediate);
  assert.deepEqual(socket.sent.slice(1), [{ type: "games", id: 2 }]);
  connection.close();
});
