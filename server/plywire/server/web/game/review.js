/** How the page writes what the server finds when it reviews a game. */

/**
 * @typedef {import("../connection/remote-engine.js").Judged} Judged
 *
 * @typedef {object} Note What is said of a move.
 * @property {string} text
 * @property {string} title
 * @property {boolean} isLosing Whether it is the move that lost the game.
 */

/** Those who are no names at the beginning of a sentence. @type {Record<string, string>} */
const NAMES = { you: "You", engine: "The engine" };

/** A review of a game that is over, as far as it is made. */
export class Review {
  verdict = "";
  isDone = false;

  /**
   * @param {[string, string]} players
   * @param {{opening: number, winner?: 1 | 2}} game How many moves were not the players' own, and
   *   who won.
   */
  constructor(players, game) {
    this.players = players;
    this.game = game;
  }

  /** Say how far it is. @param {number} done @param {number} all */
  reach(done, all) {
    this.verdict = `Reviewing: ${done} of ${all} moves.`;
  }

  /** @param {import("../connection/remote-engine.js").Reviewed} reviewed */
  end({ players }) {
    const said = players.flatMap(({ best, moves }, index) =>
      moves ? [`${NAMES[this.players[index]] ?? this.players[index]} played ${best} of ${moves} moves best.`] : [],
    );
    this.verdict = said.join(" ") || "No move could be judged exactly.";
    this.isDone = true;
  }
}

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
export function note({ after, best, move, mark }, game) {
  if (after === undefined) return null;
  const [sign, meaning] = MARKS[mark];
  const title = sign && best && best !== move ? `${meaning}: ${best} was better` : meaning;
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
