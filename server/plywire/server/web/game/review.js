/** How the page writes what the server finds when it reviews a game. */

/**
 * @typedef {import("../connection/remote-engine.js").Judged} Judged
 *
 * @typedef {object} Note What is said of a move.
 * @property {string} text
 * @property {string} title
 * @property {boolean} isLosing Whether it is the move that lost the game.
 */

/** By the mark of a move: what stands behind its worth, and what that means. */
const MARKS = {
  best: ["", "the best there was"],
  sound: ["", ""],
  mistake: ["?", "a mistake"],
  losing: ["??", "lost the game"],
  unproven: ["", ""],
};

/**
 * What to note at a move, null if nothing is known of it.
 *
 * @param {Judged} judged
 * @param {string} game
 * @returns {Note | null}
 */
export function note({ after, mark }, game) {
  if (after === undefined) return null;
  const [sign, title] = MARKS[mark];
  return { text: worth(after, game) + sign, title, isLosing: mark === "losing" };
}

/**
 * @param {number} value For the mover.
 * @param {string} game
 */
function worth(value, game) {
  if (game === "othello") return value > 0 ? `+${value}` : String(value).replace("-", "−");
  return value > 0 ? "W" : value < 0 ? "L" : "D";
}
