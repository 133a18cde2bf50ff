/** The page's engine without a page; `test_page_engine.py` compares what it finds with Python. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { LocalEngine, tableSize } from "../../../server/plywire/server/web/engine/client.js";
import { Engine } from "../../../server/plywire/server/web/engine/engine.js";
import { GAMES } from "../../../server/plywire/server/web/engine/layout.js";
import { pick } from "../../../server/plywire/server/web/engine/levels.js";
import { UnavailableError } from "../../../server/plywire/server/web/engine/unavailable.js";
import { RulesError } from "../../../server/plywire/server/web/game/rules/rules.js";

const FOLDER = new URL("../../../server/plywire/server/web/engine/", import.meta.url);
const OPTIONS = { hashMb: 16 };

async function load(/** @type {string} */ name) {
  return new Uint8Array(await readFile(new URL(name, FOLDER))).buffer;
}

/** A line of a game from its start. */
function line(/** @type {string} */ game, moves = "") {
  return { game, size: GAMES.get(game)?.size ?? "8x8", fen: null, moves: moves.split(" ").filter(Boolean) };
}

/** Not solved within seconds. */
const HARD = { connect4: line("connect4", "4 1 2 2 7 6 5"), othello: line("othello", "f5 d6") };

for (const [what, flag] of /** @type {[string, Int32Array | null][]} */ ([
  ["in slices", null],
  ["in one piece", new Int32Array(new SharedArrayBuffer(4))],
])) {
  for (const [game, hard] of Object.entries(HARD)) {
    test(`a search ${what} ends when it is stopped, and answers: ${game}`, async () => {
      const engine = new Engine(load, { ...OPTIONS, flag });
      const answer = await engine.analyse(hard, { limits: { infinite: true }, multipv: 2 }, () => engine.stop());
      assert.equal(answer.move, answer.lines[0].pv[0]);
      flag?.fill(0);
    });
  }
}

test("messages come in between slices, and the search goes on", async () => {
  const engine = new Engine(load, OPTIONS);
  const deep = { limits: { depth: 17 } };
  const whole = new Engine(load, { ...OPTIONS, flag: new Int32Array(1) });
  let heard = 0;
  const timer = setInterval(() => heard++);
  const answer = await engine.analyse(HARD.connect4, deep);
  clearInterval(timer);
  assert.ok(heard > 0);
  const expected = await whole.analyse(HARD.connect4, deep);
  assert.deepEqual([answer.move, answer.lines[0].depth, answer.lines[0].score], [expected.move, 17, expected.lines[0].score]);
});

test("the next question ends the search before it, which answers first", async () => {
  const engine = new Engine(load, OPTIONS);
  const order = /** @type {string[]} */ ([]);
  const first = engine.analyse(HARD.othello, { limits: { infinite: true } }, () => {}).then(() => order.push("first"));
  const second = engine.analyse(line("tictactoe"), { limits: { depth: 9 } }).then(({ move }) => order.push(`second ${move}`));
  await Promise.all([first, second]);
  assert.deepEqual(order, ["first", "second b2"]);
});

test("an infinite search of a position that is proven answers only when it is stopped", async () => {
  const engine = new Engine(load, OPTIONS);
  let isProven = false;
  const answer = engine.analyse(line("tictactoe"), { limits: { infinite: true } }, ({ depth }) => (isProven = depth === 9));
  const timer = setInterval(() => isProven && engine.stop());
  assert.deepEqual((await answer).lines[0].score, { kind: "draw", value: 0 });
  clearInterval(timer);
});

test("a search gives signs of life, also when it only waits", async (context) => {
  let signs = 0;
  const engine = new Engine(load, { ...OPTIONS, flag: new Int32Array(1), onLife: () => signs++ });
  await engine.analyse(HARD.connect4, { limits: { nodes: 100_000 } });
  assert.ok(signs > 0);
  context.mock.timers.enable({ apis: ["setInterval"] });
  let isProven = false;
  const answer = engine.analyse(line("tictactoe"), { limits: { infinite: true } }, ({ depth }) => (isProven = depth === 9));
  while (!isProven) await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  const before = signs;
  context.mock.timers.tick(1000);
  assert.equal(signs, before + 1);
  engine.stop();
  await answer;
});

test("a question does not wait for files of another game that do not come", async () => {
  const engine = new Engine((name) => (name.startsWith("othello") ? new Promise(() => {}) : load(name)), OPTIONS);
  const stuck = engine.analyse(line("othello", "f5"), {});
  assert.equal((await engine.analyse(line("tictactoe"), {})).move, "b2");
  assert.deepEqual(await stuck, { move: null, lines: [] });
});

