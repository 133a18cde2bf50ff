/**
 * The rules of a game, as the page needs them.
 *
 * They are those of `plywire.engine`: a test compares both move by move. Callers give and get position
 * strings; inside, a position is its rows from the top and the player to move.
 */

/**
 * @typedef {{column: number, row: number}} Cell From the left and from the top.
 * @typedef {{rows: number[][], turn: 1 | 2}} Position In each row the player of each piece, 0 where
 *   there is none.
 * @typedef {{winner: 1 | 2 | null, score: number, reason: string, line?: Cell[]}} Result How a game
 *   ended: the `score` is the first player's, the `line` what won, where a line did.
 * @typedef {{fen: string, turn: 1 | 2, legal: string[], over: boolean, winner: 1 | 2 | null,
 *   score: number, reason: string, line?: Cell[]}} Facts What there is to know about a position.
 */

/** A move, a position or a size breaks the rules. The message is a sentence. */
export class RulesError extends Error {}

/** The rules of one game at one board size. */
export class Rules {
  /** @param {number} width @param {number} height */
  constructor(width, height) {
    this.width = width;
    this.height = height;
  }

  // ---- what a game says ----

  /** Where the game begins. @returns {Position} */
  start() {
    return { rows: Array.from({ length: this.height }, () => Array(this.width).fill(0)), turn: 1 };
  }

  /** Raise RulesError if no game can reach the position. @param {Position} _position */
  check(_position) {}

  /** The moves, as if the game went on. @param {Position} _position @returns {string[]} */
  moves(_position) {
    throw new Error("rules say which moves there are");
  }

  /** Make a move on the rows, one of `moves`. @param {Position} _position @param {string} _move */
  place(_position, _move) {
    throw new Error("rules make moves");
  }

  /** How the game ended, null if it goes on. @param {Position} _position @param {string[]} _moves @returns {Result | null} */
  result(_position, _moves) {
    throw new Error("rules say how a game ends");
  }

  // ---- what all do ----

  /** The facts of a position string; null is the start. Raises RulesError. @param {string | null} text */
  parse(text) {
    if (text === null) return this.#facts(this.start());
    const position = this.#read(text);
    this.check(position);
    return this.#facts(position);
  }

  /** The facts after a legal move. @param {Facts} facts @param {string} move */
  play({ fen }, move) {
    const { rows, turn } = this.#read(fen);
    this.place({ rows, turn }, move);
    return this.#facts({ rows, turn: other(turn) });
  }

  /** @param {Position} position @returns {Facts} */
  #facts(position) {
    const moves = this.moves(position);
    const result = this.result(position, moves);
    const end = result ?? { winner: null, score: 0, reason: "" };
    return { fen: write(position), turn: position.turn, legal: result ? [] : moves, over: result !== null, ...end };
  }

  /** @param {string} text @returns {Position} */
  #read(text) {
    const [board, turn, ...more] = text.trim().toLowerCase().split(/\s+/);
    const rows = readRows(board);
    const isBoard = rows?.length === this.height && rows.every((row) => row.length === this.width);
    if (!rows || !isBoard || more.length || (turn !== "x" && turn !== "o")) {
      throw new RulesError(
        `“${text}” is no position on ${this.width} × ${this.height} squares: the rows from the top, x, o and ` +
          "numbers of empty squares, then x or o to move.",
      );
    }
    return { rows, turn: turn === "x" ? 1 : 2 };
  }
}

/** @param {1 | 2} player @returns {1 | 2} */
export function other(player) {
  return player === 1 ? 2 : 1;
}

/** The rows of the board in a position string, null if it is no board. @param {string} board */
function readRows(board) {
  const rows = board.split("/");
  if (!rows.every((row) => /^([xo]|[1-9]\d?(?!\d))+$/.test(row))) return null;
  return rows.map((row) =>
    [...row.matchAll(/[xo]|\d+/g)].flatMap(([run]) =>
      run === "x" ? [1] : run === "o" ? [2] : Array(Number(run)).fill(0),
    ),
  );
}

/** The rows of a position string from the top: players of pieces, 0 for none. @param {string} fen */
export function rowsOf(fen) {
  return readRows(fen.split(" ")[0]) ?? [];
}

/** A position as a string. @param {Position} position */
export function write({ rows, turn }) {
  const lines = rows.map((row) => row.map((piece) => ".xo"[piece]).join(""));
  return `${lines.join("/").replace(/\.+/g, (run) => String(run.length))} ${turn === 1 ? "x" : "o"}`;
}
