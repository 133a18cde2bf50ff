import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { emit } from "../../../server/plywire/server/web/events.js";
import { ArenaGame } from "../../../server/plywire/server/web/state/arena-game.js";

mock.timers.enable({ apis: ["setInterval", "Date"] });

const START = {
  ...{ type: "start", table: "1.0", game: "tictactoe", size: "3x3", player: 1, opponent: "ann" },
  ...{ limits: { base: 300000 }, fen: "3/3/3 x", moves: [] },
};

/** A game that has begun, its user to move, and the session that it is played in. */
function begun() {
  const session = Object.assign(new EventTarget(), { isHere: true });
  const feed = Object.assign(new EventTarget(), { games: new Map() });
  const game = new ArenaGame(/** @type {any} */ (session), /** @type {any} */ (feed));
  emit(session, "notice", START);
  emit(session, "notice", { type: "turn", table: "1.0", turn: 0, moves: [] });
  /** @param {boolean} isHere */
  const become = (isHere) => {
    session.isHere = isHere;
    emit(session, "change");
  };
  return { game, session, become };
}

test("after the connection was lost, nobody moves until the server has told of the game again", () => {
  const { game, session, become } = begun();
  assert.ok(game.mayMove);
  become(false);
  assert.ok(!game.mayMove);
  assert.equal(game.status, "Connection lost: the clock runs on. Trying again…");
  become(true); // a server that was started again lets the game wait for the other
  assert.ok(!game.mayMove);
  assert.equal(game.status, "The game goes on as soon as ann is back.");
  emit(session, "notice", START);
  assert.equal(game.status, "ann is to move.");
  emit(session, "notice", { type: "turn", table: "1.0", turn: 0, moves: [] });
  assert.ok(game.mayMove);
  assert.equal(game.status, "");
});

test("after a restart of the server the user is told for how long the other may stay away", () => {
  const { game, session, become } = begun();
  become(false);
  become(true);
  emit(session, "notice", { ...START, away: 18_000 });
  assert.ok(!game.mayMove);
  assert.equal(game.status, "ann is away and loses unless back in 18 s.");
  mock.timers.tick(17_500);
  assert.equal(game.status, "ann is away and loses unless back in 1 s.");
  emit(session, "notice", START);
  assert.equal(game.status, "ann is to move.");
  emit(session, "notice", { type: "turn", table: "1.0", turn: 0, moves: [] });
  assert.equal(game.status, "");
});
