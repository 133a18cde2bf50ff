/** The one tournament that is watched, if the user chose one. */

import { LostError, RefusedError } from "../connection/connection.js";
import { emit, on } from "../events.js";

/** Emits `change`. */
export class WatchedTournament extends EventTarget {
  #feed;
  /** The rounds that the server was asked for. @type {Set<number>} */
  #asked = new Set();
  /** Why the tournament cannot be shown. */
  #trouble = "";
  /** Empty if all tournaments are watched. */
  name = "";

  /** @param {import("../connection/arena-feed.js").ArenaFeed} feed */
  constructor(feed) {
    super();
    this.#feed = feed;
    on(feed, "change", () => {
      if (this.name && feed.isWatching && !this.#isKnown) this.recall(1);
    });
  }

  /** Watch one tournament, or all if the name is empty. @param {string} name */
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

  /** The text in place of the standings. */
  get status() {
    if (!this.name || this.#isKnown) return "";
    return this.#trouble || `Looking for tournament ${this.name}…`;
  }

  /** Ask once for the finished games of a round. @param {number} round */
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
