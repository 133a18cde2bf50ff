import assert from "node:assert/strict";
import { test } from "node:test";

import { rulesOf } from "../../../server/plywire/server/web/game/games.js";
import { GameJudge } from "../../../server/plywire/server/web/game/judge.js";

/**
 * Judge a game of Tic-Tac-Toe by the values of its positions for X, null if one is not proven.
 *
 * @param {string} game
 * @param {(number | null)[]} values Of the positions before the moves.
 * @param {{opening: number, winner?: 1 | 2}} [options]
 */
function judge(game, values, options = { opening: 0 }) {
  const moves = game.split(" ");
  const rules = /** @type {import("../../../server/plywire/server/web/game/rules/rules.js").Rules} */ (rulesOf("tictactoe", "3x3"));
  const positions = [rules.parse(null)];
  for (const move of moves) positions.push(rules.play(positions[positions.length - 1], move));
  const judging = new GameJudge(positions, moves, options);
  const judged = [];
  for (let at = judging.next; at !== null; at = judging.next) {
    const value = values[at];
    const sign = at % 2 ? -1 : 1;
    const kind = value === null ? "cp" : ["loss", "draw", "win"][value * sign + 1];
    const said = judging.add(positions[at].over ? undefined : { kind: /** @type {any} */ (kind), value: kind === "draw" ? 0 : 1 }, "c1");
    if (said) judged.unshift(said);
  }
  return { marks: judged.map(({ mark }) => mark), judged, outcome: judging.outcome };
}

test("the loser's last mistake lost the game", () => {
  const { marks, judged, outcome } = judge("a1 a2 b2 b3 c3", [0, 0, 1, 1, 1]);
  assert.deepEqual(marks, ["best", "losing", "best", "best", "best"]);
  assert.deepEqual(judged[1], { number: 2, move: "a2", player: 2, best: "c1", after: -1, mark: "losing", lost: 1 });
  assert.deepEqual(outcome, { players: [{ moves: 3, best: 3, sound: 3 }, { moves: 2, best: 1, sound: 1 }], losing: 2 });
});

test("earlier mistakes, and those of an unfinished game, lost nothing", () => {
  const values = [0, -1, 0, 0, 1];
  assert.deepEqual(judge("a1 a2 b1 b3", values).marks, ["mistake", "mistake", "best", "mistake"]);
  const { marks, outcome } = judge("a1 a2 b1 b3", values, { opening: 0, winner: 2 });
  assert.deepEqual([marks, outcome.losing], [["losing", "mistake", "best", "mistake"], 1]);
});

test("moves of an opening are not judged, nor moves between values that are not proven", () => {
  const { marks, judged, outcome } = judge("a1 a2 b1 b3", [0, null, 1, null, 1], { opening: 1 });
  assert.deepEqual([marks, judged[0].number], [["unproven", "unproven", "unproven"], 2]);
  assert.deepEqual([judged[0].after, judged[0].lost, judged[1].after], [-1, undefined, undefined]);
  assert.deepEqual(outcome.players[0], { moves: 0, best: 0, sound: 0 });
});
