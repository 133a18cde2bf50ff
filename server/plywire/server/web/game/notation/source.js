/** The text that is read, and errors at places in it. */

import { RulesError } from "../rules/rules.js";

/** The most characters of a text. */
export const MOST = 1_000_000;

/**
 * @typedef {"empty" | "unknown" | "format" | "move" | "position" | "turn" | "game" | "large"} Kind What is
 *   wrong, as in `plywire.clients.play.notation.source`.
 */

/** A text is not understood. The message begins with the line and the column. */
export class NotationError extends RulesError {
  /** Whether this is one bad game in a text of many. */
  canSkip = false;

  /** @param {Kind} kind @param {number} line @param {number} column @param {string} said @param {number} at Where reading goes on. */
  constructor(kind, line, column, said, at = 0) {
    super(`Line ${line}, column ${column}: ${said}.`);
    this.kind = kind;
    this.line = line;
    this.column = column;
    this.at = at;
  }
}

/** A text with all white space replaced by spaces and line feeds, character by character. */
export class Source {
  /** Where the lines start, filled at first use. @type {number[] | null} */
  #starts = null;

  /** @param {string} text */
  constructor(text) {
    this.text = text
      .replace(/^\ufeff/, "")
      .replace(/\r\n?/g, "\n")
      .replace(/[\t\f\v\u00a0\u2000-\u200b\u202f\u3000\ufeff]/g, " ");
  }

  /** The error at a place. Reading goes on at `resume`. @param {Kind} kind @param {number} at @param {string} said */
  error(kind, at, said, resume = at) {
    this.#starts ??= [0, ...[...this.text.matchAll(/\n/g)].map(({ index }) => index + 1)];
    let [line, behind] = [0, this.#starts.length];
    while (behind - line > 1) {
      const middle = (line + behind) >> 1;
      if (this.#starts[middle] <= at) line = middle;
      else behind = middle;
    }
    const column = [...this.text.slice(this.#starts[line], at)].length + 1;
    return new NotationError(kind, line + 1, column, said, resume);
  }

  /** The match of a sticky pattern at a place. @param {RegExp} pattern @param {number} at */
  match(pattern, at) {
    pattern.lastIndex = at;
    return pattern.exec(this.text);
  }

  /** The end of the line of a place. @param {number} at */
  lineEnd(at) {
    const end = this.text.indexOf("\n", at);
    return end < 0 ? this.text.length : end;
  }

  /** Whether a place is the first in its line that is not blank. @param {number} at */
  beginsLine(at) {
    return !this.text.slice(this.text.lastIndexOf("\n", at - 1) + 1, at).trim();
  }
}

/** A text as a message quotes it: one line of at most 20 characters. @param {string} text */
export function shorten(text) {
  const [line] = text.slice(0, 30).split("\n", 1);
  return line.length > 20 ? `“${line.slice(0, 20)}…”` : `“${line}”`;
}
