import assert from "node:assert/strict";
import { test } from "node:test";

import { on } from "../../../server/plywire/server/web/events.js";
import { Tree } from "../../../server/plywire/server/web/game/tree.js";

const start = { game: "connect4", size: "7x6" };

test("a tree begins at the end of the moves it is given", () => {
  const tree = new Tree({ ...start, moves: ["4", "4", "3"] });
  assert.equal(tree.current.number, 3);
  assert.deepEqual(tree.line(tree.current), { ...start, fen: null, moves: ["4", "4", "3"] });
  assert.equal(tree.end, tree.current);
});

test("players take turns from whom the position says", () => {
  const [first, second] = [new Tree(start), new Tree({ ...start, fen: "7/7/7/7/7/3x3 o", moves: ["4"] })];
  assert.equal(first.turn(first.root), 1);
  assert.deepEqual([second.turn(second.root), second.turn(second.current)], [2, 1]);
});

test("another move from an earlier position is a branch; the same move is none", () => {
  const tree = new Tree({ ...start, moves: ["4", "4"] });
  tree.step(-1);
  tree.play("4");
  assert.equal(tree.current.parent?.children.length, 1);
  tree.step(-1);
  tree.play("5");
  assert.deepEqual(tree.moves, ["4", "5"]);
  assert.deepEqual(tree.root.continuation.map(({ move }) => move), ["4", "4"]);
  assert.deepEqual(tree.current.path.map(({ move }) => move), ["", "4", "5"]);
});

test("steps go as far as there are moves, and tell of a change only if there is one", () => {
  const tree = new Tree({ ...start, moves: ["4", "4"] });
  let changes = 0;
  on(tree, "change", () => changes++);
  tree.step(-999);
  assert.equal(tree.current, tree.root);
  tree.step(-1);
  tree.step(999);
  assert.deepEqual([tree.current.number, changes], [2, 2]);
});

test("a move is taken back with all that follows", () => {
  const tree = new Tree({ ...start, moves: ["4", "4", "3"] });
  tree.remove(tree.current.path[2]);
  assert.deepEqual([tree.current.number, tree.moves], [1, ["4"]]);
  tree.remove(tree.root);
  assert.equal(tree.current.number, 1);
});

test("a main line is led on without going there", () => {
  const tree = new Tree({ ...start, moves: ["4"] });
  const { version } = tree;
  const end = tree.lead(["4", "4", "3"]);
  assert.equal(tree.current.number, 1);
  assert.deepEqual([end.number, tree.end], [3, end]);
  assert.notEqual(tree.version, version);
});

test("no illegal move gets into a game whose rules are known", () => {
  const tree = new Tree({ ...start, size: "4x4", moves: ["4", "4", "4"] });
  assert.throws(() => tree.lead(["4", "4", "4", "1", "5", "1"]), { message: "Move 5, “5”, cannot be played." });
  assert.deepEqual(tree.root.continuation.map(({ move }) => move), ["4", "4", "4", "1"]);
  assert.throws(() => new Tree({ ...start, fen: "7/7/7/7/3o3/7 x" }), { message: /turns/ });
  assert.throws(() => new Tree({ ...start, size: "12x9" }), { message: "Boards of 12 columns have 4 rows." });
});

test("what is known of each position is known at once, and of unknown games nothing", () => {
  const { end } = new Tree({ game: "tictactoe", size: "3x3", moves: ["a1", "b1", "a2", "b2", "a3"] });
  assert.equal(end.facts?.winner, 1);
  assert.deepEqual(end.facts?.line?.map(({ row }) => row), [0, 1, 2]);
  assert.equal(new Tree({ game: "gomoku", size: "7x7", moves: ["d4"] }).end.facts, null);
});

test("the game's own start is known when it is written out", () => {
  const fen = "7/7/7/7/7/7 x";
  assert.equal(new Tree({ game: "connect4", size: "7x6", fen }).fen, null);
  assert.equal(new Tree({ game: "connect4", size: "7x6", fen: "7/7/7/7/7/3x3 o" }).fen, "7/7/7/7/7/3x3 o");
});
