/** How the page writes what the server finds when it reviews a game. */

import * as score from "./score.js";

/**
 * @import { Score } from "../connection/connection.js"
 * @import { Judged, Reviewed } from "../connection/remote-engine.js"
 * @import { Ply } from "./tree.js"
 *
 * @typedef {object} Note What is said of a move.
 * @property {string} text
 * @property {string} title
 * @property {boolean} isLosing Whether it is the move that lost the game.
 * @property {string | null} better What was better, where the move was a mistake.
 */

/** Those who are no names at the beginning of a sentence. @type {Record<string, string>} */
const NAMES = { you: "You", engine: "The engine" };
/** Discs by which a move has to be worse, as far as can be estimated, to be called a mistake or no choice. */
const MISTAKE = 4;
/** Positions to visit at most for each position of a game that has just been played. */
export const QUICK = 500_000;

/** A review of a game that is over, as far as it is made. */
export class Review {
  /** How far it is, or that nothing could be judged. */
  progress = "";
  /** How well both played, once it is made. @type {{name: string, share: string, text: string}[]} */
  accuracy = [];
  isDone = false;
  /** Whether it was begun anew, as nothing was judged the first time. */
  isRepeated = false;

  /**
   * @param {[string, string]} players
   * @param {{opening: number, winner?: 1 | 2, nodes?: number}} game How many moves were not the
   *   players' own, who won, and how many positions to visit at most for each of the game.
   */
  constructor(players, game) {
    this.players = players;
    this.game = game;
  }

  /** Say how far it is. @param {number} done @param {number} all */
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

/** By the mark of a move: what stands behind its worth, and what that means. */
const MARKS = {
  best: ["", "the best there was"],
  sound: ["", ""],
  mistake: ["?", "was a mistake"],
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
  const better = sign && best && best !== move ? best : null;
  const title = better ? `${meaning}: ${better} was better` : meaning;
  return { text: worth(after, game) + sign, title, isLosing: mark === "losing", better };
}

/**
 * What to note at a move that no review judges, by what the positions before and after it are proven
 * or thought to be worth; null if it was no mistake.
 *
 * @param {Ply} ply
 * @returns {Note | null}
 */
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

/**
 * Whether the best move alone keeps what a position is worth: each other one changes who wins, where
 * that is proven, or costs discs.
 *
 * @param {Score} best
 * @param {Score} other What the next best is worth.
 * @param {string} game
 */
export function isAlone(best, other, game) {
  if (score.isProven(best) && score.isProven(other) && score.outcome(best) > score.outcome(other)) return true;
  return game === "othello" && score.discs(best) - score.discs(other) >= MISTAKE;
}

/** Whether it need not be asked what a position is worth, and whether the move from there was the only one. @param {Ply} ply */
export function isKnown({ evaluation, facts, children }) {
  if (!evaluation?.isProven) return false;
  return facts?.over || facts?.legal.length === 1 || evaluation.only !== undefined || children[0]?.note?.text.includes("?") === true;
}

/**
 * What to note at a move that was the only one, null if it was not or it is noted already.
 *
 * @param {Ply} ply
 * @param {string} game
 * @returns {Note | null}
 */
export function praise({ parent, move, note }, game) {
  const { only, score: worth } = parent?.evaluation ?? {};
  if (!worth || only !== move || note?.text.includes("!") || note?.better) return null;
  const kept = game === "othello" ? "good move" : score.outcome(worth) > 0 ? "move that wins" : "move that draws";
  return { text: `${note?.text ?? ""}!`, title: `was the only ${kept}`, isLosing: false, better: null };
}

/**
 * @param {number} value For the mover.
 * @param {string} game
 */
function worth(value, game) {
  if (game === "othello") return value > 0 ? `+${value}` : String(value).replace("-", "−");
  return value > 0 ? "W" : value < 0 ? "L" : "D";
}
