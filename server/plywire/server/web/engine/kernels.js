/** The kernels of one game, compiled to WebAssembly, and their memory. */

import { CONTEXT, STOP } from "./layout.js";
import { UnavailableError } from "./unavailable.js";

/**
 * @typedef {(...words: bigint[]) => bigint} Entry
 * @typedef {{search_root: Entry, evaluate_root: Entry, count_into: Entry, solve: Entry}} Entries What
 *   Python calls, too; see the kernels of these names. Only some games have `solve`.
 */

/** Blocks of memory begin at cache lines. */
const ALIGNMENT = 64;
const PAGE = 65536;
const ALL = (1n << 64n) - 1n;

/** The kernels, and a memory in which nothing is ever freed: a game that is left drops all of it. */
export class Kernels {
  /** @type {Entries} */
  entries;
  #memory;
  #end;
  #words;
  #clock;
  /** The address of the words that end a search. */
  stop;

  /** @param {WebAssembly.Module} module @param {() => number} now The time in ms; kernels ask every few hundred nodes. */
  constructor(module, now) {
    const { exports } = new WebAssembly.Instance(module, { env: { now } });
    this.entries = /** @type {any} */ (exports);
    this.#memory = /** @type {WebAssembly.Memory} */ (exports.memory);
    this.#end = /** @type {WebAssembly.Global} */ (exports.__heap_base).value;
    this.#words = new BigUint64Array(this.#memory.buffer);
    this.#clock = /** @type {() => bigint} */ (exports.clock_address)();
    this.stop = this.allocate(STOP.bytes);
  }

  /** The address of new memory, all 0. Raises UnavailableError if there is none. @param {number} bytes */
  allocate(bytes) {
    const start = Math.ceil(this.#end / ALIGNMENT) * ALIGNMENT;
    const missing = Math.ceil((start + bytes - this.#memory.buffer.byteLength) / PAGE);
    if (missing > 0) {
      try {
        this.#memory.grow(missing);
      } catch {
        throw new UnavailableError("There is not enough memory for the page's engine.");
      }
      this.#words = new BigUint64Array(this.#memory.buffer);
    }
    this.#end = start + bytes;
    return start;
  }

  /** The address of a copy of some bytes. @param {Uint8Array} bytes */
  copy(bytes) {
    const address = this.allocate(bytes.length);
    this.bytes(address, bytes.length).set(bytes);
    return address;
  }

  /** The bytes at an address, until more memory is allocated. @param {number} address @param {number} count */
  bytes(address, count) {
    return new Uint8Array(this.#memory.buffer, address, count);
  }

  /** @param {number} address A multiple of 8, as of all words. */
  get(address) {
    return this.#words[address / 8];
  }

  /** @param {number} address @param {bigint | number} word */
  put(address, word) {
    this.#words[address / 8] = BigInt(word);
  }

  /** The signed word at an address. @param {number} address */
  signed(address) {
    return Number(BigInt.asIntN(64, this.get(address)));
  }

  /** Set when searches are to end. @param {number} milliseconds As `now` counts; infinity lets none end. */
  endAt(milliseconds) {
    this.put(this.stop + STOP.isSet, 0);
    this.put(this.stop + STOP.deadline, milliseconds === Infinity ? ALL : BigInt(Math.ceil(milliseconds * 1e6)));
    this.put(this.stop + STOP.clock, this.#clock);
  }

  /** Let no search begin: kernels only say what they know. */
  endNow() {
    this.put(this.stop + STOP.isSet, 1);
  }

  /** Whether time is up. */
  get isStopped() {
    return this.get(this.stop + STOP.isSet) !== 0n;
  }

  /** Make the memory of a thread ready for a search of so many nodes. @param {number} context @param {bigint} nodes */
  prepare(context, nodes) {
    this.put(context + CONTEXT.stop, this.stop);
    this.put(context + CONTEXT.halt, 0);
    this.put(context + CONTEXT.nodes, 0);
    this.put(context + CONTEXT.node_limit, nodes);
    this.put(context + CONTEXT.next_look, 0);
  }

  /** Make a search that was cut short ready to go on. @param {number} context */
  resume(context) {
    this.put(context + CONTEXT.halt, 0);
    this.put(context + CONTEXT.next_look, 0);
  }

  /** Whether the last search was cut short, by time or nodes. @param {number} context */
  isCut(context) {
    return this.get(context + CONTEXT.halt) !== 0n || this.isStopped;
  }

  /** Positions that were visited. @param {number} context */
  nodes(context) {
    return Number(this.get(context + CONTEXT.nodes));
  }
}
