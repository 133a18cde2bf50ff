/** The tabs: one panel is shown at a time. */

import { tell } from "../../events.js";

/** Tells `change`. */
export class TabsPanel extends EventTarget {
  #tabs = [...document.querySelectorAll("[role=tab]")].map((tab) => {
    if (!(tab instanceof HTMLButtonElement)) throw new Error("a tab is a button");
    return tab;
  });

  constructor() {
    super();
    this.#tabs.forEach((tab, index) => {
      tab.addEventListener("click", () => this.#choose(tab));
      tab.addEventListener("keydown", (event) => {
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        const next = this.#tabs[(index + by + this.#tabs.length) % this.#tabs.length];
        next.focus();
        this.#choose(next);
      });
    });
    this.select("play");
  }

  /** The name of the tab that is chosen. */
  get mode() {
    return this.#chosen.dataset.mode ?? "";
  }

  /** Choose a tab by its name, if there is one of that name. @param {string} mode */
  select(mode) {
    if (!this.#tabs.some((tab) => tab.dataset.mode === mode)) return;
    document.documentElement.dataset.mode = mode;
    for (const tab of this.#tabs) {
      const isChosen = tab.dataset.mode === mode;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      const panel = document.getElementById(tab.getAttribute("aria-controls") ?? "");
      if (panel) panel.hidden = !isChosen;
    }
  }

  get #chosen() {
    return this.#tabs.find((tab) => tab.ariaSelected === "true") ?? this.#tabs[0];
  }

  /** @param {HTMLButtonElement} tab */
  #choose(tab) {
    this.select(tab.dataset.mode ?? "");
    tell(this, "change");
  }
}
