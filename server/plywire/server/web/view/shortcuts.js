/** Keys that press buttons of the page. The list behind `?` names them, and switches them off. */

import { byId, keptCheckbox, onClick } from "./dom.js";

/** The elements that keys press. @type {Record<string, string>} */
const PRESSED = { a: "arrows", f: "turn", h: "hint", r: "rematch", p: "replay" };

export function startShortcuts() {
  const sheet = byId("shortcuts", HTMLDialogElement);
  const isOn = keptCheckbox("keys-on", "plywire.keys", "on");
  onClick("keys", () => sheet.showModal());
  onClick("close-shortcuts", () => sheet.close());
  document.addEventListener("keydown", (event) => {
    const { key, target, altKey, ctrlKey, metaKey } = event;
    const isTyping = /** @type {HTMLElement} */ (target).closest("input, select, textarea, dialog");
    if (!isOn.checked || isTyping || altKey || ctrlKey || metaKey) return;
    const button = pressed(key.toLowerCase());
    if (key === "?") sheet.showModal();
    else if (key.toLowerCase() === "n") startNext();
    else if (button?.checkVisibility() && !button.disabled) button.click();
    else return;
    event.preventDefault();
  });
}

/** @param {string} key @returns {HTMLButtonElement | HTMLInputElement | null} */
function pressed(key) {
  if (key in PRESSED) return /** @type {HTMLButtonElement | HTMLInputElement} */ (byId(PRESSED[key]));
  return /^[1-9]$/.test(key) ? document.querySelector(`.place[data-move="${key}"]`) : null;
}

function startNext() {
  byId("tab-play", HTMLButtonElement).click();
  byId("choose-game", HTMLSelectElement).focus();
}
