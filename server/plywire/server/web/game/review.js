/**
 * What perfect knowledge says about a game that is over: the exact value of each position, as far
 * as the engine can prove it, and which move lost the game.
 */

/**
 * @typedef {import("../connection/remote-engine.js").RemoteEngine} RemoteEngine
 * @typedef {import("../connection/connection.js").Score} Score
 * @typedef {import("./tree.js").Ply} Ply
 * @typedef {import("./tree.js").Tree} Tree
 *
 * @typedef {object} Note What is said of a move.
 * @property {string} text
 * @property {string} title
 * @property {boolean} isLosing Whether it is the move that lost the game.
 */

/** What a position may cost: proofs come at once or take long. */
const LIMITS = { nodes: 5_000_000 };

/**
 * The exact value for the first player: discs where the game counts them, else 1, 0 or -1; null for
 * an estimate.
 *
 * @param {Score} score
 * @param {1 | 2} turn
 */
function proven({ kind, value }, turn) {
  const worth = { win: 1, loss: -1, draw: 0, exact: value, cp: null }[kind];
  return worth === null ? null : turn === 1 ? worth : -worth;
}

/**
 * Prove what can be proven, from the last position to the first: the engine remembers the later
 * ones, which makes the earlier easier.
 *
 * @param {RemoteEngine} engine
 * @param {Tree} tree
 * @param {Ply[]} plies The positions of the game, the first move's after its opening.
 * @param {() => boolean} isWanted Asked before each position.
 * @param {(values: Map<Ply, number | null>) => void} onValues
 */
export async function review(engine, tree, plies, isWanted, onValues) {
  /** @type {Map<Ply, number | null>} */
  const values = new Map();
  for (const ply of plies) ply.facts ??= await engine.describe(tree.line(ply));
  for (const ply of [...plies].reverse()) {
    if (!isWanted()) return;
    if (ply.facts?.over) {
      values.set(ply, ply.facts.score);
    } else {
      /** @type {number | null} */
      let value = null;
      await engine.search(tree.line(ply), { limits: LIMITS }, (info) => {
        if (info.multipv === 1) value = proven(info.score, tree.turn(ply));
      });
      if (!isWanted()) return;
      values.set(ply, value);
    }
    onValues(values);
  }
}

/**
 * What to note at each move, by the values of the positions before and after.
 *
 * @param {Tree} tree
 * @param {Map<Ply, number | null>} values
 * @param {1 | 2 | undefined} winner
 * @returns {Map<Ply, Note>}
 */
export function notes(tree, values, winner) {
  /** @type {Map<Ply, Note>} */
  const found = new Map();
  /** @type {Ply | null} */
  let losing = null;
  for (const [ply, after] of [...values].sort(([one], [other]) => one.number - other.number)) {
    if (!ply.parent || after === null) continue;
    const mover = tree.turn(ply.parent);
    const sign = mover === 1 ? 1 : -1;
    const before = values.get(ply.parent) ?? null;
    const isUnsound = before !== null && Math.sign(before) !== Math.sign(after);
    if (isUnsound && Math.sign(after) === -sign && winner !== undefined && winner !== mover) {
      losing = ply;
    }
    const text = worth(sign * after, tree.game) + (isUnsound ? "?" : "");
    const title = isUnsound ? "a mistake" : before === after ? "the best there was" : "";
    found.set(ply, { text, title, isLosing: false });
  }
  const note = losing && found.get(losing);
  if (note) Object.assign(note, { text: note.text.replace("?", "??"), title: "lost the game", isLosing: true });
  return found;
}

/**
 * How many of each player's moves kept what the game was worth, of how many that could be judged.
 *
 * @param {Tree} tree
 * @param {Map<Ply, number | null>} values
 * @returns {[[number, number], [number, number]]}
 */
export function accuracy(tree, values) {
  /** @type {[[number, number], [number, number]]} */
  const counts = [[0, 0], [0, 0]];
  for (const [ply, after] of values) {
    const before = ply.parent && values.get(ply.parent);
    if (!ply.parent || before === null || before === undefined || after === null) continue;
    const count = counts[tree.turn(ply.parent) - 1];
    count[0] += Number(before === after);
    count[1] += 1;
  }
  return counts;
}

/**
 * @param {number} value For the mover.
 * @param {string} game
 */
function worth(value, game) {
  if (game === "othello") return value > 0 ? `+${value}` : String(value).replace("-", "−");
  return value > 0 ? "W" : value < 0 ? "L" : "D";
}
