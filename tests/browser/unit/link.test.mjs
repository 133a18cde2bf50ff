import assert from "node:assert/strict";
import { test } from "node:test";

import { read, toText, write } from "../../../server/plywire/server/web/game/link.js";

const place = { mode: "analyse", game: "othello", size: "8x8", fen: null, moves: ["d3", "c3"], at: 2 };

test("an address says what it was written from", () => {
  for (const each of [
    place,
    { ...place, at: 1 },
    { ...place, fen: "8/8/8/3ox3/3xo3/8/8/8 x", moves: [], at: 0 },
  ]) {
    assert.deepEqual(read(write(each)), each);
  }
});

test("an address that says little, or nonsense, is read as far as it goes", () => {
  const nothing = { mode: undefined, game: undefined, size: undefined, fen: null, moves: [], at: 0 };
  assert.deepEqual(read(""), nothing);
  assert.equal(read("#moves=4.4.3&at=-1").at, 3);
  assert.equal(read("#moves=4.4.3&at=x").at, 3);
  assert.equal(read("#moves=4.4.3&at=99").at, 3);
  assert.equal(read("#moves=4.4.3&at=2").at, 2);
});

test("a game is written as the position command has it", () => {
  assert.equal(toText({ fen: null, moves: [] }), "startpos");
  assert.equal(toText({ fen: "3/3/3 x", moves: ["a1", "b2"] }), "3/3/3 x moves a1 b2");
});

test("games of the arena and tournaments have addresses of their own", () => {
  const table = { ...place, table: "1.3", at: 1 };
  assert.equal(write(table), "game/1.3#at=1");
  assert.deepEqual(read(write(table)), { mode: "watch", table: "1.3", at: 1 });
  assert.equal(write({ ...table, at: 2 }), "game/1.3");
  const tournament = { mode: "watch", tournament: "Spring / cup", isWall: true };
  assert.deepEqual(read(write({ ...place, ...tournament })), tournament);
  assert.deepEqual(read("/tournament/%"), { mode: "watch", tournament: "%", isWall: true });
  const invitation = { key: "a/b", game: "othello", size: "8x8", time: "5+3" };
  assert.equal(write({ ...place, invitation }), "invite/a%2Fb?game=othello&size=8x8&time=5%2B3");
  assert.deepEqual(read(write({ ...place, invitation })), { mode: "play", game: "othello", size: "8x8", invitation });
});

test("a page below any path has places below its home alone", () => {
  const home = "https://plywire.example/game/club/";
  const written = new URL(write(place), home).href;
  assert.equal(written, `${home}#mode=analyse&game=othello&size=8x8&moves=d3.c3`);
  assert.deepEqual(read(written, home), place);
  assert.deepEqual(read(`${home}index.html#mode=play`, home).mode, "play");
  assert.equal(read(`${home}game/1.3`, home).table, "1.3");
  assert.equal(read("https://plywire.example/game/index.html", "https://plywire.example/game/").table, undefined);
  assert.equal(read("https://other.example/game/1.3", home).table, "1.3");
});
