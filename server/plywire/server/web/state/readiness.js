/** The preparation of the engine for each game. */

import { emit, on } from "../events.js";
import { LostError } from "../connection/connection.js";

/** @import { Connection } from "../connection/connection.js" */

/** Emits `change` when the text changes, and `ready` when a preparation ends. A new connection begins without any. */
export class Readiness extends EventTarget {
  #connection;
  /** The preparations by game and size: seconds left, null if unknown, whether it is over, and whether it failed. @type {Map<string, {left: number | null, isOver: boolean, hasFailed: boolean}>} */
  #known = new Map();

  /** @param {Connection} connection */
  constructor(connection) {
    super();
    this.#connection = connection;
    on(connection, "open", () => this.#known.clear());
    on(connection, "lost", () => this.#known.clear());
  }

  /** Ask once for the preparation of the engine for a game. @param {string} game @param {string} size */
  async want(game, size) {
    const key = `${game} ${size}`;
    if (!this.#connection.isOpen || this.#known.has(key)) return;
    const state = { left: /** @type {number | null} */ (null), isOver: false, hasFailed: false };
    this.#known.set(key, state);
    try {
      await this.#connection.ask({ type: "prepare", game, size }, ({ seconds_left: left = null }) => {
        state.left = left;
        emit(this, "change");
      });
    } catch (error) {
      if (error instanceof LostError) return;
      state.hasFailed = true; // the next question to the engine gets the reason
    }
    state.isOver = true;
    if (this.#known.get(key) === state) emit(this, "ready");
  }

  /** @param {string} game @param {string} size */
  isPreparing(game, size) {
    return this.#known.get(`${game} ${size}`)?.isOver === false;
  }

  /** @param {string} game @param {string} size */
  isReady(game, size) {
    const known = this.#known.get(`${game} ${size}`);
    return !!known?.isOver && !known.hasFailed;
  }

  /** The progress in words, empty if the engine is not being prepared. @param {string} game @param {string} size */
  text(game, size) {
    if (!this.isPreparing(game, size)) return "";
    const left = this.#known.get(`${game} ${size}`)?.left ?? null;
    return left === null ? "Preparing the engine…" : `Preparing the engine, ${left} s left`;
  }
}
