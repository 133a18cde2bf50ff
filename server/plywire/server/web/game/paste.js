/**
 * What is pasted, of whatever game: a link of the page, or what the reader of games and positions knows.
 *
 * A text may be read as of several games. The one that is shown goes first, and the first in which
 * all can be played is taken; where there is none, the one in which most can says what is wrong.
 */

import * as link from "./link.js";
import { read } from "./notation/reader.js";
import { RulesError } from "./rules/rules.js";

/** @import { Board } from "./notation/replay.js" */

/**
 * Raises RulesError of a text that is nothing of this, or not to be played.
 *
 * @param {string} text
 * @param {Board} shown
 * @param {Iterable<import("./games.js").Game>} games All that there are.
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
  const { game, size, fen, moves } = read(text, [{ game: shown.game, size: shown.size }, ...others], { joined: true }).games[0];
  return { game, size, fen, moves };
}
