/** Fair play: no engine of the page helps in any of its tabs while the user plays in the arena. */

/** The lock that a tab holds as long as the user plays there. */
const LOCK = "plywire.game";
/** Why the engine does not help. */
export const QUIET = "The engine is quiet until your game in the arena is over.";

/** The engine may not help. */
export class QuietError extends Error {
  constructor() {
    super(QUIET);
  }
}

export class FairPlay {
  /** @type {(() => void) | null} */
  #release = null;
  /** Browsers have locks only on safe connections. */
  #locks = globalThis.navigator?.locks;
  /** Settled when the lock of this tab is free. @type {Promise<unknown> | undefined} */
  #held;

  /** Tell the other tabs whether the user plays in this one. @param {boolean} isPlaying */
  set isPlaying(isPlaying) {
    if (isPlaying === (this.#release !== null)) return;
    if (!isPlaying) {
      this.#release?.();
      this.#release = null;
      return;
    }
    const over = new Promise((/** @type {(value: void) => void} */ resolve) => (this.#release = resolve));
    this.#held = this.#locks?.request(LOCK, { mode: "shared" }, () => over);
  }

  /** Fails while the user plays in one of the tabs. */
  async check() {
    if (!this.#release) await this.#held;
    const { held = [] } = (await this.#locks?.query()) ?? {};
    if (held.some(({ name }) => name === LOCK)) throw new QuietError();
  }

  /** Resolves when the user plays in none of the tabs. */
  async over() {
    await this.#locks?.request(LOCK, () => {}); // nobody else may hold it meanwhile
  }
}
