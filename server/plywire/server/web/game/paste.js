/**
 * Pasted texts: a link of the page, or a game or position that the reader knows.
 *
 * A text can fit several games. The page tries the game that is shown first, and takes the first game that
 * allows all moves. If there is none, the game that allows most moves gives the error.
 */

import * as link from "./link.js";
import { read } from "./notation/reader.js";
import { RulesError } from "./rules/rules.js";

/** @import { Board } from "./notation/replay.js" */

/**
 * The place of a pasted text. Raises RulesError.
 *
 * @param {string} text
 * @param {Board} shown
 * @param {Iterable<import("./games.js").Game>} games All games.
 * @returns {Board & Partial<link.Place>}
 */
export function recognise(text, shown, games) {
  const pasted = text.trim();
  if (!pasted) throw new RulesError("There is nothing to set up: paste a position, moves, a game or a link.");
  if (/^(https?:\/\/|\/|#)\S*$/.test(pasted) && !pasted.startsWith("/os:") && URL.canParse(pasted, "page:/")) {
    const place = link.read(pasted);
    if (!place.game && !place.table && !place.tournament && !place.invitation) throw new RulesError("This link leads to no game.");
    return { ...place, game: place.game ?? shown.game, size: place.size ?? shown.size };
  }
  const others = [...games].map(({ name, size }) => ({ game: name, size }));
  const { game, size, fen, moves } = read(text, [{ game: shown.game, size: shown.size }, ...others], { joined: true })[0];
  return { game, size, fen, moves };
}
