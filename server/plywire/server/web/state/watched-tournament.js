/** The tournament that is watched alone, if it is one, and what was asked about it. */

import { LostError, RefusedError } from "../connection/connection.js";
import { emit, on } from "../events.js";

/** Tells `change`. */
export class WatchedTournament extends EventTarget {
  #feed;
  /** The rounds that were asked for. @type {Set<number>} */
  #asked = new Set();
  /** Why it cannot be shown. */
  #trouble = "";
  /** Empty if all are watched. */
  name = "";

  /** @param {import("../connection/arena-feed.js").ArenaFeed} feed */
  constructor(feed) {
    super();
    this.#feed = feed;
    on(feed, "change", () => {
      if (this.name && feed.isWatching && !this.#isKnown) this.recall(1);
    });
  }

  /** Watch a tournament alone, or all. @param {string} name */
  choose(name) {
    if (name === this.name) return;
    this.name = name;
    this.#asked.clear();
    this.#trouble = "";
    if (name && this.#feed.isWatching && !this.#isKnown) this.recall(1);
  }

  get #isKnown() {
    return this.#feed.tournamentsOf(this.name).length > 0;
  }

  /** What to say in place of its standings. */
  get status() {
    if (!this.name || this.#isKnown) return "";
    return this.#trouble || `Looking for tournament ${this.name}…`;
  }

  /** Ask for the games of a round that are over, once. @param {number} round */
  async recall(round) {
    const { name } = this;
    if (!name || this.#asked.has(round)) return;
    this.#asked.add(round);
    try {
      await this.#feed.recallRound(name, round);
      if (name === this.name) this.#trouble = `Of tournament ${name} nothing is kept that can be shown.`;
    } catch (error) {
      if (name !== this.name) return;
      if (error instanceof LostError) this.#asked.delete(round);
      else if (error instanceof RefusedError) this.#trouble = error.message;
      else throw error;
    }
    emit(this, "change");
  }
}
