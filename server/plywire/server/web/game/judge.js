/** Judges the moves of a game, as `clients/play/judging/game_judge.py` does. */

import { outcome, isProven } from "./score.js";

/**
 * @import { Score } from "../connection/connection.js"
 * @import { Judged, Reviewed } from "../connection/remote-engine.js"
 * @import { Facts } from "./rules/rules.js"
 */

/** Judges moves by the proven values of the positions before and after them, the last move first. */
export class GameJudge {
  #positions;
  #moves;
  #opening;
  #winner;
  #left;
  /** The value of the position after the move to judge, undefined before the first. @type {number | null | undefined} */
  #after;
  /** @type {Reviewed} */
  outcome = { players: [{ moves: 0, best: 0, sound: 0 }, { moves: 0, best: 0, sound: 0 }] };

  /** @param {Facts[]} positions One more than moves. @param {string[]} moves @param {{opening: number, winner?: 1 | 2}} game The winner, if the game is unfinished. */
  constructor(positions, moves, { opening, winner }) {
    const end = positions[positions.length - 1];
    this.#positions = positions;
    this.#moves = moves;
    this.#opening = opening;
    this.#winner = end.over ? end.winner : winner;
    this.#left = positions.length;
  }

  /** How many moves lead to the position to look at next, null if all moves are judged. */
  get next() {
    return this.#left > this.#opening ? this.#left - 1 : null;
  }

  /**
   * Judge the move after that position. The answer is null after the last move.
   *
   * @param {Score | undefined} found The score of the position, if it was searched.
   * @param {string | null} best
   * @returns {Judged | null}
   */
  add(found, best) {
    const at = --this.#left;
    const facts = this.#positions[at];
    const sign = facts.turn === 1 ? 1 : -1;
    const value = facts.over ? facts.score : found && isProven(found) ? sign * worth(found) : null;
    const later = this.#after;
    this.#after = value;
    if (later === undefined) return null;
    const [before, after] = [value, later].map((each) => (each === null ? undefined : sign * each));
    const isKnown = before !== undefined && after !== undefined;
    return {
      ...{ number: at + 1, move: this.#moves[at], player: facts.turn, best: best ?? undefined, after },
      ...{ mark: isKnown ? this.#mark(at, facts.turn, before, after) : "unproven", lost: isKnown ? before - after : undefined },
    };
  }

  /** @param {number} at @param {1 | 2} player @param {number} before @param {number} after @returns {Judged["mark"]} */
  #mark(at, player, before, after) {
    const isBest = before === after;
    const isSound = Math.sign(before) === Math.sign(after);
    const tally = this.outcome.players[player - 1];
    tally.moves++;
    tally.best += Number(isBest);
    tally.sound += Number(isSound);
    if (!isSound && after < 0 && this.#winner === 3 - player && this.outcome.losing === undefined) {
      this.outcome.losing = at + 1;
      return "losing";
    }
    return isBest ? "best" : isSound ? "sound" : "mistake";
  }
}

/** A proven score as the final result: discs, or 1, 0 or -1. @param {Score} score */
function worth(score) {
  return score.kind === "exact" ? score.value : outcome(score);
}
