import assert from "node:assert/strict";
import { test } from "node:test";

import { estimated, isAlone, isKnown, note, praise, Review } from "../../../server/plywire/server/web/game/review.js";
import { Tree } from "../../../server/plywire/server/web/game/tree.js";

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
    better: null,
  });
});

test("a mistake is told with what was better", () => {
  const judged = { after: 0, mark: "mistake", move: "3", best: "4" };
  assert.equal(note(judged, "connect4").title, "was a mistake: 4 was better");
});

test("of what is not known nothing is said", () => {
  assert.equal(note({ mark: "unproven" }, "connect4"), null);
});

test("how well both played is told by their names as they are", () => {
  const review = new Review(["you", "me"], { opening: 0 });
  const tally = { moves: 3, best: 2, sound: 3 };
  review.end({ players: [tally, tally] });
  const both = { share: "67 %", text: "2 of 3 moves best" };
  assert.deepEqual(review.accuracy, [{ name: "You", ...both }, { name: "me", ...both }]);
});

test("a move is the only one where any other changes who wins, or costs some discs", () => {
  const [win, loss] = [{ kind: "win", value: 5 }, { kind: "loss", value: 6 }];
  const [draw, later] = [{ kind: "draw", value: 0 }, { kind: "win", value: 9 }];
  const discs = (value) => ({ kind: "exact", value });
  const about = (value) => ({ kind: "cp", value: 100 * value });
  assert.ok(isAlone(win, draw, "connect4"));
  assert.ok(isAlone(draw, loss, "connect4"));
  assert.ok(!isAlone(win, later, "connect4"));
  assert.ok(!isAlone(loss, { kind: "loss", value: 2 }, "connect4"));
  assert.ok(!isAlone(win, about(-5), "connect4"));
  assert.ok(isAlone(discs(2), discs(-2), "othello"));
  assert.ok(isAlone(discs(-6), discs(-10), "othello"));
  assert.ok(!isAlone(discs(6), discs(4), "othello"));
  assert.ok(isAlone(about(1), about(-3), "othello"));
  assert.ok(!isAlone(about(1), about(-2), "othello"));
});

test("only the only move is praised, and once", () => {
  const tree = new Tree({ game: "connect4", size: "7x6", moves: ["4", "4"] });
  const [start, first, second] = tree.shown;
  const worth = { value: 1, text: "", isProven: true, score: { kind: "win", value: 41 }, best: "4" };
  start.evaluation = { ...worth, only: "4" };
  first.evaluation = { ...worth, only: null };
  first.note = note({ after: 1, mark: "best", move: "4" }, "connect4");
  const said = praise(first, "connect4");
  assert.deepEqual([said.text, said.title], ["W!", "was the only move that wins"]);
  first.note = said;
  assert.equal(praise(first, "connect4"), null);
  assert.equal(praise(second, "connect4"), null);
  assert.ok(isKnown(start) && isKnown(first));
});

test("a move that is proven to lose or draw what was better is a mistake", () => {
  const tree = new Tree({ game: "connect4", size: "7x6", moves: ["3", "4"] });
  const [start, yellow, red] = tree.shown;
  const proven = (value, best) => ({ value, text: "", isProven: true, best });
  start.evaluation = proven(1, "4");
  yellow.evaluation = proven(0, "4");
  red.evaluation = proven(0, "4");
  assert.equal(estimated(yellow).title, "was a mistake: 4 was better");
  assert.equal(estimated(red), null);
  red.evaluation = proven(1, "4");
  assert.equal(estimated(red).text, "?");
});

test("where nothing is proven, a move that is some discs worse is a mistake", () => {
  const tree = new Tree({ game: "othello", size: "8x8", moves: ["f5", "d6"] });
  const [start, black, white] = tree.shown;
  const about = (discs, best) => ({ value: 0, text: "", isProven: false, discs, best });
  start.evaluation = about(1, "d3");
  black.evaluation = about(-5, "f6");
  white.evaluation = about(-4, "c3");
  assert.equal(estimated(black).title, "was about 6 discs worse: d3 was better");
  assert.equal(estimated(white), null);
});
