/** Light, dark, or as the system has it; the choice is remembered. */

import { byId, setText } from "./dom.js";

const STORE = "plywire.theme";
const THEMES = /** @type {const} */ (["auto", "light", "dark"]);

export function startTheme() {
  const button = byId("theme", HTMLButtonElement);
  /** @param {string} theme */
  const show = (theme) => {
    document.documentElement.dataset.theme = theme;
    setText(button, `Theme: ${theme}`);
  };
  const stored = localStorage.getItem(STORE);
  let index = Math.max(0, THEMES.findIndex((theme) => theme === stored));
  show(THEMES[index]);
  button.addEventListener("click", () => {
    index = (index + 1) % THEMES.length;
    localStorage.setItem(STORE, THEMES[index]);
    show(THEMES[index]);
  });
}
