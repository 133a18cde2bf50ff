/** The tabs, each with its panel. */

/** @import { Screen } from "../../actions/screen.js" */

export class TabsPanel {
  #screen;
  #tabs = [...document.querySelectorAll("[role=tab]")].map((tab) => {
    if (!(tab instanceof HTMLButtonElement)) throw new Error("a tab is a button");
    return tab;
  });
  #mode = "";

  /** @param {Screen} screen */
  constructor(screen) {
    this.#screen = screen;
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
    this.render("play");
  }

  /** Show a tab and its panel. @param {string} mode The tab's name. */
  render(mode) {
    if (mode === this.#mode) return;
    this.#mode = mode;
    document.documentElement.dataset.mode = mode;
    for (const tab of this.#tabs) {
      const isChosen = tab.dataset.mode === mode;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      const panel = document.getElementById(tab.getAttribute("aria-controls") ?? "");
      if (panel) panel.hidden = !isChosen;
    }
  }

  /** @param {HTMLButtonElement} tab */
  #choose(tab) {
    const mode = tab.dataset.mode ?? "";
    this.render(mode);
    this.#screen.select(mode);
  }
}
