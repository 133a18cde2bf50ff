import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";

import { LostError } from "../../../server/plywire/server/web/connection/connection.js";
import { UnavailableError } from "../../../server/plywire/server/web/engine/unavailable.js";
import { emit } from "../../../server/plywire/server/web/events.js";
import { OPENINGS } from "../../../server/plywire/server/web/engine/layout.js";
import { QuietError } from "../../../server/plywire/server/web/state/fair-play.js";
import { Engines } from "../../../server/plywire/server/web/state/engines.js";

const START = { game: "connect4", size: "7x6", fen: null, moves: [] };
const OTHELLO = { game: "othello", size: "8x8", fen: null, moves: ["f5"] };
const NINE = { ...START, moves: [..."444444125"].map(String) };
const ENDLESS = { limits: { infinite: true } };

/** Engines of a page, and what each was asked. The page's files are there, and the server is ready unless said otherwise. */
function engines({ isOpen = true, isReady = true, isPlaying = false, hasServer = true } = {}) {
  /** @type {string[]} */
  const asked = [];
  const connection = Object.assign(new EventTarget(), { isOpen });
  const parts = {
    ...{ connection, hasServer },
    /** @type {Error | null} */
    fault: null,
    /** @type {Error | null} */
    loss: null,
    /** The only game that has the fault. @type {string | undefined} */
    faulty: undefined,
    local: {
      stop: () => {},
      analyse: async (/** @type {any} */ line, /** @type {any} */ go, /** @type {any} */ onInfo) => {
        asked.push(go.limits?.depth === 1 ? "loading" : "page");
        if (parts.fault && line.game === (parts.faulty ?? line.game)) throw parts.fault;
        onInfo?.({ multipv: 1, pv: ["4"], score: { kind: "cp", value: 0 } });
        return { move: "4", lines: [] };
      },
    },
    remote: {
      stop: () => {},
      search: async () => {
        asked.push("server");
        if (parts.loss) {
          connection.isOpen = false;
          throw parts.loss;
        }
        return { move: "3", isWeak: false };
      },
      review: async () => {
        asked.push("server");
        return "the server's";
      },
    },
    readiness: Object.assign(new EventTarget(), {
      isReady: () => isReady,
      want: async () => asked.push("prepare"),
    }),
    fairPlay: {
      check: async () => {
        if (isPlaying) throw new QuietError();
      },
      over: async () => {
        isPlaying = false;
      },
    },
  };
  return { asked, parts, engines: new Engines(/** @type {any} */ (parts)) };
}

/** Engines whose page has Othello's weights. */
async function loaded(options = {}) {
  const { engines: all, ...others } = engines({ ...options, isReady: false });
  await all.search(OTHELLO, { level: 1 });
  others.parts.readiness.isReady = () => true;
  return { engines: all, ...others };
}

for (const [what, line, go, speaker] of /** @type {[string, any, any, string][]} */ ([
  ["a level below the highest", NINE, { level: 9 }, "page"],
  ["the start of Connect Four", START, ENDLESS, "page"],
  ["a position of the server's book", NINE, ENDLESS, "server"],
  ["the highest level in the server's book", NINE, { level: 10 }, "server"],
  ["a late position", { ...NINE, moves: [...NINE.moves, ..."1234"] }, ENDLESS, "page"],
  ["a position that was set up", { ...START, fen: "7/7/7/7/xxoo3/ooxx3 x", moves: ["1", "2"] }, ENDLESS, "server"],
  ["another size", { ...START, size: "8x7" }, { level: 1 }, "server"],
  ["another game", { ...START, game: "gomoku", size: "15x15" }, { level: 1 }, "server"],
  ["Tic-Tac-Toe", { game: "tictactoe", size: "3x3", fen: null, moves: [] }, ENDLESS, "page"],
])) {
  test(`${what} is answered by the engine ${speaker === "page" ? "in the page" : "on the server"}`, async () => {
    assert.equal(engines().engines.speaker(line, go), speaker);
    assert.equal(engines().engines.needsServer(line, go), speaker === "server");
  });
}

test("the page answers as far as its scores of openings lead", () => {
  const { engines: all } = engines();
  const moves = [..."4444441255"].map(String);
  const speakers = moves.map((_, stones) => all.speaker({ ...START, moves: moves.slice(0, stones) }, ENDLESS));
  assert.equal(speakers.indexOf("server"), OPENINGS.plies);
});

