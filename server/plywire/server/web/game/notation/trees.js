/** Trees of properties, as SGF and GGF have them: `(;GM[2]SZ[8];B[f5](;W[d6];B[c3])(;W[f6]))`. */

import { shorten } from "./source.js";
import { MOST_WORDS } from "./written.js";

/** The beginning of a tree, perhaps after NBoard's command or the number of games. */
export const HEAD = /(?:set +game +|[0-9]+ +)?\( *;/iy;

const NAME = /([A-Za-z]{1,16})[ \n]*(?=\[)/y;
const VALUE = /\[([^\]\\]*(?:\\.[^\]\\]*)*)\][ \n]*/sy;

/**
 * @import { Source } from "./source.js"
 *
 * @typedef {{name: string, values: string[], at: number}} Property
 */

/** The main line of a game. */
export class Tree {
  /** @param {number} at @param {number} end @param {Property[][]} nodes @param {boolean} hasBranches */
  constructor(at, end, nodes, hasBranches) {
    this.at = at;
    this.end = end;
    this.nodes = nodes;
    this.hasBranches = hasBranches;
  }

  /** The first property of that name. @param {string} name */
  first(name) {
    return this.nodes.flat().find((found) => found.name === name);
  }

  /** The first value of a property, or `other` if there is no such property. @param {string} name */
  value(name, other = "") {
    return this.first(name)?.values[0] ?? other;
  }

  get moves() {
    return this.nodes.flat().filter(({ name }) => name === "B" || name === "W");
  }
}

/** The tree that begins here. @param {Source} source @param {number} at */
export function readTree(source, at) {
  const { text } = source;
  const start = text.indexOf("(", at);
  /** @type {Property[][]} */
  const nodes = [];
  let [depth, isMain, hasBranches] = [0, true, false];
  for (at = start; at < text.length; ) {
    const sign = text[at];
    let name;
    if (sign === " " || sign === "\n") {
      at++;
    } else if (sign === "(") {
      hasBranches ||= depth > 0;
      depth++;
      at++;
    } else if (sign === ")") {
      isMain = false; // what comes behind the first end is another branch
      depth--;
      at++;
      if (depth === 0) return new Tree(start, at, nodes, hasBranches);
    } else if (sign === ";") {
      if (isMain) nodes.push([]);
      at++;
    } else if ((name = source.match(NAME, at))) {
      const property = { name: name[1], values: /** @type {string[]} */ ([]), at };
      at += name[0].length;
      for (let value; (value = source.match(VALUE, at)); at += value[0].length) {
        property.values.push(value[1].replace(/\\(.)/gs, "$1"));
      }
      if (!property.values.length) throw source.error("format", at, "a [ without its ]", text.length);
      if (isMain && nodes.length > 2 * MOST_WORDS) throw source.error("large", at, `over ${MOST_WORDS} moves`, behind(source, at));
      if (isMain) nodes.at(-1)?.push(property);
    } else {
      const said = `${shorten(text.slice(at))} is not understood: expected NAME[VALUE]`;
      throw source.error("format", at, said, behind(source, at));
    }
  }
  throw source.error("format", start, "a game without its )", text.length);
}

/** Where the next game may begin. @param {Source} source @param {number} at */
function behind(source, at) {
  const line = source.lineEnd(at);
  const end = source.text.slice(at, line).indexOf(";)");
  return end < 0 ? line : at + end + 2;
}