test("time ends a search", async () => {
  const { move, lines } = await new Engine(load, OPTIONS).analyse(HARD.othello, { limits: { movetime: 50 } });
  assert.equal(lines[0].pv[0], move);
});

test("a position in which the game is over has no move", async () => {
  const over = line("connect4", "1 2 1 2 1 2 1");
  assert.deepEqual(await new Engine(load, OPTIONS).analyse(over, {}), { move: null, lines: [] });
});

test("an only move, and a pass, are moves", async () => {
  const fen = "xo6/8/8/3xo3/3xx3/8/8/o7 o";
  const passed = { game: "othello", size: "8x8", fen: fen.replace(" o", " x"), moves: [] };
  const { move } = await new Engine(load, OPTIONS).analyse(passed, { limits: { movetime: 50 } });
  assert.ok(move);
  const pass = { game: "othello", size: "8x8", fen: "xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxo/xxxxxxx1 o", moves: [] };
  const found = await new Engine(load, OPTIONS).analyse({ ...pass, fen: "xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxo2 o" }, {});
  assert.deepEqual([found.move, found.lines[0].squares[0]], ["pass", "-"]);
});

test("openings of Connect Four are known at once", async () => {
  const { lines } = await new Engine(load, OPTIONS).analyse(line("connect4"), { limits: { nodes: 100 }, multipv: 7 });
  assert.deepEqual(lines[0].score, { kind: "win", value: 41 });
  assert.equal(lines[0].pv[0], "4");
});

test("what the engine does not know is refused", async () => {
  const engine = new Engine(load, OPTIONS);
  await assert.rejects(engine.analyse({ ...line("connect4"), size: "8x7" }, {}), UnavailableError);
  await assert.rejects(engine.analyse({ ...line("gomoku"), size: "9x9" }, {}), UnavailableError);
  await assert.rejects(engine.analyse({ ...line("connect4"), fen: "7/7/7/7/7/8 x" }, {}), RulesError);
  assert.equal((await engine.analyse(line("tictactoe"), {})).move, "b2");
});

test("a file that is missing or damaged is asked for again the next time", async () => {
  let what = "missing";
  const engine = new Engine(async (name) => {
    if (what === "missing") throw new UnavailableError("It is missing.");
    return what === "damaged" ? new ArrayBuffer(9) : load(name);
  }, OPTIONS);
  await assert.rejects(engine.analyse(line("tictactoe"), {}), UnavailableError);
  what = "damaged";
  await assert.rejects(engine.analyse(line("tictactoe"), {}), UnavailableError);
  what = "there";
  assert.equal((await engine.analyse(line("tictactoe"), {})).move, "b2");
});

test("the data of another game are refused", async () => {
  const [own, other] = ["othello", "connect4"].map((name) => GAMES.get(name)?.data?.file ?? "");
  for (const [game, wrong, right] of [["othello", other, own], ["connect4", own, other]]) {
    const engine = new Engine((name) => load(name === right ? wrong : name), OPTIONS);
    await assert.rejects(engine.analyse(line(game), { limits: { depth: 1 } }), UnavailableError);
  }
});

test("a device without memory is told so", async () => {
  const engine = new Engine(load, { hashMb: 1 << 20 });
  await assert.rejects(engine.analyse(line("connect4"), {}), /memory/);
});

test("a level chooses likelier moves more often", () => {
  const layout = /** @type {any} */ (GAMES.get("othello"));
  const found = /** @type {any} */ ({
    best: 19,
    lines: [19, 26].map((move, place) => ({ score: { kind: "cp", value: -1000 * place }, pv: [move] })),
  });
  const picks = (/** @type {number} */ level) => Array.from({ length: 100 }, (_, index) => pick(layout, level, found, () => index / 100));
  const count = (/** @type {number} */ level) => picks(level).filter((move) => move === 19).length;
  assert.ok(count(1) > 50 && count(1) < count(5));
  assert.equal(count(10), 100);
});

test("a level searches, and plays a legal move", async () => {
  const engine = new Engine(load, { ...OPTIONS, random: () => 0.999999 });
  const { move } = await engine.analyse(line("othello", "f5"), { level: 1 });
  assert.ok(["d6", "f6", "f4"].includes(move ?? ""));
});

// ---- the worker's other end ----

/** A worker of which a test plays the part. */
class FakeWorker extends EventTarget {
  /** @type {FakeWorker[]} */
  static all = [];
  /** @type {any[]} */
  heard = [];
  isEnded = false;

  constructor() {
    super();
    FakeWorker.all.push(this);
  }