test("only Othello's highest level is played by the server, and not in the endgame", async () => {
  const { engines: all } = await loaded();
  const few = { ...OTHELLO, fen: `${"xxxxxxxx/".repeat(5)}ooo5/8/8 x`, moves: [] };
  const said = [ENDLESS, { level: 9 }, { level: 10 }].map((go) => all.speaker(OTHELLO, go));
  assert.deepEqual([...said, all.speaker(few, { level: 10 })], ["page", "page", "server", "server"]);
  assert.equal(all.speaker({ ...few, fen: `${"xxxxxxxx/".repeat(5)}oooooooo/8/8 x` }, { level: 10 }), "page");
});

test("the server answers while a slow link brings the weights, if it is ready", async () => {
  const { asked, engines: all } = engines();
  await all.search(OTHELLO, { level: 1 });
  assert.deepEqual(asked.sort(), ["loading", "server"]);
  await all.search(OTHELLO, { level: 1 });
  assert.deepEqual(asked.at(-1), "page");
});

test("nothing waits for a server that is not ready, or not there", async () => {
  for (const options of [{ isReady: false }, { isOpen: false }]) {
    const { asked, engines: all } = engines(options);
    assert.equal((await all.search(NINE, ENDLESS)).move, "4");
    assert.deepEqual(asked, ["page"]);
  }
});

test("the page answers if the connection is lost", async () => {
  const { asked, parts, engines: all } = engines();
  parts.loss = new LostError();
  assert.equal((await all.search(NINE, ENDLESS)).move, "4");
  assert.deepEqual(asked.filter((each) => each !== "loading"), ["server", "page"]);
  parts.connection.isOpen = true;
  await assert.rejects(all.search({ ...START, size: "8x7" }, ENDLESS), LostError);
});

test("the server answers once the page's engine fails, until it is tried again", async () => {
  const { asked, parts, engines: all } = engines();
  let changes = 0;
  all.addEventListener("change", () => changes++);
  parts.fault = new UnavailableError("It broke.");
  assert.equal((await all.search(START, { level: 3 })).move, "3");
  assert.deepEqual([all.trouble(START), changes], ["It broke.", 1]);
  assert.equal(all.needsServer(START, { level: 3 }), true);
  await all.search(START, { level: 3 });
  assert.deepEqual(asked, ["page", "server", "server"]);
  parts.fault = null;
  emit(parts.connection, "open");
  const isLoaded = once(all, "loaded");
  await all.search(START, { level: 3 });
  await isLoaded;
  assert.deepEqual([asked.slice(3), all.trouble(START)], [["loading", "server"], ""]);
  assert.equal((await all.search(START, { level: 3 })).move, "4");
});

for (const [who, hasServer] of /** @type {[string, boolean][]} */ ([["a server", true], ["no server", false]])) {
  test(`with ${who}, a failure belongs to its game, and the page's engine is tried again later`, async (context) => {
    const { asked, parts, engines: all } = engines({ hasServer, isOpen: hasServer });
    let now = 0;
    context.mock.method(performance, "now", () => now);
    await all.search(START, { level: 3 });
    parts.fault = new UnavailableError("It broke.");
    parts.faulty = "othello";
    for (const line of [OTHELLO, OTHELLO, START]) await all.search(line, { level: 3 });
    assert.deepEqual([all.speaker(START, ENDLESS), all.speaker(OTHELLO, ENDLESS)], ["page", hasServer ? "server" : "plain"]);
    assert.deepEqual(asked.filter((each) => each === "loading").length, Number(hasServer));
    parts.fault = null;
    now = 60_000;
    const isLoaded = once(all, "loaded");
    await all.search(OTHELLO, { level: 3 });
    await isLoaded;
    assert.equal(all.speaker(OTHELLO, ENDLESS), "page");
  });
}

