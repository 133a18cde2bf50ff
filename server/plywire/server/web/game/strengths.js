/** How strong the engine plays: a level, which the server defines, or a time for each move. */

import { DEEPEST } from "./plain.js";

/** @type {[string, string][]} What may be chosen: value and title. */
export const STRENGTHS = [
  ["instant", "Instant"],
  ...Array.from({ length: 10 }, (_, index) => {
    const level = index + 1;
    return /** @type {[string, string]} */ ([`level-${level}`, `Level ${level}${level === 1 ? " (easiest)" : ""}`]);
  }),
  ["ms-500", "Half a second a move"],
  ["ms-1000", "1 second a move"],
  ["ms-3000", "3 seconds a move"],
  ["ms-10000", "10 seconds a move"],
];

/** Those of an engine: a simple one has few levels, and takes no time. @param {boolean} isSimple */
export function offered(isSimple) {
  return STRENGTHS.filter(([value]) => !isSimple || (asked(value).level ?? Infinity) <= DEEPEST);
}

export const HIGHEST = "level-10";

/** The games that the highest level plays without a mistake. */
const PERFECT = ["connect4", "tictactoe"];

/** The title of the highest level. @param {string} game */
export function highest(game) {
  return `Level 10 (${PERFECT.includes(game) ? "perfect" : "strongest"})`;
}

const INSTANT = 5;

/** The limits or the level of one of STRENGTHS. @param {string} strength @returns {import("../connection/remote-engine.js").Go} */
export function asked(strength) {
  const [kind, amount] = strength.split("-");
  if (kind === "level") return { level: Number(amount) };
  return { limits: { movetime: kind === "ms" ? Number(amount) : INSTANT } };
}
