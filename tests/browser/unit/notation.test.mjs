/** The page's reader of games and positions, held to the cases that hold the one in Python. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { GAMES, rulesOf } from "../../../server/plywire/server/web/game/games.js";
import { read } from "../../../server/plywire/server/web/game/notation/reader.js";
import { NotationError } from "../../../server/plywire/server/web/game/notation/source.js";

const ALL = JSON.parse(readFileSync(new URL("../../clients/play/notation/cases.json", import.meta.url), "utf-8"));
/** The page takes boards of every size, and games that nobody finished. */
const CASES = ALL.filter((/** @type {any} */ { finished, fixed }) => !finished && !fixed);
const SIZES = new Map(GAMES.map(({ name, size }) => [name, size]));

function boards(names) {
  return names.map((name) => {
    const [game, size = SIZES.get(name)] = name.split(" ");
    return { game, size };
  });
}

for (const [number, { about, games, text, joined, found, refused }] of CASES.entries()) {
  test(`${number}, ${about}: ${JSON.stringify(text).slice(0, 60)}`, () => {
    const options = { joined };
    if (refused) {
      assert.throws(
        () => read(text, boards(games), options),
        (error) => {
          assert.ok(error instanceof NotationError, error);
          assert.deepEqual({ line: error.line, column: error.column, kind: error.kind }, refused, error.message);
          assert.ok(error.message.startsWith(`Line ${error.line}, column ${error.column}: `));
          return true;
        },
      );
      return;
    }
    const shown = read(text, boards(games), options).map(({ game, size, fen, moves }) => {
      return { game, size, fen: rulesOf(game, size).parse(fen).fen, moves: moves.join(" ") };
    });
    assert.deepEqual(shown, found);
  });
}

for (const piece of ["(", "(;", "[", "{", '"\\', '[A "b"]{', "4 ", "/", "=\n", "|\n", "+\n", "x o ", "a b\n", "(;A[]", '{"a":[', "0\n8\n"]) {
  test(`work is bounded on many ${JSON.stringify(piece)}`, { timeout: 20_000 }, () => {
    try {
      read(piece.repeat(Math.floor(200_000 / piece.length)), boards(["connect4", "othello"]), { joined: true });
    } catch (error) {
      assert.ok(error instanceof NotationError, error);
    }
  });
}