test("on a board that the page's engine does not know, a plain search answers when the server is lost", async () => {
  const { parts, engines: all } = engines({ isOpen: false });
  const line = { ...START, size: "8x7", moves: ["1"] };
  assert.equal(all.speaker(line, ENDLESS), "server"); // there is no connection yet
  parts.remote.review = async () => {
    emit(parts.connection, "lost");
    throw new LostError();
  };
  const again = once(all, "again");
  const reviewed = await all.review(line, { opening: 0 }, () => {});
  await again;
  assert.equal(reviewed?.players.length, 2);
  assert.equal(all.speaker(line, ENDLESS), "plain");
  assert.equal(all.speaker({ ...START, game: "gomoku", size: "15x15" }, ENDLESS), "server");
  assert.equal(all.speaker({ ...START, size: "3x" }, ENDLESS), "plain"); // while the user types a size
  emit(parts.connection, "open");
  assert.equal(all.speaker(line, ENDLESS), "server");
});

test("without both, a plain search plays and analyses", async () => {
  const { parts, engines: all } = engines({ isOpen: false });
  emit(parts.connection, "lost");
  parts.fault = new UnavailableError("It broke.");
  const three = { ...START, moves: [..."414243"].map(String) };
  /** @type {any[]} */
  const infos = [];
  assert.equal((await all.search(three, { level: 5 }, (info) => infos.push(info))).move, "4");
  assert.deepEqual([infos.length, infos[0].score, infos[0].pv], [1, { kind: "win", value: 1 }, ["4"]]);
  const lost = { ...START, moves: [..."44556"].map(String) }; // three in a row, open at both ends
  await all.search(lost, { ...ENDLESS, multipv: 64 }, (info) => infos.push(info));
  assert.deepEqual(infos.slice(1).map(({ score }) => score.kind), Array(7).fill("loss"));
});

test("without a server, a plain search plays and reviews on boards that the page's engine does not know", async () => {
  const { asked, engines: all } = engines({ isOpen: false, hasServer: false });
  const line = { ...START, size: "8x7", moves: [..."1818181"] };
  assert.match(String((await all.search({ ...line, moves: [] }, { level: 3 })).move), /^[1-8]$/);
  /** @type {number[]} */
  const judged = [];
  const reviewed = await all.review(line, { opening: 0, winner: 1 }, ({ number }) => judged.push(number));
  assert.equal(judged[0], line.moves.length);
  assert.equal(reviewed?.players.length, 2);
  assert.deepEqual(asked, []);
});

test("what another question ended says nothing", async () => {
  const { parts, engines: all } = engines({ isOpen: false });
  parts.fault = new UnavailableError("It broke.");
  const first = all.search(START, { level: 3 });
  all.stop();
  assert.equal((await first).move, null);
});

for (const [who, line] of /** @type {[string, any][]} */ ([
  ["the page's engine", START],
  ["the server's engine", NINE],
  ["the server's engine, on another board,", { ...START, size: "8x7" }],
])) {
  test(`${who} helps only when the game in another tab is over`, async () => {
    for (const ask of [
      (/** @type {Engines} */ all) => all.search(line, ENDLESS),
      (/** @type {Engines} */ all) => all.review(line, { opening: 0 }, () => {}),
    ]) {
      const { asked, engines: all } = engines({ isPlaying: true });
      const again = once(all, "again");
      await assert.rejects(ask(all), /quiet/);
      assert.deepEqual(asked.filter((each) => each !== "prepare"), []);
      await again;
      assert.ok(await ask(all));
    }
  });
}

test("a review asks for each position, and ends with the next question", async () => {
  const { asked, engines: all } = engines();
  /** @type {any[]} */
  const judged = [];
  const game = { opening: 0, nodes: 10 };
  const line = { ...START, moves: ["4", "4", "4"] };
  const reviewed = await all.review(line, game, (each) => judged.push(each));
  assert.deepEqual(judged.map(({ number, move, mark, best }) => [number, move, mark, best]), [3, 2, 1].map((number) => [number, "4", "unproven", "4"]));
  assert.deepEqual(reviewed?.players, Array(2).fill({ moves: 0, best: 0, sound: 0 }));
  assert.deepEqual(asked, Array(4).fill("page"));
  const long = { ...line, moves: [..."4444441256"].map(String) };
  await all.review(long, game, () => {});
  const opened = [...Array(2).fill("server"), ...Array(8).fill("page")]; // the last move first
  assert.deepEqual(asked.slice(4).filter((each) => each !== "loading"), ["prepare", "server", ...opened]);
  const ended = all.review(line, game, () => {});
  all.stop();
  assert.equal(await ended, null);
  assert.equal(await all.review({ ...line, size: "8x7" }, game, () => {}), "the server's");
});
