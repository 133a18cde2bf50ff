/** Who answers the page's questions: the engine in the page, the server's, or a plain search if both are missing. */

import { LostError } from "../connection/connection.js";
import { UnavailableError } from "../engine/unavailable.js";
import { emit, on } from "../events.js";
import { GAMES, rulesOf } from "../game/games.js";
import { GameJudge } from "../game/judge.js";
import { DEEPEST, look } from "../game/plain.js";
import { rowsOf } from "../game/rules/rules.js";
import { QuietError } from "./fair-play.js";

/**
 * @import { Connection, Info } from "../connection/connection.js"
 * @import { Found, Go, Judged, Line, RemoteEngine, Reviewed } from "../connection/remote-engine.js"
 * @import { LocalEngine } from "../engine/client.js"
 * @import { Rules } from "../game/rules/rules.js"
 * @import { FairPlay } from "./fair-play.js"
 * @import { Readiness } from "./readiness.js"
 *
 * @typedef {"page" | "server" | "plain"} Speaker
 */

/** How the page says who answers. @type {Record<Speaker, string>} */
export const WORDS = { page: "in your browser", server: "on the server", plain: "by a simple engine in your browser" };

/** Stones of Connect Four's positions whose moves the server has in its book, and the page has not. */
const BOOK = [8, 12];
/** Empty squares of Othello up to which the page plays without a mistake, too. */
const EARLY = 20;
const SQUARES = 64;
/** The level that plays the best moves. */
const HIGHEST = 10;
/** The most time for a move of a level that errs, in ms: a slow phone needs it before it has counted the level's nodes. */
const PATIENCE = 2000;
/** Milliseconds before the page's engine is tried again for a game for which it failed. */
const RETRY = 10_000;
/** The most nodes for each position of a review, unless it says another number. */
const THOROUGH = 1_000_000;

/**
 * It has the methods of RemoteEngine. Emits `loaded` when the page's engine is there for the next question, `change`
 * when it fails, and `again` when another may answer what was asked: a game in another tab is over, or the server is lost.
 */
export class Engines extends EventTarget {
  #local;
  #remote;
  #connection;
  #readiness;
  #fairPlay;
  #hasServer;
  /** The games whose files the page has. @type {Set<string>} */
  #loaded = new Set();
  /** The games whose files the page gets while the server answers. @type {Set<string>} */
  #loading = new Set();
  /** Counts questions and stops: what was asked before the last is over. */
  #number = 0;
  /** Why the page's engine does not answer, by game, and when it is tried again. @type {Map<string, {message: string, retry: number}>} */
  #troubles = new Map();
  /** Whether the page has tried in vain to reach the server. */
  #isLost = false;

