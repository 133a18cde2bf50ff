/** Move strings: with or without numbers, separators, comments, variations and results. */

import { shorten } from "./source.js";
import { MOST_WORDS } from "./written.js";

/**
 * @import { Source } from "./source.js"
 * @import { Read, Word } from "./written.js"
 */

/** A tag of PGN, which ends a list of moves. */
export const TAG = / *\[ *(\w+) +"([^"\\\n]*(?:\\.[^"\\\n]*)*)" *\] */y;

const WORD = /[^ \n,;{}()!?$]+/y;
const RESULT = /(?:1-0|0-1|1\/2-1\/2|½-½|\*)(?=[ \n{;]|$)/y;
const NUMBER = /[0-9]{1,4}\.+|\$[0-9]+|[!?]+/y;
const BRACKETED = /[0-9]{1,4}\)/y;
const BEHIND = / *(?:\{[^}]*\} *)*/y;
const GOES_ON = / *([0-9]{1,4})[.)]/y;
const OTHERS = / *(?:[0-9]+ +)?(?:\[ *\w+ +"|\{ *"|\( *;)/y;
const REMARK = / *(?:[#%]|\n)/y;
const SCORE = /^[+-][0-9]+(?:\.[0-9]*)?$/;
const LETTERS = /(pass|pa|--|p@[a-z][0-9]{1,2}|[a-z][0-9]{1,2})|[-–.]/iy;
const DIGITS = /(p@[a-z][0-9]{1,2}|[0-9]+)|[-–.]/iy;

/** The moves of one line; if `joined`, of all lines up to another notation. @param {Source} source @param {number} at @param {boolean} joined @returns {Read} */
export function readMoves(source, at, joined) {
  const { words, end, hasResult } = tokens(source, at, { joined });
  return [words.length || hasResult ? [{ at, end, words, hasScore: true }] : [], end];
}

/** The words that name moves, where they end, and whether a result ends them. @param {Source} source @param {number} at */
export function tokens(source, at, { isPgn = false, joined = false } = {}) {
  const { text } = source;
  /** @type {Word[]} */
  const words = [];
  /** @type {number[]} */
  const opened = [];
  const first = at;
  let hasResult = false;
  while (at < text.length) {
    const sign = text[at];
    let found = null;
    if (sign === " " || (",;".includes(sign) && !isPgn)) {
      at++;
    } else if (sign === "\n") {
      const after = nextLine(source, at + 1, isPgn, joined, opened.length > 0);
      if (after === null) break;
      at = after;
    } else if (sign === "{") {
      const end = text.indexOf("}", at);
      if (end < 0) throw source.error("format", at, "a comment without its }", text.length);
      at = end + 1;
    } else if (sign === ";" || ("#%".includes(sign) && (at === first || " \n".includes(text[at - 1])))) {
      at = source.lineEnd(at);
    } else if (sign === "(") {
      opened.push(at++);
    } else if (sign === ")" && opened.length) {
      opened.pop();
      at++;
    } else if ((found = source.match(NUMBER, at) ?? (opened.length ? null : source.match(BRACKETED, at)))) {
      at += found[0].length;
    } else if ((found = source.match(RESULT, at))) {
      at += found[0].length;
      if (opened.length) continue;
      hasResult = true;
      at += source.match(BEHIND, at)?.[0].length ?? 0;
      break;
    } else if ((found = source.match(WORD, at))) {
      if (!opened.length) {
        if (words.length === MOST_WORDS) throw source.error("large", at, `over ${MOST_WORDS} moves`, at + found[0].length);
        words.push({ text: found[0], at });
      }
      at += found[0].length;
    } else {
      throw source.error("unknown", at, `${shorten(text.slice(at))} is not understood: expected moves`);
    }
  }
  if (opened.length) throw source.error("format", opened[0], "a variation without its )", at);
  return { words, end: at, hasResult };
}

/** Where moves go on after the end of a line, null if they do not. @param {Source} source @param {number} at @param {boolean} isPgn @param {boolean} joined @param {boolean} isInside */
function nextLine(source, at, isPgn, joined, isInside) {
  const { text } = source;
  if (!isPgn && !joined) {
    const number = source.match(GOES_ON, at);
    return isInside || (number && Number(number[1]) > 1) ? at : null;
  }
  while (at < text.length && (text[at] === "%" || (joined && source.match(REMARK, at)))) {
    at = Math.min(source.lineEnd(at) + 1, text.length);
  }
  const isOther = source.match(isPgn ? TAG : OTHERS, at);
  return isOther && !isInside ? null : at;
}

/**
 * The words without the score behind them: a number with a sign, or one where no move is named so. Behind
 * four columns or more without blanks, a number is one as in Pons' files: `32164625 11`.
 *
 * @param {Word[]} words @param {boolean} isDigits @param {number} width
 */
export function withoutScore(words, isDigits, width) {
  if (words.length < 2) return words;
  const last = words[words.length - 1].text;
  const isPons = words.length === 2 && width < 10 && /^[0-9]{4,}$/.test(words[0].text) && /^[0-9]{1,2}$/.test(last);
  const isScore = SCORE.test(last) || (isDigits ? isPons : /^[0-9]+(?:-[0-9]+)?$/.test(last));
  return isScore ? words.slice(0, -1) : words;
}

/** The moves in a word, by our names. Raises NotationError. @param {Source} source @param {Word} word @param {boolean} isDigits @param {number} width @returns {Word[]} */
export function split(source, word, isDigits, width) {
  const { text, player } = word;
  if (word.isWhole) return [{ text: text.toLowerCase(), at: word.at, player }];
  const pattern = isDigits ? DIGITS : LETTERS;
  /** @type {Word[]} */
  const moves = [];
  for (let at = 0; at < text.length; ) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (!found) {
      const such = isDigits ? "columns such as 443" : "moves such as f5 d6 or pass";
      const said = `${shorten(text.slice(at))} is not understood: expected ${such}`;
      throw source.error("unknown", word.at + at, said, word.at + text.length);
    }
    const name = found[1];
    if (name) {
      const isRun = /^[0-9]+$/.test(name) && (width < 10 || name.length > 2);
      (isRun ? [...name] : [name]).forEach((each, step) => {
        moves.push({ text: named(each.toLowerCase(), isDigits), at: word.at + at + step, player });
      });
    }
    at += found[0].length;
  }
  return moves;
}

/** @param {string} name @param {boolean} isDigits */
function named(name, isDigits) {
  if (name === "pa" || name === "--") return "pass";
  if (!name.startsWith("p@")) return name;
  return isDigits ? String(name.charCodeAt(2) - 96) : name.slice(2); // a drop of cutechess
}
