/** Limits of time, and clocks, as texts. */

/** @import { Clock, Limits } from "../connection/connection.js" */

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** The choices of a game in the arena: value, and limits. @type {[string, Limits][]} */
const CHOICES = [
  ["1+0", fischer(1, 0)],
  ["3+2", fischer(3, 2)],
  ["5+3", fischer(5, 3)],
  ["15+10", fischer(15, 10)],
  ["30+0", fischer(30, 0)],
  ["10s", { movetime: 10 * SECOND }],
  ["30s", { movetime: 30 * SECOND }],
];

/** Value and title of each choice. @type {[string, string][]} */
export const TIMES = CHOICES.map(([value, limits]) => [value, terms(limits)]);

/** @param {string} value One of TIMES. @returns {Limits} */
export function limitsOf(value) {
  return (CHOICES.find(([one]) => one === value) ?? CHOICES[2])[1];
}

/** The value itself if it is one of TIMES, else the usual one. @param {string} value */
export function known(value) {
  return CHOICES.some(([one]) => one === value) ? value : CHOICES[2][0];
}

/** Limits in words: `5 min + 3 s`, `10 s a move`. @param {Limits} limits */
export function terms({ clock, movetime, depth, nodes }) {
  const words = [];
  if (clock) {
    words.push(span(clock.p1));
    if (clock.inc1) words.push(`+ ${span(clock.inc1)}`);
    if (clock.periods1 && clock.byoyomi) words.push(`+ ${clock.periods1} × ${span(clock.byoyomi)}`);
    if (clock.p1 !== clock.p2) words.push(`against ${span(clock.p2)}`);
  }
  if (movetime !== undefined) words.push(`${span(movetime)} a move`);
  if (depth !== undefined) words.push(`depth ${depth}`);
  if (nodes !== undefined) words.push(`${nodes} nodes`);
  return words.join(" ");
}

/** The text of a clock: `4:59`, or `0:09.8` below ten seconds. @param {number} ms */
export function clock(ms) {
  if (ms < 10 * SECOND) return `0:0${(Math.floor(ms / 100) / 10).toFixed(1)}`;
  const seconds = Math.floor(ms / SECOND);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * The text of a clock that has run for a while: the time or the period that runs, and how many periods follow.
 *
 * @param {Clock} clock
 * @param {1 | 2} player
 * @param {number} spent In ms.
 */
export function running({ p1, p2, periods1 = 0, periods2 = 0, byoyomi = 0 }, player, spent) {
  let [time, periods] = player === 1 ? [p1, periods1] : [p2, periods2];
  for (time -= spent; time < 0 && periods > 0 && byoyomi; periods--) time += byoyomi;
  return clock(Math.max(0, time)) + (periods && byoyomi ? ` + ${periods} × ${span(byoyomi)}` : "");
}

/** A text of the server, with its milliseconds as seconds or minutes. @param {string} reason */
export function worded(reason) {
  return reason.replace(/\b(\d+) ms\b/g, (_, ms) => span(Number(ms)));
}

/** @param {number} ms */
function span(ms) {
  if (ms >= MINUTE && ms % MINUTE === 0) return `${ms / MINUTE} min`;
  return ms < SECOND ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`;
}

/** @param {number} minutes At the start. @param {number} seconds Gained by each move. @returns {Limits} */
function fischer(minutes, seconds) {
  const [time, gain] = [minutes * MINUTE, seconds * SECOND];
  return { clock: { p1: time, p2: time, inc1: gain, inc2: gain } };
}
