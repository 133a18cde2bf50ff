/** Scores: as texts, and as numbers to compare. */

/** @import { Score } from "../connection/connection.js" */

/** Whether a score is proven rather than estimated. @param {Score} score */
export function isProven(score) {
  return score.kind !== "cp";
}

/** A score as short as fits a square: `W13`, `L12`, `D`, `=+4` discs, or an estimate such as `+0.8`. @param {Score} score */
export function short({ kind, value }) {
  switch (kind) {
    case "win":
      return `W${value}`;
    case "loss":
      return `L${value}`;
    case "draw":
      return "D";
    case "exact":
      return `=${signed(value)}`;
    default: {
      const size = Math.round(value / 10) / 10 || 0; // not −0
      return signed(Math.abs(size) < 10 ? size.toFixed(1) : Math.round(size));
    }
  }
}

/** A score in words. @param {Score} score */
export function long({ kind, value }) {
  switch (kind) {
    case "win":
      return `wins in ${moves(value)}`;
    case "loss":
      return `loses in ${moves(value)}`;
    case "draw":
      return "draws";
    case "exact":
      return value ? `ends ${Math.abs(value)} discs ${value > 0 ? "ahead" : "behind"}` : "draws";
    default:
      return `about ${signed((value / 100).toFixed(1))}`;
  }
}

/**
 * The value of a position in a sentence.
 *
 * @param {Score} score For the player to move.
 * @param {[string, string]} players The player to move, and the other.
 * @param {boolean} hasDiscs Whether the game counts discs, and estimates are in discs.
 */
export function sentence({ kind, value }, [mover, other], hasDiscs) {
  const leader = value > 0 ? mover : other;
  const by = Math.round(Math.abs(value) / (kind === "cp" ? 100 : 1));
  switch (kind) {
    case "win":
      return `${mover} wins in ${moves(value)}: proven.`;
    case "loss":
      return `${other} wins in ${moves(value)}: proven.`;
    case "draw":
      return "With best play a draw: proven.";
    case "exact":
      return by ? `With best play ${leader} wins by ${by} discs: proven.` : "With best play a draw: proven.";
    default:
      if (!by) return "About even.";
      return hasDiscs ? `${leader} is ahead by about ${by} ${by === 1 ? "disc" : "discs"}.` : `${leader} is better, it seems.`;
  }
}

/** `good`, `bad` or `even` for the player to move, `guess` if it is not proven. @param {Score} score */
export function verdict(score) {
  return isProven(score) ? ["bad", "even", "good"][outcome(score) + 1] : "guess";
}

/** The outcome that a proven score means: 1 for a win, 0 for a draw, -1 for a loss. @param {Score} score */
export function outcome({ kind, value }) {
  return kind === "win" ? 1 : kind === "loss" ? -1 : /** @type {1 | 0 | -1} */ (Math.sign(value ?? 0));
}

/** How good a move is compared to the best one, from 0 to 1. @param {Score} score @param {Score} best */
export function quality(score, best) {
  return Math.max(0, Math.min(1, 1 - (discs(best) - discs(score)) / 8));
}

/** A score in discs. A win is more than all discs, and more the sooner it comes. @param {Score} score */
export function discs({ kind, value }) {
  if (kind === "cp") return value / 100;
  return kind === "win" ? 100 - value / 10 : kind === "loss" ? value / 10 - 100 : value;
}

/** A score for the first player, from -1 to 1. @param {Score} score @param {1 | 2} turn The player to move. */
export function balance(score, turn) {
  const { kind, value } = score;
  const ahead = kind === "cp" ? Math.tanh(value / 800) : kind === "exact" ? Math.tanh(value / 12) : outcome(score);
  return turn === 1 ? ahead : -ahead;
}

/** @param {number | string} value */
function signed(value) {
  const text = String(value).replace("-", "−");
  return text.startsWith("−") ? text : `+${text}`;
}

/** @param {number} count */
function moves(count) {
  return count === 1 ? "1 move" : `${count} moves`;
}