  /** @param {{local: LocalEngine, remote: RemoteEngine, connection: Connection, readiness: Readiness, fairPlay: FairPlay, hasServer: boolean}} parts */
  constructor({ local, remote, connection, readiness, fairPlay, hasServer }) {
    super();
    this.#local = local;
    this.#remote = remote;
    this.#connection = connection;
    this.#readiness = readiness;
    this.#fairPlay = fairPlay;
    this.#hasServer = hasServer;
    on(connection, "lost", () => {
      if (this.#isLost) return;
      this.#isLost = true;
      emit(this, "again");
    });
    on(connection, "open", () => {
      this.#isLost = false;
      // The server may have other files now, or the network is back.
      for (const trouble of this.#troubles.values()) trouble.retry = 0;
    });
  }

  /** Why the page's engine does not answer, empty if it does, or does not know the board. @param {{game: string, size: string}} board */
  trouble(board) {
    return (isKnown(board) && this.#troubles.get(board.game)?.message) || "";
  }

  /** Who answers a question now. @param {Line} line @param {Go} go @returns {Speaker} */
  speaker(line, go) {
    const { game, size } = line;
    if (!isKnown(line) || this.trouble(line)) return this.#other(line);
    const isReady = this.#connection.isOpen && this.#readiness.isReady(game, size);
    return isReady && this.#isBetterThere(line, go) ? "server" : "page";
  }

  /** Who answers if the page's engine cannot: nobody waits for a server that is lost. @param {Line} line @returns {Speaker} */
  #other({ game }) {
    const hasRules = GAMES.some(({ name }) => name === game);
    return this.#hasServer && !(this.#isLost && hasRules) ? "server" : "plain";
  }

  /** Whether the server should prepare its engine for a question. @param {Line} line @param {Go} go */
  needsServer(line, go) {
    return this.#hasServer && (!isKnown(line) || this.trouble(line) !== "" || this.#isBetterThere(line, go));
  }

  /** Whether the server's engine is stronger, or sooner there. @param {Line} line @param {Go} go */
  #isBetterThere(line, { level }) {
    const { game } = line;
    const stones = stonesOf(line);
    if (game === "connect4") return (level ?? HIGHEST) === HIGHEST && stones >= BOOK[0] && stones <= BOOK[1];
    if (game !== "othello") return false;
    return !this.#loaded.has(game) || (level === HIGHEST && SQUARES - stones > EARLY);
  }

  games() {
    return this.#remote.games();
  }

  /** @param {Line} line */
  describe(line) {
    return this.#remote.describe(line);
  }

  /** End the search or review that runs. */
  stop() {
    this.#number++;
    this.#local.stop();
    this.#remote.stop();
  }

  /**
   * Search a position until a limit is reached or the next question comes.
   *
   * @param {Line} line
   * @param {Go} go
   * @param {(info: Info) => void} [onInfo]
   * @returns {Promise<Found>}
   */
  search(line, go, onInfo) {
    return this.#ask(++this.#number, line, go, onInfo);
  }

  /** @param {number} number @param {Line} line @param {Go} go @param {(info: Info) => void} [onInfo] @returns {Promise<Found>} */
  async #ask(number, line, go, onInfo) {
    const isLast = () => number === this.#number;
    const speaker = this.speaker(line, go);
    try {
      (speaker === "server" ? this.#local : this.#remote).stop();
      await this.#checkFairPlay();
      if (!isLast()) return NOTHING;
      if (speaker !== "page") void this.#load(line);
      if (speaker === "server") return await this.#remote.search(line, go, onInfo);
      if (speaker === "plain") return plainly(line, go, onInfo);
      const isLimited = (go.level ?? HIGHEST) < HIGHEST;
      const limits = isLimited ? { movetime: PATIENCE, ...go.limits } : go.limits;
      const answer = this.#local.analyse(line, { ...go, limits }, (info) => {
        this.#loaded.add(line.game);
        onInfo?.(info);
      });
      const found = await (this.#loaded.has(line.game) ? answer : Promise.race([answer, this.#outpaced(line, go)]));
      if (found === null) {
        answer.catch(() => {}); // `#load` asks again
        return isLast() ? this.#ask(number, line, go, onInfo) : NOTHING;
      }
      const { move } = found;
      if (move !== null) this.#loaded.add(line.game);
      return { move, isWeak: false };
    } catch (error) {
      if (error instanceof UnavailableError) this.#fail(line, error);
      else if (!(error instanceof LostError)) throw error;
      if (!isLast()) return NOTHING;
      // Another answers, unless the page waits for its server.
      if (error instanceof LostError && this.speaker(line, go) === "server") throw error;
      return this.#ask(number, line, go, onInfo);
    }
  }

