/** Reviews: the notes at moves, and how well both players played. */

import * as score from "./score.js";

/**
 * @import { Score } from "../connection/connection.js"
 * @import { Judged, Reviewed } from "../connection/remote-engine.js"
 * @import { Ply } from "./tree.js"
 *
 * @typedef {object} Note What is said of a move.
 * @property {string} text
 * @property {string} title
 * @property {boolean} isLosing Whether the move lost the game.
 * @property {string | null} better The better move, if the move was a mistake.
 */

/** Names that are written otherwise at the beginning of a sentence. @type {Record<string, string>} */
const NAMES = { you: "You", engine: "The engine" };
/** The estimated loss in discs that makes a move a mistake, or the other move the only good one. */
const MISTAKE = 4;
/** The most nodes for each position of a game that has just been played. */
export const QUICK = 500_000;

/** A review of a finished game. */
export class Review {
  /** The progress in words, or that nothing could be judged. */
  progress = "";
  /** How well both played, when the review is done. @type {{name: string, share: string, text: string}[]} */
  accuracy = [];
  isDone = false;
  /** Whether the review was repeated, as nothing was judged the first time. */
  isRepeated = false;

  /**
   * @param {[string, string]} players
   * @param {{opening: number, winner?: 1 | 2, nodes?: number}} game How many moves were given by an
   *   opening, who won, and the most nodes for each position.
   */
  constructor(players, game) {
    this.players = players;
    this.game = game;
  }

  /** @param {number} done @param {number} all */
  reach(done, all) {
    this.progress = `Reviewing: ${done} of ${all} moves.`;
  }

  /** @param {Reviewed} reviewed */
  end({ players }) {
    this.accuracy = players.flatMap(({ best, moves }, index) => {
      const name = NAMES[this.players[index]] ?? this.players[index];
      const share = `${Math.round((100 * best) / moves)} %`;
      return moves ? [{ name, share, text: `${best} of ${moves} moves best` }] : [];
    });
    this.progress = this.accuracy.length ? "" : "No move could be judged exactly.";
    this.isDone = true;
  }
}

/** The sign and the meaning of each mark. */
const MARKS = {
  best: ["", "the best there was"],
  sound: ["", ""],
  mistake: ["?", "was a mistake"],
  losing: ["??", "lost the game"],
  unproven: ["", ""],
};

/** The note at a move that a review judged, null if the move is not judged. @param {Judged} judged @param {string} game @returns {Note | null} */
export function note({ after, best, move, mark }, game) {
  if (after === undefined) return null;
  const [sign, meaning] = MARKS[mark];
  const better = sign && best && best !== move ? best : null;
  const title = better ? `${meaning}: ${better} was better` : meaning;
  return { text: worth(after, game) + sign, title, isLosing: mark === "losing", better };
}

/** The note at a mistake that no review judged, from the values before and after it; null if it was none. @param {Ply} ply @returns {Note | null} */
export function estimated({ parent, move, evaluation }) {
  const before = parent?.evaluation;
  if (before?.isProven && evaluation?.isProven && before.discs === undefined && before.best) {
    const lost = (before.value - evaluation.value) * (parent?.facts?.turn === 1 ? 1 : -1);
    return lost > 0 ? { text: "?", title: `was a mistake: ${before.best} was better`, isLosing: false, better: before.best } : null;
  }
  if (before?.discs === undefined || evaluation?.discs === undefined || !before.best) return null;
  const lost = Math.round(Math.abs(before.discs - evaluation.discs));
  const isWorse = (parent?.facts?.turn === 1) === before.discs > evaluation.discs;
  if (lost < MISTAKE || !isWorse || before.best === move) return null;
  const title = `was about ${lost} discs worse: ${before.best} was better`;
  return { text: "?", title, isLosing: false, better: before.best };
}

/** Whether the best move is the only good one: the next best loses the win or the draw, or discs. @param {Score} best @param {Score} other The next best. @param {string} game */
export function isAlone(best, other, game) {
  if (score.isProven(best) && score.isProven(other) && score.outcome(best) > score.outcome(other)) return true;
  return game === "othello" && score.discs(best) - score.discs(other) >= MISTAKE;
}

/** Whether the value of a position is proven, and it is known whether its best move is the only good one. @param {Ply} ply */
export function isKnown({ evaluation, facts, children }) {
  if (!evaluation?.isProven) return false;
  return facts?.over || facts?.legal.length === 1 || evaluation.only !== undefined || children[0]?.note?.text.includes("?") === true;
}

/** The note at the only good move; null if it was not, or has the note. @param {Ply} ply @param {string} game @returns {Note | null} */
export function praise({ parent, move, note }, game) {
  const { only, score: worth } = parent?.evaluation ?? {};
  if (!worth || only !== move || note?.text.includes("!") || note?.better) return null;
  const kept = game === "othello" ? "good move" : score.outcome(worth) > 0 ? "move that wins" : "move that draws";
  return { text: `${note?.text ?? ""}!`, title: `was the only ${kept}`, isLosing: false, better: null };
}

/** @param {number} value For the player who moved. @param {string} game */
function worth(value, game) {
  if (game === "othello") return value > 0 ? `+${value}` : String(value).replace("-", "−");
  return value > 0 ? "W" : value < 0 ? "L" : "D";
}
