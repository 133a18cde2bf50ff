/** The engine: searches positions of any of its games, one at a time. It knows no DOM and no worker. */

import { Connect4Analysis } from "./connect4-analysis.js";
import { OpeningScores } from "./connect4-openings.js";
import { Solver } from "./connect4-solver.js";
import { Kernels } from "./kernels.js";
import { DEEPENING, MEMORY, THREAD } from "./layout.js";
import { pick, searchOf } from "./levels.js";
import { OthelloSearcher } from "./othello.js";
import { Position } from "./position.js";
import { Searcher, search } from "./search.js";
import { Slices } from "./slices.js";
import { UnavailableError } from "./unavailable.js";

/**
 * @import { Info } from "../connection/connection.js"
 * @import { Go, Line } from "../connection/remote-engine.js"
 * @import { Answer } from "./client.js"
 * @import { Promised } from "./connect4-analysis.js"
 * @import { GameLayout } from "./layout.js"
 * @import { Found, Limits, Line as FoundLine, SearchRoot } from "./search.js"
 *
 * @typedef {[WebAssembly.Module, Uint8Array | null]} Files The kernels and the data of a game.
 * @typedef {(name: string) => Promise<ArrayBuffer>} Load Loads one of the engine's files.
 */

/** Milliseconds between two signs of life of a search that has come to its end, and waits. */
const BEAT = 1000;

/** Searches one game. */
class GameEngine {
  layout;
  kernels;
  #slices;
  /** @type {Searcher} */
  #searcher;
  /** @type {Solver | null} */
  #solver = null;
  /** @type {Promised | null} */
  #promised = null;
  #board;

  /** @param {GameLayout} layout @param {WebAssembly.Module} module @param {Uint8Array | null} data @param {number} hashMb @param {Slices} slices */
  constructor(layout, module, data, hashMb, slices) {
    this.layout = layout;
    this.#slices = slices;
    this.#board = layout.board;
    const kernels = (this.kernels = new Kernels(module, slices.now));
    if (layout.isSelective && data) {
      const searcher = new OthelloSearcher(kernels, data, hashMb);
      this.#board = searcher.board;
      this.#searcher = searcher;
    } else if (layout.canSolve) {
      const estimateMb = Math.min(hashMb * MEMORY.estimatePart, MEMORY.mostForEstimates);
      this.#searcher = new Searcher(kernels, THREAD.bytes, estimateMb);
      const openings = data ? new OpeningScores(data, layout) : undefined;
      this.#solver = new Solver(kernels, slices, hashMb - estimateMb, openings);
    } else {
      this.#searcher = new Searcher(kernels, THREAD.bytes, MEMORY.mostForEstimates);
    }
  }

  /** Forget what earlier searches found. */
  clear() {
    this.#searcher.clear();
    this.#solver?.clear();
    this.#promised = null;
  }

