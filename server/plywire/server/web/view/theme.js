/** The theme: light, dark, or that of the system. This device keeps the choice. */

import { byId, html } from "./dom.js";

const STORE = "plywire.theme";
const TITLES = { auto: "Auto", light: "Light", dark: "Dark" };
const THEMES = /** @type {(keyof typeof TITLES)[]} */ (Object.keys(TITLES));

export function startTheme() {
  const button = byId("theme", HTMLButtonElement);
  /** @param {keyof typeof TITLES} theme */
  const show = (theme) => {
    document.documentElement.dataset.theme = theme;
    button.ariaLabel = `Theme: ${theme}`;
    button.replaceChildren(html("span", {}, TITLES[theme]));
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
