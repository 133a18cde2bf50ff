/** PGN: tags and moves; comments, variations and lines with `%` first are left out. */

import { TAG, tokens } from "./moves.js";
import { ofTheirs } from "./positions.js";
import { NotationError, shorten } from "./source.js";
import { ourName } from "./written.js";

/** @import { Source } from "./source.js" */

const NEXT = /\n *\[ *\w+ +"/g;
const BETWEEN = /[ \n]*/y;

/** The game that begins here. @param {Source} source @param {number} at @returns {import("./written.js").Read} */
export function readPgn(source, at) {
  const { text } = source;
  const start = at;
  /** @type {Map<string, {value: string, at: number}>} */
  const tags = new Map();
  for (let found; (found = source.match(TAG, at)); ) {
    if (!tags.has(found[1])) tags.set(found[1], { value: found[2].replace(/\\(.)/g, "$1"), at });
    at += found[0].length;
    for (;;) {
      at += source.match(BETWEEN, at)?.[0].length ?? 0;
      if (at === text.length || !"%;".includes(text[at]) || !source.beginsLine(at)) break;
      at = source.lineEnd(at);
    }
  }
  if (text[at] === "[") {
    throw skipping(source, source.error("format", at, `${shorten(text.slice(at))} is not understood: expected [Name "value"]`));
  }
  try {
    const { words, end } = tokens(source, at, { isPgn: true });
    const [variant, fen] = [tags.get("Variant"), tags.get("FEN")];
    const game = {
      at: start,
      end,
      words,
      game: variant ? ourName(variant.value) : null,
      size: tags.get("Size")?.value,
      fen: fen ? ofTheirs(fen.value) : null,
      fenAt: fen?.at,
      isOneOfMany: true,
    };
    return [[game], end];
  } catch (error) {
    throw error instanceof NotationError ? skipping(source, error) : error;
  }
}

/** The error, with the next game as the place where reading goes on. @param {Source} source @param {NotationError} error */
function skipping(source, error) {
  NEXT.lastIndex = error.at;
  const found = NEXT.exec(source.text);
  error.at = found ? found.index + 1 : source.text.length;
  return error;
}
