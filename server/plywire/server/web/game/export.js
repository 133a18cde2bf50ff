/**
 * Games as files for other programs, as the server writes them, too: PGN, in which White is the first
 * player and moves have our names, and GGF.
 */

/**
 * @typedef {object} Played
 * @property {string} game
 * @property {string} size
 * @property {string} fen Where the moves start.
 * @property {boolean} isUsual Whether that is the game's own start.
 * @property {string[]} moves
 * @property {[string, string]} players
 * @property {{winner: 1 | 2 | null, score: number} | null} end How it ended, if it did.
 */

/** The moves, without separators where none is needed: `f5d6c3`, `444`. @param {{game: string, size: string, moves: string[]}} line */
export function toMoves({ game, size, moves }) {
  return moves.join(game === "connect4" && parseInt(size) > 9 ? " " : "");
}

/** @param {Played} played */
export function toPgn({ game, size, fen, isUsual, moves, players, end }) {
  const result = end ? (["1-0", "0-1"][(end.winner ?? 3) - 1] ?? "1/2-1/2") : "*";
  const tags = Object.entries({
    ...{ Event: "Plywire", Site: "?", Date: "????.??.??", Round: "-" },
    ...{ White: players[0], Black: players[1], Result: result, Variant: game, Size: size },
    ...(isUsual ? {} : { SetUp: "1", FEN: fen }),
  }).map(([name, value]) => `[${name} "${value.replace(/["\\]/g, "\\$&")}"]`);
  const words = moves.flatMap((move, ply) => (ply % 2 ? [move] : [`${ply / 2 + 1}.`, move]));
  return [...tags, "", `${[...words, result].join(" ").replace(/(.{1,79})(?: |$)/g, "$1\n")}`].join("\n");
}

/** @param {Played} played */
export function toGgf({ fen, moves, players, end }) {
  const [rows, turn] = fen.split(" ");
  const squares = rows.replace(/\d/g, (run) => "-".repeat(Number(run))).replace(/x/g, "*").replace(/o/g, "O");
  const first = turn === "o" ? 1 : 0;
  const lead = end ? `${end.score < 0 ? "-" : "+"}${Math.abs(end.score)}.000` : "?";
  const head = {
    ...{ GM: "Othello", PC: "Plywire", PB: players[0], PW: players[1], TY: "8", RE: lead },
    BO: `8 ${squares.replace(/\//g, " ")} ${first ? "O" : "*"}`,
  };
  const properties = Object.entries(head).map(([name, value]) => `${name}[${value.replace(/[\]\\]/g, "\\$&")}]`);
  const written = moves.map((move, ply) => `${"BW"[(ply + first) % 2]}[${move === "pass" ? "PA" : move.toUpperCase()}]`);
  return `(;${[...properties, ...written].join("")};)\n`;
}
