/** Positions and games as texts: in the page's address, and to copy. */

/**
 * @typedef {object} Place
 * @property {string} game
 * @property {string} size
 * @property {string | null} fen Where the moves start; null is the game's own start.
 * @property {string[]} moves
 * @property {number} at How many of the moves lead to the position that is shown.
 * @property {string} mode The panel that is shown.
 * @property {string | null} [table] Of a game of the arena, which stands for all of the above but `at`.
 * @property {string | null} [tournament] The name of the tournament that is shown, and no game.
 * @property {boolean} [isWall] Whether all games of the tournament, or all, are shown, and none for itself.
 * @property {Invitation | null} [invitation] To a game that has not begun, and no other game.
 *
 * @typedef {{key: string, game: string, size: string, time: string}} Invitation Who knows the `key`
 *   may play; the time is one of TIMES.
 */

/** The address, as seen from the page's home. @param {Place} place */
export function write({ mode, game, size, fen, moves, at, table, tournament, isWall, invitation }) {
  if (invitation) return invite(invitation);
  if (table) return `game/${encodeURIComponent(table)}${at < moves.length ? `#at=${at}` : ""}`;
  if (tournament) return `tournament/${encodeURIComponent(tournament)}`;
  if (isWall) return "#boards";
  const fields = new URLSearchParams({ mode, game, size });
  if (fen) fields.set("fen", fen);
  if (moves.length) fields.set("moves", moves.join("."));
  if (at < moves.length) fields.set("at", String(at));
  return `#${fields}`;
}

/** The address of an invitation, as seen from the page's home. @param {Invitation} invitation */
export function invite({ key, ...terms }) {
  return `invite/${encodeURIComponent(key)}?${new URLSearchParams(terms)}`;
}

/**
 * What an address says.
 *
 * @param {string} address
 * @param {string} [home] The page's home, below which games of the arena have their addresses.
 * @returns {Partial<Place>}
 */
export function read(address, home = "page:/") {
  const { href, pathname, search, hash } = new URL(address, home);
  const path = href.startsWith(home) ? pathname.slice(new URL(home).pathname.length) : pathname.slice(1);
  const fields = new URLSearchParams(hash.slice(1));
  const [, kind, name = ""] = /^(game|tournament|invite)\/([^/]+)$/.exec(path) ?? [];
  if (kind === "game") return { mode: "watch", table: unescape(name), at: count(fields.get("at")) };
  if (kind === "tournament") return { mode: "watch", tournament: unescape(name), isWall: true };
  if (kind) {
    const terms = new URLSearchParams(search);
    const [game, size, time] = ["game", "size", "time"].map((field) => terms.get(field) ?? "");
    return { mode: "play", game, size, invitation: { key: unescape(name), game, size, time } };
  }
  if (fields.has("boards")) return { mode: "watch", isWall: true };
  const moves = fields.get("moves")?.toLowerCase().split(".").filter(Boolean) ?? [];
  return {
    mode: fields.get("mode") ?? undefined,
    game: fields.get("game") ?? undefined,
    size: fields.get("size") ?? undefined,
    fen: fields.get("fen"),
    moves,
    at: Math.min(count(fields.get("at")) ?? Infinity, moves.length),
  };
}

/** @param {string | null} text */
function count(text) {
  return text && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** @param {string} text */
function unescape(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A game as the protocol's `position` command has it. @param {{fen: string | null, moves: string[]}} game */
export function toText({ fen, moves }) {
  return [fen ?? "startpos", ...(moves.length ? ["moves", ...moves] : [])].join(" ");
}
