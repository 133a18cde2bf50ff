/**
 * How hard the engine tries.
 *
 * By time, or by level. In Connect Four, which is solved, a level decides how much of the exact
 * scores of all moves the engine goes by: what lies out of its sight is but a vague notion, and it
 * draws among the moves, the likelier the better they are. In other games a level is how many
 * positions it may look at. The figures are those of `plywire play`.
 */

/**
 * @typedef {import("../connection/remote-engine.js").RemoteEngine} RemoteEngine
 * @typedef {import("../connection/remote-engine.js").Line} Line
 * @typedef {import("../connection/connection.js").Info} Info
 * @typedef {import("../connection/connection.js").Score} Score
 */

/** @type {[string, string][]} What may be chosen: value and title. */
export const STRENGTHS = [
  ["instant", "Instant"],
  ...Array.from({ length: 10 }, (_, index) => {
    const level = index + 1;
    const note = { 1: " (easiest)", 10: " (perfect)" }[level] ?? "";
    return /** @type {[string, string]} */ ([`level-${level}`, `Level ${level}${note}`]);
  }),
  ["ms-500", "Half a second a move"],
  ["ms-1000", "1 second a move"],
  ["ms-3000", "3 seconds a move"],
  ["ms-10000", "10 seconds a move"],
];

const INSTANT = 5;
const ALL_MOVES = 64;
const HIGHEST = 10;
const FAR = 64;
const NOTION = 0.25;
const WARMEST = 0.5;
/** Nodes that the exact scores of all moves may cost; beyond are estimates. */
const SOLVING = 10_000_000;

/**
 * The engine's move.
 *
 * @param {RemoteEngine} engine
 * @param {Line} line
 * @param {string} strength One of STRENGTHS.
 * @param {(info: Info) => void} onInfo
 * @returns {Promise<string | null>}
 */
export async function choose(engine, line, strength, onInfo) {
  const [kind, amount] = strength.split("-");
  if (kind !== "level") {
    const movetime = kind === "ms" ? Number(amount) : INSTANT;
    return engine.search(line, { movetime }, 1, onInfo);
  }
  const level = Number(amount);
  if (line.game !== "connect4") {
    return engine.search(line, { nodes: 10 * 4 ** level }, 1, onInfo);
  }
  /** @type {Info[]} Those of the deepest iteration, best first. */
  let lines = [];
  const best = await engine.search(line, { nodes: SOLVING }, ALL_MOVES, (info) => {
    if (info.multipv === 1) lines = [];
    lines.push(info);
    onInfo(info);
  });
  return lines.length ? pick(lines, level) : best;
}

/**
 * @param {Info[]} lines Best first.
 * @param {number} level
 */
function pick(lines, level) {
  const heat = (WARMEST * (HIGHEST - level)) / (HIGHEST - 1);
  if (heat === 0) return lines[0].pv[0];
  const worths = lines.map(({ score }) => worth(score, level));
  const most = Math.max(...worths);
  const weights = worths.map((each) => Math.exp((each - most) / heat));
  let drawn = Math.random() * weights.reduce((sum, each) => sum + each, 0);
  const index = weights.findIndex((weight) => (drawn -= weight) < 0);
  return lines[Math.max(index, 0)].pv[0];
}

/**
 * @param {Score} score
 * @param {number} level
 */
function worth({ kind, value }, level) {
  if (kind === "cp") return NOTION * Math.tanh(value / 100);
  if (kind === "draw") return 0;
  const sight = level === HIGHEST ? FAR : 2 * level;
  const size = (2 - value / FAR) * (value > sight ? NOTION : 1);
  return kind === "win" ? size : -size;
}
