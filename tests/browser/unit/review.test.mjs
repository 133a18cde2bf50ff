import assert from "node:assert/strict";
import { test } from "node:test";

import { note, Review } from "../../../server/plywire/server/web/game/review.js";

const text = (after, mark, game = "connect4") => note({ after, mark }, game).text;

test("a note tells what the game was worth after the move, and how bad the move was", () => {
  assert.equal(text(1, "best"), "W");
  assert.equal(text(0, "mistake"), "D?");
  assert.equal(text(-1, "losing"), "L??");
  assert.equal(text(-1, "unproven"), "L");
});

test("discs are counted where the game counts them", () => {
  assert.deepEqual(
    [4, 0, -2].map((discs) => text(discs, "sound", "othello")),
    ["+4", "0", "−2"],
  );
});

test("the move that lost the game is told apart", () => {
  assert.deepEqual(note({ after: -1, mark: "losing" }, "connect4"), {
    text: "L??",
    title: "lost the game",
    isLosing: true,
  });
});

test("a mistake is told with what was better", () => {
  const judged = { after: 0, mark: "mistake", move: "3", best: "4" };
  assert.equal(note(judged, "connect4").title, "a mistake: 4 was better");
});

test("of what is not known nothing is said", () => {
  assert.equal(note({ mark: "unproven" }, "connect4"), null);
});

test("how well both played is told by their names as they are", () => {
  const tally = { moves: 3, best: 2, sound: 3 };
  const verdict = (/** @type {[string, string]} */ players) => {
    const review = new Review(players, { opening: 0 });
    review.end({ players: [tally, tally] });
    return review.verdict;
  };
  assert.equal(verdict(["you", "me"]), "You played 2 of 3 moves best. me played 2 of 3 moves best.");
});
