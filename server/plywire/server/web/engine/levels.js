/** The levels, from 1 to the highest: how much they search, and the move they choose. */

import { LEVELS } from "./layout.js";

/**
 * @import { Score } from "../connection/connection.js"
 * @import { GameLayout } from "./layout.js"
 * @import { Found, Limits } from "./search.js"
 */

/**
 * The search of a level, within the time of the limits.
 *
 * @param {GameLayout} layout
 * @param {number} level
 * @param {number} moves How many legal moves there are.
 * @param {Limits} limits
 * @returns {{limits: Limits, multipv: number}}
 */
export function searchOf(layout, level, moves, { movetime }) {
  const { limits, scoresAll } = layout.levels[level - 1];
  return { limits: { ...limits, ...(movetime === undefined ? {} : { movetime }) }, multipv: scoresAll ? Math.max(moves, 1) : 1 };
}

/**
 * The move that a level plays after its search: likelier the more it seems to be worth.
 *
 * @param {GameLayout} layout
 * @param {number} level
 * @param {Found} found
 * @param {() => number} random From 0 to less than 1.
 */
export function pick(layout, level, { best, lines }, random) {
  const { temperature, sight } = layout.levels[level - 1];
  if (lines.length < 2 || !temperature) return best;
  const worths = lines.map(({ score }) => worth(score, sight));
  const most = Math.max(...worths);
  const weights = worths.map((each) => Math.exp((each - most) / temperature));
  let left = random() * weights.reduce((sum, each) => sum + each, 0);
  return lines[Math.max(0, weights.findIndex((weight) => (left -= weight) < 0))].pv[0];
}

/** The worth of a score: in discs, or where wins are in sight, from -2 to 2. @param {Score} score @param {number | null} sight In plies. */
export function worth({ kind, value }, sight) {
  if (sight === null) return kind === "cp" ? value / 100 : value;
  if (kind === "cp") return LEVELS.notion * Math.tanh(value / 100);
  if (kind === "draw") return 0;
  const size = (2 - value / LEVELS.far) * (value > sight ? LEVELS.notion : 1);
  return kind === "win" ? size : -size;
}
