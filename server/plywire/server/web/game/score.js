/** How scores are written, and what they amount to. */

/** @import { Score } from "../connection/connection.js" */

/** Whether it is known rather than estimated. @param {Score} score */
export function isProven(score) {
  return score.kind !== "cp";
}

/**
 * As short as fits a square: `W13` and `L12` in so many moves of both sides, `D`, `=+4` discs, or an estimate
 * such as `+0.8`.
 *
 * @param {Score} score
 */
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

/** In words. @param {Score} score */
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
 * What a position is worth, in a sentence.
 *
 * @param {Score} score For the side to move.
 * @param {[string, string]} players The side to move, and the other.
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

/** `good`, `bad` or `even` for the side to move. @param {Score} score */
export function verdict({ kind, value }) {
  if (kind === "win" || (kind === "exact" && value > 0)) return "good";
  if (kind === "loss" || (kind === "exact" && value < 0)) return "bad";
  return kind === "cp" ? "guess" : "even";
}

/** 1 for a win, 0 for a draw and -1 for a loss, of a score that is proven. @param {Score} score */
export function outcome({ kind, value }) {
  return kind === "win" ? 1 : kind === "loss" ? -1 : /** @type {1 | 0 | -1} */ (Math.sign(value ?? 0));
}

/** From 0 to 1: how good a move is beside the best one. @param {Score} score @param {Score} best */
export function quality(score, best) {
  return Math.max(0, Math.min(1, 1 - (discs(best) - discs(score)) / 8));
}

/** As if all were discs: a win is worth more than any, the sooner the more. @param {Score} score */
export function discs({ kind, value }) {
  if (kind === "cp") return value / 100;
  return kind === "win" ? 100 - value / 10 : kind === "loss" ? value / 10 - 100 : value;
}

/**
 * From -1 to 1 for the first player: how far the scales tip.
 *
 * @param {Score} score
 * @param {1 | 2} turn
 */
export function balance({ kind, value }, turn) {
  const sign = turn === 1 ? 1 : -1;
  switch (kind) {
    case "win":
      return sign;
    case "loss":
      return -sign;
    case "draw":
      return 0;
    case "exact":
      return sign * Math.tanh(value / 12);
    default:
      return sign * Math.tanh(value / 800);
  }
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