  /** Fails while no engine may help, and says when it may again. */
  async #checkFairPlay() {
    try {
      await this.#fairPlay.check();
    } catch (error) {
      if (error instanceof QuietError) void this.#fairPlay.over().then(() => emit(this, "again"));
      throw error;
    }
  }

  /** Resolves if the server is ready before the page has its files. @param {Line} line @param {Go} go @returns {Promise<null>} */
  #outpaced(line, go) {
    return new Promise((resolve) => {
      on(this.#readiness, "ready", () => {
        if (this.speaker(line, go) === "server") resolve(null);
      });
    });
  }

  /** Get the files for a game, so that the page answers the next question. @param {Line} line */
  async #load(line) {
    const { game } = line;
    const { retry = 0 } = this.#troubles.get(game) ?? {};
    if (!isKnown(line) || this.#loaded.has(game) || this.#loading.has(game) || performance.now() < retry) return;
    this.#loading.add(game);
    try {
      const { move } = await this.#local.analyse(line, { limits: { depth: 1 } });
      if (move === null) return; // another question came first
      this.#loaded.add(game);
      this.#troubles.delete(game);
      emit(this, "loaded");
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      this.#fail(line, error);
    } finally {
      this.#loading.delete(game);
    }
  }

  /** @param {Line} line @param {UnavailableError} error */
  #fail({ game }, { message }) {
    this.#troubles.set(game, { message, retry: performance.now() + RETRY });
    this.#loaded.delete(game);
    emit(this, "change");
  }

  /**
   * Review a line.
   *
   * @param {Line} line
   * @param {{opening: number, winner?: 1 | 2, nodes?: number}} game
   * @param {(judged: Judged) => void} onMove Gets each judged move, the last one first.
   * @returns {Promise<Reviewed | null>} Null if the next question ended the review.
   */
  async review(line, game, onMove) {
    const number = ++this.#number;
    if (!isKnown(line) && this.#other(line) === "server") {
      await this.#checkFairPlay();
      if (number !== this.#number) return null;
      try {
        return await this.#remote.review(line, game, onMove);
      } catch (error) {
        if (!(error instanceof LostError) || this.#other(line) === "server") throw error;
      }
    }
    const rules = /** @type {Rules} */ (rulesOf(line.game, line.size));
    const positions = [rules.parse(line.fen)];
    for (const move of line.moves) positions.push(rules.play(positions[positions.length - 1], move));
    const judge = new GameJudge(positions, line.moves, game);
    const go = { limits: { nodes: game.nodes ?? THOROUGH } };
    /** @param {number} at */
    const until = (at) => ({ ...line, moves: line.moves.slice(0, at) });
    // The last moves come first; meanwhile the server can open its book for the earlier ones.
    if (positions.some((_, at) => this.needsServer(until(at), go))) void this.#readiness.want(line.game, line.size);
    for (let at = judge.next; at !== null; at = judge.next) {
      /** @type {Info | undefined} */
      let best;
      if (!positions[at].over) {
        await this.#ask(number, until(at), go, (info) => {
          if (info.multipv === 1) best = info;
        });
      }
      if (number !== this.#number) return null;
      const judged = judge.add(best?.score, best?.pv[0] ?? null);
      if (judged) onMove(judged);
    }
    return judge.outcome;
  }
}

/** What a search finds that another question ended. @type {Found} */
const NOTHING = { move: null, isWeak: false };

/** Whether the page's engine knows a game and its size. @param {{game: string, size: string}} board */
function isKnown({ game, size }) {
  return GAMES.some((each) => each.name === game && each.size === size);
}

/** @param {Line} line */
function stonesOf({ game, size, fen, moves }) {
  const start = fen ?? rulesOf(game, size)?.parse(null).fen ?? "";
  return rowsOf(start).flat().filter(Boolean).length + moves.filter((move) => move !== "pass").length;
}

/** Answer by the plain search. @param {Line} line @param {Go} go @param {(info: Info) => void} [onInfo] @returns {Found} */
function plainly(line, { level = DEEPEST, multipv = 1 }, onInfo = () => {}) {
  const found = look(line, Math.min(level, DEEPEST));
  found.slice(0, multipv).forEach(onInfo);
  return { move: found[0]?.pv[0] ?? null, isWeak: false };
}
