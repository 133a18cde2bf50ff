/** Which games the engine is ready for, and how far the preparation of the others has come. */

import { emit, on } from "../events.js";
import { LostError } from "../connection/connection.js";

/** @import { Connection } from "../connection/connection.js" */

/**
 * Tells `change` when there is something else to say, and `ready` when a preparation has ended. What
 * the server says of one connection does not hold for the next.
 */
export class Readiness extends EventTarget {
  #connection;
  /** By game and size: the seconds that are left, null if nothing is known, and whether it goes on. @type {Map<string, {left: number | null, isOver: boolean}>} */
  #known = new Map();

  /** @param {Connection} connection */
  constructor(connection) {
    super();
    this.#connection = connection;
    on(connection, "open", () => this.#known.clear());
    on(connection, "lost", () => this.#known.clear());
  }

  /** Have the engine prepared for a game, unless it is, or is being prepared. @param {string} game @param {string} size */
  async want(game, size) {
    const key = `${game} ${size}`;
    if (!this.#connection.isOpen || this.#known.has(key)) return;
    /** @type {{left: number | null, isOver: boolean}} */
    const state = { left: null, isOver: false };
    this.#known.set(key, state);
    try {
      await this.#connection.ask({ type: "prepare", game, size }, ({ seconds_left: left = null }) => {
        state.left = left;
        emit(this, "change");
      });
    } catch (error) {
      if (error instanceof LostError) return;
      // Nothing is to be waited for: what is asked of the engine next says what is wrong.
    }
    state.isOver = true;
    if (this.#known.get(key) === state) emit(this, "ready");
  }

  /** Whether the engine is being prepared for a game. @param {string} game @param {string} size */
  isPreparing(game, size) {
    return this.#known.get(`${game} ${size}`)?.isOver === false;
  }

  /** How far that has come, empty if the engine is not being prepared. @param {string} game @param {string} size */
  text(game, size) {
    if (!this.isPreparing(game, size)) return "";
    const left = this.#known.get(`${game} ${size}`)?.left ?? null;
    return left === null ? "Preparing the engine…" : `Preparing the engine, ${left} s left`;
  }
}
