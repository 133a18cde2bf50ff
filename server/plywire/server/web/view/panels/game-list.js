/** Lists of games in the arena: who plays, how it stands, and a click to watch it. */

import { html, setRows, setText } from "../dom.js";

/**
 * @typedef {object} Line A game, or several of the same players.
 * @property {string} key
 * @property {string} [table] The table of the game to watch.
 * @property {string} text Who plays.
 * @property {string} said How it stands.
 * @property {boolean} [isOn] Whether there is something to watch; true unless given.
 * @property {boolean} [isShown] Whether it is the game that is shown.
 */

/** @param {HTMLElement} list @param {Line[]} lines @param {(table: string) => void} choose */
export function setGames(list, lines, choose) {
  const make = () => {
    const button = html("button", { class: "row game" }, html("span"), html("span", { class: "quiet" }));
    button.addEventListener("click", () => choose(button.dataset.table ?? ""));
    return html("li", {}, button);
  };
  setRows(list, lines, make, (row, { table, text, said, isOn = true, isShown }) => {
    const button = /** @type {HTMLButtonElement} */ (row.firstElementChild);
    if (table) button.dataset.table = table;
    button.title = text;
    button.disabled = !isOn;
    if (isShown !== undefined) button.ariaPressed = String(isShown);
    setText(button.children[0], text);
    setText(button.children[1], said);
  });
}
