import assert from "node:assert/strict";
import { test } from "node:test";

import { Tree } from "../../../server/plywire/server/web/game/tree.js";
import { QUIET } from "../../../server/plywire/server/web/state/fair-play.js";
import { State } from "../../../server/plywire/server/web/state/state.js";
import { noLinesText, noteText, statusText } from "../../../server/plywire/server/web/state/status.js";

/** The state of a page that is connected and shows the start of Connect Four. */
function stateOf(facts = {}, preparation = "", speaker = preparation ? "server" : "page") {
  const state = new State(
    /** @type {any} */ ({
      hasServer: true,
      connection: { isOpen: true },
      readiness: { isPreparing: () => preparation !== "", text: () => preparation },
      engines: { speaker: () => speaker, trouble: () => "" },
      feed: { trouble: "" },
      session: { name: "" },
      arenaGame: { tree: null, isPlaying: false },
      watchedGame: { tree: null, status: "", mayMove: false, owners: ["ann", "bob"] },
    }),
  );
  state.games.set("connect4", { name: "connect4", title: "", players: ["Yellow", "Red"], size: "7x6" });
  state.own = new Tree({ game: "connect4", size: "7x6" });
  state.own.root.facts = {
    ...{ fen: "", turn: 1, legal: ["1", "2"], moves: [], over: false, winner: null, score: 0, reason: "" },
    ...facts,
  };
  return state;
}

test("the user plays one side, and waits for the engine to play the other", () => {
  const state = stateOf();
  assert.equal(statusText(state), "Your turn: you play Yellow.");
  assert.deepEqual([state.canMove, state.owners], [true, ["you", "engine"]]);
  state.choice.side = 2; // of the next game
  assert.equal(statusText(state), "Your turn: you play Yellow.");
  state.settings.side = 2;
  assert.equal(statusText(state), "The engine plays Yellow and is thinking.");
  assert.deepEqual([state.canMove, state.owners], [false, ["engine", "you"]]);
});

test("the user may move while the engine is prepared, and the engine moves when it is ready", () => {
  const state = stateOf({}, "Preparing the engine, 2 s left");
  assert.equal(state.preparation, "Preparing the engine, 2 s left");
  assert.deepEqual([state.canMove, statusText(state)], [true, "Your turn: you play Yellow."]);
  state.settings.side = 2;
  assert.equal(statusText(state), "The engine plays Yellow as soon as it is ready.");
  state.mode = "analyse";
  assert.equal(noLinesText(state), "The analysis begins as soon as the engine is ready.");
  state.mode = "play";
  state.arenaGame.isPlaying = true;
  assert.equal(state.preparation, "");
});

test("a move that the engine did not find is told as such", () => {
  const state = stateOf();
  state.own = new Tree({ game: "tictactoe", size: "3x3" });
  state.games.set("tictactoe", { name: "tictactoe", title: "", players: ["X", "O"], size: "3x3" });
  state.settings.side = 2;
  state.own.play("a1", true);
  assert.match(statusText(state), /^The engine was not ready: .* Your turn: you play O\.$/);
  state.own.step(-1);
  state.own.play("b1");
  assert.equal(statusText(state), "Your turn: you play O.");
});

test("people play both sides", () => {
  const state = stateOf({ legal: ["pass"] });
  state.settings.opponent = "person";
  assert.equal(statusText(state), "Yellow has no move and must pass.");
  assert.deepEqual([state.canMove, state.owners], [true, ["", ""]]);
});

test("what went wrong is said first, and a lost connection before all if the server is to answer", () => {
  const state = stateOf({}, "", "server");
  state.complaint = "No such size.";
  assert.equal(statusText(state), "No such size.");
  state.connection.isOpen = false;
  state.trouble = "Connection lost.";
  assert.deepEqual([statusText(state), noteText(state)], ["Connection lost.", ""]);
});

test("a lost connection is a note while the engine in the page answers", () => {
  const state = stateOf();
  state.connection.isOpen = false;
  state.trouble = "Connecting…";
  assert.equal(noteText(state), "");
  state.isOffered = true;
  state.trouble = "Connection lost.";
  assert.deepEqual([statusText(state), noteText(state)], ["Your turn: you play Yellow.", "Connection lost."]);
});

test("the page says where its engine runs, and why another answers", () => {
  assert.deepEqual(stateOf().plates, ["you", "engine in your browser"]);
  const state = stateOf({}, "", "server");
  state.engines.trouble = () => "It broke.";
  assert.deepEqual(state.plates, ["you", "engine on the server"]);
  assert.equal(noteText(state), "It broke. The server’s engine answers.");
  const alone = stateOf({}, "", "plain");
  alone.engines.trouble = () => "It broke.";
  assert.match(noteText(alone), /^It broke\. Without a server, .* at levels 1 to 3\.$/);
  assert.deepEqual(alone.plates, ["you", "simple engine in your browser"]);
  alone.settings.opponent = "person";
  assert.deepEqual(alone.plates, ["", ""]);
});

test("the engine is quiet while one plays in the arena", () => {
  const state = stateOf();
  state.arenaGame.isPlaying = true;
  assert.equal(noLinesText(state), QUIET);
  const inOtherTab = stateOf();
  inOtherTab.complaint = QUIET;
  assert.equal(noLinesText(inOtherTab), QUIET);
});

test("the end of a game is told with who won and how", () => {
  const over = { over: true, reason: "four in a row" };
  const state = stateOf({ ...over, winner: 2, score: -1 });
  assert.equal(statusText(state), "You lost: four in a row.");
  state.settings.side = 2;
  assert.equal(statusText(state), "You won: four in a row.");
  state.settings.opponent = "person";
  assert.equal(statusText(state), "Red wins: four in a row.");
  assert.equal(noLinesText(state), "The game is over.");
  assert.equal(statusText(stateOf({ over: true, reason: "board full" })), "A draw: board full.");
});

test("a game can be reviewed when it is over, not while one plays in the arena", () => {
  const state = stateOf();
  assert.equal(state.mayReview, false);
  state.mode = "analyse";
  state.own = new Tree({ game: "tictactoe", size: "3x3", moves: ["a1", "b1", "a2", "b2", "a3"] });
  state.own.step(-1);
  assert.equal(state.mayReview, true);
  state.arenaGame.isPlaying = true;
  assert.equal(state.mayReview, false);
});

test("the game of the arena is shown where there is one, else one's own", () => {
  const state = stateOf();
  state.choice.opponent = "arena";
  assert.equal(statusText(state), "Your turn: you play Yellow.");
  state.mode = "watch";
  state.watchedGame.tree = new Tree({ game: "othello", size: "8x8" });
  assert.equal(state.tree, state.watchedGame.tree);
  assert.deepEqual([state.canMove, state.owners], [false, ["ann", "bob"]]);
});

test("the next opponent is stronger, as far as the engine has levels", () => {
  const next = (/** @type {string} */ strength, speaker = "page") => {
    const state = stateOf({ over: true, reason: "board full" }, "", speaker);
    state.settings.strength = strength;
    return state.nextOpponent?.value;
  };
  assert.deepEqual([next("level-3"), next("level-9"), next("level-10")], ["level-4", "level-10", undefined]);
  assert.deepEqual(["level-2", "level-3", "level-9"].map((each) => next(each, "plain")), ["level-3", undefined, undefined]);
});