  postMessage(/** @type {any} */ message) {
    this.heard.push(message);
  }

  terminate() {
    this.isEnded = true;
  }

  say(/** @type {any} */ reply) {
    this.dispatchEvent(Object.assign(new Event("message"), { data: reply }));
  }
}

/** A client of fake workers. */
function client() {
  FakeWorker.all = [];
  /** @type {any} */ (globalThis).Worker = FakeWorker;
  return new LocalEngine("worker.js");
}

test("the worker starts with the first question", async () => {
  const engine = client();
  engine.stop();
  assert.equal(FakeWorker.all.length, 0);
  const infos = /** @type {any[]} */ ([]);
  const answer = engine.analyse(line("tictactoe"), {}, (info) => infos.push(info));
  const [worker] = FakeWorker.all;
  assert.deepEqual(worker.heard.map(({ type }) => type), ["options", "analyse"]);
  const { number } = worker.heard[1];
  worker.say({ type: "info", number, info: "a line" });
  worker.say({ type: "answer", number, answer: { move: "b2", lines: [] } });
  assert.deepEqual([await answer, infos], [{ move: "b2", lines: [] }, ["a line"]]);
  engine.stop();
  assert.equal(worker.heard.length, 2);
});

test("a stop sets the shared word at once", async () => {
  const engine = client();
  const questions = [1, 2].map(() => engine.analyse(line("tictactoe"), {}));
  const [worker] = FakeWorker.all;
  const { flag } = worker.heard[0].options;
  assert.equal(flag[0], 1);
  engine.stop();
  assert.equal(flag[0], 2);
  assert.deepEqual(worker.heard.map(({ type }) => type), ["options", "analyse", "stop", "analyse", "stop"]);
  engine.close();
  for (const question of questions) await assert.rejects(question, UnavailableError);
});

test("what the worker cannot do fails with its sentence", async () => {
  const engine = client();
  const refused = engine.analyse(line("tictactoe"), {});
  const [worker] = FakeWorker.all;
  worker.say({ type: "failure", number: worker.heard[1].number, message: "There is not enough memory." });
  await assert.rejects(refused, { message: "There is not enough memory." });
  assert.ok(!worker.isEnded);
});

test("a worker that dies fails its questions, and the next one starts another", async () => {
  const engine = client();
  const lost = engine.analyse(line("tictactoe"), {});
  FakeWorker.all[0].dispatchEvent(new Event("error"));
  await assert.rejects(lost, UnavailableError);
  assert.ok(FakeWorker.all[0].isEnded);
  const answer = engine.analyse(line("tictactoe"), {});
  const { number } = FakeWorker.all[1].heard[1];
  FakeWorker.all[1].say({ type: "answer", number, answer: { move: "b2", lines: [] } });
  assert.equal((await answer).move, "b2");
});

test("a worker without a sign of life fails its questions, and the next one starts another", async (context) => {
  context.mock.timers.enable({ apis: ["setInterval"] });
  const engine = client();
  const lost = engine.analyse(line("tictactoe"), {});
  const [worker] = FakeWorker.all;
  for (let second = 0; second < 60; second++) {
    context.mock.timers.tick(1000);
    worker.say({ type: "alive" });
  }
  assert.ok(!worker.isEnded);
  for (let second = 0; second < 10; second++) context.mock.timers.tick(1000);
  await assert.rejects(lost, { message: "The page's engine does not answer." });
  assert.ok(worker.isEnded);
  const answer = engine.analyse(line("tictactoe"), {});
  const { number } = FakeWorker.all[1].heard[1];
  FakeWorker.all[1].say({ type: "answer", number, answer: { move: "b2", lines: [] } });
  await answer;
  for (let second = 0; second < 60; second++) context.mock.timers.tick(1000); // nothing is asked, so nothing is missing
  assert.ok(!FakeWorker.all[1].isEnded);
});

test("without workers or WebAssembly there is a sentence", async () => {
  const engine = client();
  /** @type {any} */ (globalThis).Worker = undefined;
  await assert.rejects(engine.analyse(line("tictactoe"), {}), UnavailableError);
  const { validate } = WebAssembly;
  /** @type {any} */ (globalThis).Worker = FakeWorker;
  WebAssembly.validate = () => false;
  await assert.rejects(engine.analyse(line("tictactoe"), {}), UnavailableError);
  WebAssembly.validate = validate;
});

test("the table is as large as the device allows", () => {
  assert.deepEqual([0.5, 4, 8, undefined].map((gigabytes) => tableSize(gigabytes)), [16, 32, 64, 32]);
});
