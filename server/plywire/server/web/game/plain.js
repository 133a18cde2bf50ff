/** A small search over the rules, for browsers in which no other engine works. */

import { rulesOf } from "./games.js";
import { rowsOf } from "./rules/rules.js";

/**
 * @import { Info, Score } from "../connection/connection.js"
 * @import { Line } from "../connection/remote-engine.js"
 * @import { Facts, Rules } from "./rules/rules.js"
 *
 * @typedef {{value: number, pv: string[]}} Found A value for the player to move, and the best line.
 */

/** The most plies that it looks ahead. */
export const DEEPEST = 3;
/** The least value of a won position: it counts discs more, or the sooner it comes. */
const WIN = 1000;
/** Discs that a corner is worth. */
const CORNER = 10;

/** All moves of a position that is not over, the best first. @param {Line} line @param {number} depth @returns {Info[]} */
export function look({ game, size, fen, moves }, depth) {
  const began = performance.now();
  const rules = /** @type {Rules} */ (rulesOf(game, size));
  const root = moves.reduce((facts, move) => rules.play(facts, move), rules.parse(fen));
  const hasDiscs = game === "othello";
  let nodes = 0;
  let estimates = 0;

  /** @param {Facts} facts @param {number} left @param {number} low @param {number} high @returns {Found} */
  function search(facts, left, low, high) {
    nodes++;
    if (facts.over) {
      const result = facts.turn === 1 ? facts.score : -facts.score;
      return { value: Math.sign(result) * (WIN + (hasDiscs ? Math.abs(result) : left)), pv: [] };
    }
    if (!left) {
      estimates++;
      return { value: hasDiscs ? estimate(facts) : 0, pv: [] };
    }
    /** @type {Found} */
    let best = { value: -Infinity, pv: [] };
    for (const move of facts.legal) {
      const { value, pv } = search(rules.play(facts, move), left - 1, -high, -Math.max(low, best.value));
      if (-value > best.value) best = { value: -value, pv: [move, ...pv] };
      if (best.value >= high) break;
    }
    return best;
  }

  /** @param {number} value @param {boolean} isExact Whether all lines end with the game. @returns {Score} */
  function scored(value, isExact) {
    const more = Math.abs(value) - WIN;
    if (isExact && !value) return { kind: "draw", value: 0 };
    if (hasDiscs) {
      const discs = more > 0 ? Math.sign(value) * more : value;
      return isExact ? { kind: "exact", value: discs } : { kind: "cp", value: 100 * discs };
    }
    if (more < 0) return { kind: "cp", value: 100 * value };
    return { kind: value > 0 ? "win" : "loss", value: depth - more };
  }

  const found = root.legal.map((move) => {
    const before = estimates;
    const { value, pv } = search(rules.play(root, move), depth - 1, -Infinity, Infinity);
    return { value: -value, score: scored(-value, estimates === before), pv: [move, ...pv], chance: Math.random() };
  });
  found.sort((one, other) => other.value - one.value || one.chance - other.chance);
  const time = performance.now() - began;
  return found.map(({ score, pv }, index) => ({
    ...{ type: "info", depth, score, nodes, time, nps: 0, multipv: index + 1, pv, squares: [] },
  }));
}

/** What a position of Othello seems to be worth, in discs. @param {Facts} facts */
function estimate({ fen, turn, legal }) {
  const rows = rowsOf(fen);
  const corners = [rows[0], rows[rows.length - 1]].flatMap((row) => [row[0], row[row.length - 1]]);
  const ahead = corners.reduce((sum, piece) => sum + (piece === turn ? 1 : piece ? -1 : 0), 0);
  return CORNER * ahead + legal.length / 2;
}
