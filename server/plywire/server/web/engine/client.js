/**
 * The engine in the page: starts the worker when it is first asked, and talks to it.
 *
 * It has the methods of `connection/remote-engine.js` that search. It knows no DOM: any program that
 * has workers can use it.
 */

import { UnavailableError } from "./unavailable.js";

/**
 * @import { Info } from "../connection/connection.js"
 * @import { Go, Line } from "../connection/remote-engine.js"
 *
 * @typedef {{move: string | null, lines: Info[]}} Answer The move to play, null if the game is over,
 *   and the best lines, the best first.
 * @typedef {{hashMb?: number, flag?: Int32Array | null}} Options The size of the table of positions, and
 *   a shared word: a search ends once it is not less than the number of the search.
 * @typedef {{type: "options", options: Options}
 *   | {type: "analyse", number: number, line: Line, go: Go}
 *   | {type: "stop", number: number}} Question A message to the worker.
 * @typedef {{type: "info", number: number, info: Info}
 *   | {type: "answer", number: number, answer: Answer}
 *   | {type: "failure", number: number, message: string}
 *   | {type: "alive"}} Reply A message of the worker.
 */

/** MB of the table for each GB of the device's memory, and its limits. */
const MB_PER_GB = 8;
const [LEAST_MB, MOST_MB] = [16, 64];
/** GB of a device that does not say how much memory it has. */
const USUAL_GB = 4;

/** Milliseconds between two looks at the worker, and how many looks without a sign of life mean that it is dead. */
const LOOK = 1000;
const MOST_LOOKS = 10;

/** A module that is valid only if the browser has vectors of 128 bits: a function that returns one. */
const VECTORS = new Uint8Array([
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
]);

/** Why the engine cannot work in this browser, empty if it can. */
export function obstacle() {
  if (typeof Worker === "undefined") return "This browser has no workers, so the page has no engine of its own.";
  if (typeof WebAssembly === "undefined") return "This browser has no WebAssembly, so the page has no engine of its own.";
  return WebAssembly.validate(VECTORS) ? "" : "This browser is too old for the page's own engine.";
}

/** The size of the table for a device with that many GB of memory. @param {number} [gigabytes] */
export function tableSize(gigabytes = USUAL_GB) {
  return Math.min(MOST_MB, Math.max(LEAST_MB, MB_PER_GB * gigabytes));
}

/** The engine in a worker of its own. */
export class LocalEngine {
  #url;
  #options;
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Int32Array | null} */
  #flag = null;
  #number = 0;
  /** Looks at the worker while questions wait. @type {ReturnType<typeof setInterval> | undefined} */
  #watch;
  /** How many looks found no sign of life. Time does not count: it goes on while the device sleeps. */
  #silence = 0;
  /** @type {Map<number, {onInfo: ((info: Info) => void) | undefined, resolve: (answer: Answer) => void,
   *    reject: (error: Error) => void}>} */
  #waiting = new Map();

  /** @param {URL | string} url The address of `worker.js`. @param {Options} [options] */
  constructor(url, options = {}) {
    this.#url = url;
    this.#options = options;
  }

  /**
   * Search a position until a limit is reached or the next question comes.
   *
   * Fails with UnavailableError, also for other games and sizes than those of `game/games.js`. If the
   * worker died, the next question starts another.
   *
   * @param {Line} line
   * @param {Go} go
   * @param {(info: Info) => void} [onInfo] Gets each of the best lines, whenever there are new ones.
   * @returns {Promise<Answer>}
   */
  analyse(line, go, onInfo) {
    this.stop();
    return new Promise((resolve, reject) => {
      const number = ++this.#number;
      this.#waiting.set(number, { onInfo, resolve, reject });
      try {
        this.#post({ type: "analyse", number, line, go });
      } catch (error) {
        this.#fail(error instanceof UnavailableError ? error.message : String(error));
      }
    });
  }

  /** End the search that runs; it answers with what it has found. */
  stop() {
    if (!this.#waiting.size) return;
    if (this.#flag) Atomics.store(this.#flag, 0, this.#number);
    this.#worker?.postMessage({ type: "stop", number: this.#number });
  }

  /** End the worker, and forget what it knows. */
  close() {
    this.#fail("The engine was closed.");
  }

  /** @param {Question} question */
  #post(question) {
    this.#worker ??= this.#start();
    this.#worker.postMessage(question);
    this.#watch ??= setInterval(() => {
      if (++this.#silence >= MOST_LOOKS) this.#fail("The page's engine does not answer.");
    }, LOOK);
  }

  #start() {
    const reason = obstacle();
    if (reason) throw new UnavailableError(reason);
    const worker = new Worker(this.#url, { type: "module" });
    worker.addEventListener("message", ({ data }) => this.#receive(data));
    worker.addEventListener("error", () => {
      if (worker === this.#worker) this.#fail("The page's engine could not be loaded, or it broke down.");
    });
    // Only pages that are isolated from other sites may share memory with workers.
    const isShared = typeof SharedArrayBuffer !== "undefined" && globalThis.crossOriginIsolated !== false;
    this.#flag = isShared ? new Int32Array(new SharedArrayBuffer(4)) : null;
    const { deviceMemory } = /** @type {{deviceMemory?: number}} */ (globalThis.navigator ?? {});
    const options = { hashMb: tableSize(deviceMemory), ...this.#options, flag: this.#flag };
    worker.postMessage({ type: "options", options });
    return worker;
  }

  /** @param {Reply} reply */
  #receive(reply) {
    this.#silence = 0;
    if (reply.type === "alive") return;
    const asked = this.#waiting.get(reply.number);
    if (reply.type === "info") {
      asked?.onInfo?.(reply.info);
      return;
    }
    this.#waiting.delete(reply.number);
    if (!this.#waiting.size) this.#rest();
    if (reply.type === "answer") asked?.resolve(reply.answer);
    else asked?.reject(new UnavailableError(reply.message));
  }

  #rest() {
    clearInterval(this.#watch);
    this.#watch = undefined;
    this.#silence = 0;
  }

  /** @param {string} message */
  #fail(message) {
    this.#rest();
    this.#worker?.terminate();
    this.#worker = null;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(new UnavailableError(message));
  }
}
