/**
 * The time of a search.
 *
 * If the page shares a word with the worker, a search runs in one piece: the kernels' clock reads the
 * word. Otherwise, a search runs in slices, between which messages come in. A search that goes on after
 * a slice begins again, and finds in its table what it knew.
 */

/** @import { Kernels } from "./kernels.js" */

/** Milliseconds of the first slice, the factor by which each is longer than the one before, and the most. */
const SHORTEST = 40;
const GROWTH = 1.25;
const LONGEST = 200;
/** A time at which the kernels' clock is read, but that never comes, in ms. */
const FAR = 1e12;

export class Slices {
  #flag;
  #isShared;
  #onLife;
  #breathe;
  #number = 0;
  #deadline = Infinity;
  #length = SHORTEST;
  #end = 0;
  /** Called when the search is to end. @type {() => void} */
  #onEnd = () => {};

  /**
   * @param {Int32Array | null} flag A shared word: all searches up to this number are to end.
   * @param {() => void} [onLife] Called often while a search runs.
   * @param {() => Promise<void>} [breathe] Lets messages in.
   */
  constructor(flag, onLife = () => {}, breathe = nextTask) {
    this.#flag = flag ?? new Int32Array(1);
    this.#isShared = flag !== null;
    this.#onLife = onLife;
    this.#breathe = breathe;
  }

  /** Begin the search of a number. @param {number} number @param {number} milliseconds */
  begin(number, milliseconds) {
    this.#number = number;
    this.#deadline = performance.now() + milliseconds;
    this.#length = SHORTEST;
    this.#end = performance.now() + SHORTEST;
  }

  /** End all searches up to a number. @param {number} number */
  stop(number) {
    if (number > this.#flag[0]) Atomics.store(this.#flag, 0, number);
    if (this.#isStopped) this.#onEnd();
  }

  get #isStopped() {
    return Atomics.load(this.#flag, 0) >= this.#number;
  }

  /** Whether the search is to end, or its time is up. */
  get isOver() {
    return this.#isStopped || performance.now() >= this.#deadline;
  }

  /** The kernels' clock, in ms. */
  now = () => {
    this.#onLife();
    return this.#isStopped ? Infinity : performance.now();
  };

  /** Wait until the search is to end. @returns {Promise<void>} */
  ended() {
    if (this.isOver) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = this.#deadline < Infinity ? setTimeout(resolve, this.#deadline - performance.now()) : undefined;
      this.#onEnd = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /**
   * Call a kernel until it comes to its end, or is to end.
   *
   * @param {Kernels} kernels
   * @param {number} context The address of its memory.
   * @param {() => bigint} call
   * @param {boolean} [mayEnd] Whether time may end it.
   * @returns {Promise<bigint | null>} Null if it was cut short.
   */
  async run(kernels, context, call, mayEnd = true) {
    for (;;) {
      if (!this.#isShared && performance.now() >= this.#end) {
        await this.#breathe();
        this.#length = Math.min(this.#length * GROWTH, LONGEST);
        this.#end = performance.now() + this.#length;
      }
      const end = Math.min(this.#deadline, this.#isShared ? FAR : this.#end);
      kernels.endAt(mayEnd ? end : Infinity);
      const found = call();
      if (!kernels.isCut(context)) return found;
      // Without a stop, no nodes were left.
      if (!kernels.isStopped || this.isOver) return null;
      kernels.resume(context);
    }
  }
}

/** Resolves after the messages that are there. @returns {Promise<void>} */
function nextTask() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
