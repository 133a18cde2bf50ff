/**
 * The WebSocket: it sends commands, receives events, and opens again after a loss.
 *
 * It speaks the protocol's JSON dialect. A command has an `id`, which the events of its answer repeat;
 * other events have none. If the connection is lost, each open command fails with LostError, and the
 * caller asks again.
 */

/**
 * @typedef {{p1: number, p2: number, inc1?: number, inc2?: number, byoyomi?: number,
 *   periods1?: number, periods2?: number}} Clock Times in ms.
 * @typedef {{kind: "cp" | "win" | "draw" | "loss" | "exact", value: number}} Score
 * @typedef {{movetime?: number, depth?: number, nodes?: number, clock?: Clock,
 *   infinite?: boolean}} Limits
 * @typedef {{type: "info", depth: number, score: Score, nodes: number, time: number, nps: number,
 *   confidence?: number, multipv: number, pv: string[], squares: string[]}} Info
 * @typedef {{type: string, id?: number | string} & Record<string, any>} Event_
 * @typedef {{type: string} & Record<string, unknown>} Command
 * @typedef {(event: Event_) => void} Listener
 */

import { emit } from "../events.js";

/** The events that end the answer to a command. */
const CLOSING = new Set([
  ...["ok", "error", "hello", "ready", "bestmove", "reviewed", "pong", "bye", "welcome", "offered"],
]);

/** Milliseconds before the page tries again: the first time, and at most. */
const SHORTEST_WAIT = 250;
const LONGEST_WAIT = 8000;
/** Milliseconds between two pings, and before a missing answer means that the connection is lost. */
const HEARTBEAT = 30000;
const PATIENCE = 10000;

/** The connection was lost before the command was answered. */
export class LostError extends Error {
  constructor() {
    super("the connection was lost");
  }
}

/** The server refused a command, which changed nothing. The message is a sentence. */
export class RefusedError extends Error {
  /** @param {Event_} event */
  constructor(event) {
    const text = event.message.charAt(0).toUpperCase() + event.message.slice(1);
    super(/[.!?]$/.test(text) ? text : `${text}.`);
    /** @type {string} */
    this.code = event.code;
  }
}

/** Emits `open` after the greeting, `lost` with the server's reason, and `event` with each event that answers no command. */
export class Connection extends EventTarget {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Map<number, {command: Command, on: Listener | undefined,
   *    resolve: Listener, reject: (error: Error) => void}>} */
  #waiting = new Map();
  /** @type {string[]} */
  #unsent = [];
  #number = 0;
  #tries = 0;
  #reason = "";
  #timer = 0;
  #heartbeat = 0;
  /** Whether the page wants a connection. */
  #isWanted = false;
  isOpen = false;

  constructor() {
    super();
    addEventListener("online", () => this.retry());
    addEventListener("offline", () => {
      if (this.#socket && this.isOpen) this.#check(this.#socket);
    });
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.retry();
    });
  }

  open() {
    clearTimeout(this.#timer);
    this.#isWanted = true;
    if (this.#socket) return;
    const socket = (this.#socket = new WebSocket("/"));
    socket.addEventListener("open", () => this.#greet(socket));
    socket.addEventListener("message", ({ data }) => this.#receive(JSON.parse(data)));
    socket.addEventListener("close", () => this.#lost(socket));
  }

  /** Try again now, if the connection is lost. */
  retry() {
    if (this.#isWanted) this.open();
  }

  /** Close the connection, and do not try again. */
  close() {
    this.#isWanted = false;
    clearTimeout(this.#timer);
    if (this.#socket) this.#lost(this.#socket);
  }

  /**
   * Send a command. Fails with RefusedError, or with LostError where the server has not answered the greeting:
   * a question that came before what the page asks on opening would keep the server too busy for that.
   *
   * @param {Command} command
   * @param {Listener} [on] Gets the events before the last.
   * @returns {Promise<Event_>} The last event of the answer.
   */
  ask(command, on) {
    return this.isOpen ? this.#ask(command, on) : Promise.reject(new LostError());
  }

  /** @param {Command} command @param {Listener} [on] @returns {Promise<Event_>} */
  #ask(command, on) {
    return new Promise((resolve, reject) => {
      if (this.#socket?.readyState !== WebSocket.OPEN) {
        reject(new LostError());
        return;
      }
      const id = ++this.#number;
      this.#waiting.set(id, { command, on, resolve, reject });
      if (this.#unsent.push(JSON.stringify({ ...command, id })) === 1) {
        queueMicrotask(() => this.#send());
      }
    });
  }

  /** Send commands of the same moment as one message, a line each. */
  #send() {
    const lines = this.#unsent.splice(0);
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(lines.join("\n"));
  }

  /** @param {WebSocket} socket */
  async #greet(socket) {
    try {
      const hello = await this.#ask({ type: "hello", version: 1 });
      this.isOpen = true;
      this.#tries = 0;
      this.#reason = "";
      this.#heartbeat = setInterval(() => this.#check(socket), HEARTBEAT);
      emit(this, "open", hello);
    } catch (error) {
      if (!(error instanceof LostError)) socket.close();
    }
  }

  /** @param {WebSocket} socket */
  #check(socket) {
    const late = setTimeout(() => this.#lost(socket), PATIENCE);
    this.ask({ type: "ping" }).then(
      () => clearTimeout(late),
      () => clearTimeout(late),
    );
  }

  /** @param {Event_} event */
  #receive(event) {
    const asked = typeof event.id === "number" ? this.#waiting.get(event.id) : undefined;
    if (asked === undefined) {
      if (event.type === "bye") this.#reason = event.reason;
      emit(this, "event", event);
    } else if (!CLOSING.has(event.type)) {
      asked.on?.(event);
    } else {
      this.#waiting.delete(/** @type {number} */ (event.id));
      if (event.type === "error") asked.reject(new RefusedError(event));
      else asked.resolve(event);
    }
  }

  /** @param {WebSocket} socket */
  #lost(socket) {
    if (socket !== this.#socket) return;
    this.#socket = null;
    this.isOpen = false;
    socket.close();
    clearInterval(this.#heartbeat);
    if (this.#isWanted) {
      const wait = Math.min(SHORTEST_WAIT * 2 ** this.#tries++, LONGEST_WAIT);
      this.#timer = setTimeout(() => this.open(), wait * (0.75 + Math.random() / 2));
    }
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(new LostError());
    emit(this, "lost", this.#reason);
  }
}
