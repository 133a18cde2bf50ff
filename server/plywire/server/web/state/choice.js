/** The choice of the next game, which the form shows and this device keeps. */

import { STRENGTHS } from "../game/strengths.js";
import { TIMES } from "../game/times.js";

/**
 * @typedef {{opponent: "engine" | "person", strength: string, side: 1 | 2}} Settings How the user's
 *   own game is played: against whom, which of STRENGTHS, and the user's side.
 * @typedef {Omit<Settings, "opponent"> & {game: string, size: string,
 *   opponent: "engine" | "person" | "friend" | "arena", time: string}} Choice The time is one of TIMES.
 */

const STORE = "plywire.choice";

/** What may be chosen. @type {Record<string, unknown[]>} */
const VALUES = {
  opponent: ["engine", "person", "friend", "arena"],
  strength: STRENGTHS.map(([value]) => value),
  side: [1, 2],
  time: TIMES.map(([value]) => value),
};

/** The choice of a user who has chosen nothing. @type {Choice} */
export const USUAL = { game: "connect4", size: "7x6", opponent: "engine", strength: "level-4", side: 1, time: "5+3" };

/** What the user of this device chose last. @returns {Partial<Choice>} */
export function kept() {
  try {
    const said = Object.entries(JSON.parse(localStorage.getItem(STORE) ?? "{}"));
    return Object.fromEntries(said.filter(([name, value]) => VALUES[name]?.includes(value) ?? true));
  } catch {
    return {};
  }
}

/** @param {Choice} choice */
export function keep(choice) {
  localStorage.setItem(STORE, JSON.stringify(choice));
}

/** The settings of a game on the user's own board. @param {Choice} choice @returns {Settings} */
export function settingsOf({ opponent, strength, side }) {
  return { opponent: opponent === "person" ? opponent : "engine", strength, side };
}