  /** @param {Position} position @param {Limits} limits @param {number} multipv @param {(lines: FoundLine[]) => void} onLines @returns {Promise<Found>} */
  async analyse(position, limits, multipv, onLines) {
    if (!this.#solver || (limits.depth !== undefined && limits.depth < position.empty)) {
      return this.#search(position, limits, multipv, onLines);
    }
    const estimate = (/** @type {number} */ nodes) => this.#search(position, { nodes }, multipv);
    const asked = new Connect4Analysis(this.#solver, this.#slices, position, limits, multipv, estimate, onLines, this.#promised);
    const found = await asked.run();
    this.#promised = asked.promised;
    return found;
  }

  /** @param {Position} position @param {Limits} limits @param {number} multipv @param {(lines: FoundLine[]) => void} [onLines] */
  #search(position, limits, multipv, onLines) {
    const { search_root: searchRoot } = this.kernels.entries;
    const memory = BigInt(this.#searcher.memory);
    /** @type {SearchRoot} */
    const call = this.layout.isSelective
      ? (depth, confidence, low, high) => {
          const words = [depth, DEEPENING.confidences.indexOf(confidence), low, high].map(BigInt);
          return searchRoot(memory, position.own, position.other, ...words);
        }
      : (depth, _, low, high) => {
          return searchRoot(...this.#board, memory, position.own, position.other, ...[depth, low, high].map(BigInt));
        };
    return search(this.kernels, this.#searcher, call, position, limits, multipv, this.#slices, onLines);
  }

  /** The leaves of a position's tree at a depth, and the games that ended earlier. @param {Position} position @param {number} depth */
  count({ own, other }, depth) {
    const result = this.kernels.allocate(16);
    this.kernels.entries.count_into(...this.#board, own, other, BigInt(depth), BigInt(result));
    return { leaves: this.kernels.get(result), finished: this.kernels.get(result + 8) };
  }
}

/** Engines of all games, of which one at a time has memory. */
export class Engine {
  #load;
  #onLife;
  #hashMb;
  #slices;
  /** @type {GameEngine | null} */
  #game = null;
  /** @type {Map<string, Promise<Files>>} */
  #loading = new Map();
  /** @type {Promise<unknown>} */
  #running = Promise.resolve();
  #number = 0;
  #random;

  /**
   * @param {Load} load
   * @param {{hashMb?: number, flag?: Int32Array | null, onLife?: () => void, random?: () => number}} [options] See `client.js`;
   *   `onLife` is called often while a search runs.
   */
  constructor(load, { hashMb = MEMORY.usualMb, flag = null, onLife = () => {}, random = Math.random } = {}) {
    this.#load = load;
    this.#hashMb = hashMb;
    this.#slices = new Slices(flag, onLife);
    this.#onLife = onLife;
    this.#random = random;
  }

  /**
   * Search a position until a limit is reached, the result is proven, or the search is stopped.
   *
   * The search that runs is stopped first. An infinite search answers when it is stopped. Raises
   * RulesError, or UnavailableError if the engine does not know the game or something is missing.
   *
   * @param {Line} line
   * @param {Go} go
   * @param {(info: Info) => void} [onInfo]
   * @param {number} [number] Of the search: more than those before.
   * @returns {Promise<Answer>}
   */
  analyse(line, go, onInfo = () => {}, number = this.#number + 1) {
    this.stop();
    this.#number = number;
    const answer = this.#running.then(() => this.#analyse(line, go, onInfo, number));
    this.#running = answer.catch(() => {});
    return answer;
  }

  /** End a search, and those before: the one that runs. @param {number} [number] */
  stop(number = this.#number) {
    this.#slices.stop(number);
  }

  /** Forget what earlier searches found. */
  clear() {
    this.#game?.clear();
  }

  /** The leaves of a position's tree, and games that end earlier. @param {Line} line @param {number} depth */
  async count(line, depth) {
    const position = new Position(line);
    return this.#gameOf(position, await this.#filesOf(position)).count(position, depth);
  }

  /** @param {Line} line @param {Go} go @param {(info: Info) => void} onInfo @param {number} number @returns {Promise<Answer>} */
  async #analyse(line, { limits = {}, multipv = 1, level }, onInfo, number) {
    const position = new Position(line);
    if (position.isOver) return { move: null, lines: [] };
    this.#slices.begin(number, Infinity);
    // Another question does not wait for files that do not come.
    const files = await Promise.race([this.#filesOf(position), this.#slices.ended()]);
    if (!files) return { move: null, lines: [] };
    const { layout } = position;
    const game = this.#gameOf(position, files);
    const asked = level ? searchOf(layout, level, position.moves.length, limits) : { limits, multipv };
    this.#slices.begin(number, asked.limits.movetime ?? Infinity);
    const inform = (/** @type {FoundLine[]} */ lines) => lines.map((each, index) => infoOf(each, index + 1, layout));
    const found = await game.analyse(position, asked.limits, asked.multipv, (lines) => inform(lines).forEach(onInfo));
    if (asked.limits.infinite) {
      const beat = setInterval(this.#onLife, BEAT);
      await this.#slices.ended();
      clearInterval(beat);
    }
    const move = level ? pick(layout, level, found, this.#random) : found.best;
    return { move: layout.moves[move], lines: inform(found.lines) };
  }

  /** @param {Position} position @param {Files} files */
  #gameOf({ layout }, [module, data]) {
    if (this.#game?.layout === layout) return this.#game;
    return (this.#game = new GameEngine(layout, module, data, this.#hashMb, this.#slices));
  }

  /** @param {Position} position */
  #filesOf({ layout }) {
    if (this.#game?.layout !== layout) this.#game = null; // its memory can go before more is taken
    let loading = this.#loading.get(layout.wasm);
    if (!loading) {
      loading = this.#fetch(layout);
      this.#loading.set(layout.wasm, loading);
      loading.catch(() => this.#loading.delete(layout.wasm));
    }
    return loading;
  }

  /** @param {GameLayout} layout @returns {Promise<Files>} */
  async #fetch({ wasm, data }) {
    const [code, packed] = await Promise.all([this.#load(wasm), data && this.#load(data.file)]);
    try {
      return [await WebAssembly.compile(code), data && packed && (await unpacked(packed, data.checksum))];
    } catch {
      throw new UnavailableError("A file of the page's engine is damaged, or this browser is too old for it.");
    }
  }
}

/** Unpack a file, which fails if it is damaged or another. @param {ArrayBuffer} packed By gzip. @param {number} checksum */
async function unpacked(packed, checksum) {
  const found = new DataView(packed).getUint32(packed.byteLength - 8, true);
  if (found !== checksum) throw new Error("The file has another checksum.");
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** A line as the page has it. @param {FoundLine} line @param {number} multipv @param {GameLayout} layout @returns {Info} */
function infoOf({ pv, ...line }, multipv, layout) {
  const nps = Math.floor((line.nodes * 1000) / Math.max(line.time, 1));
  const [moves, squares] = [layout.moves, layout.squares].map((names) => pv.map((move) => names[move]));
  return { type: "info", ...line, nps, multipv, pv: moves, squares };
}
