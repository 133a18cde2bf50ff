/** What the engine is asked about the position that is shown: its reply, analysis, a hint. */

import { emit } from "../events.js";
import { estimated, note, praise } from "../game/review.js";
import { asked } from "../game/strengths.js";
import * as score from "../game/score.js";

/**
 * @typedef {import("../connection/connection.js").Info} Info
 * @typedef {import("../connection/remote-engine.js").RemoteEngine} RemoteEngine
 * @typedef {import("../game/tree.js").Ply} Ply
 * @typedef {import("../game/tree.js").Tree} Tree
 * @typedef {import("./state.js").State} State
 */

/** What a hint, and each position when the whole game is evaluated, may cost, in ms. */
const HINT = { limits: { movetime: 300 } };
const SWEEP = { limits: { movetime: 250 } };

/**
 * Tells `learn` when the position is known, `found` of more lines or judgements, and `swept` when the
 * whole game is evaluated or reviewed. What is found goes into the state.
 */
export class Searches extends EventTarget {
  #state;
  #engine;
  /** Of the position that is shown; what is found for an earlier one comes too late. */
  #number = 0;

  /**
   * @param {State} state
   * @param {RemoteEngine} engine
   */
  constructor(state, engine) {
    super();
    this.#state = state;
    this.#engine = engine;
  }

  /** Leave what was asked, and forget what was found. */
  stop() {
    this.#number++;
    this.#state.infos = new Map();
    this.#state.hint = null;
    this.#engine.stop();
  }

  /** Ask what is to be asked in the current position. Fails with RefusedError or LostError. */
  async start() {
    const number = this.#number;
    const { tree } = this.#state;
    const learnt = this.#learn(tree, tree.current).then(() => {
      if (number === this.#number) emit(this, "learn");
    });
    // The engine need not wait until the page knows the position.
    await this.#unlessLate(number, Promise.all([learnt, this.#search(number)]));
  }

  /** Find a hint. Fails with RefusedError or LostError. */
  async hint() {
    const number = ++this.#number;
    const { tree } = this.#state;
    const search = this.#engine.search(tree.line(tree.current), HINT);
    const move = await this.#unlessLate(number, search);
    if (number !== this.#number) return;
    this.#state.hint = move ?? null;
    emit(this, "learn");
  }

  /**
   * What comes of it; failures that come too late are nobody's.
   *
   * @template T
   * @param {number} number
   * @param {Promise<T>} result
   */
  async #unlessLate(number, result) {
    try {
      return await result;
    } catch (error) {
      if (number === this.#number) throw error;
      return undefined;
    }
  }

  /** @param {number} number */
  async #search(number) {
    const { mode, sweeping, tree, isWaiting, analysis } = this.#state;
    if (this.#state.isHelpBarred) return;
    if (tree.review && !tree.review.isDone) return this.#review(number, tree, tree.review);
    if (mode === "analyse" && sweeping !== null) return this.#sweep(number);
    if (tree.current.facts?.over) return;
    if (isWaiting) await this.#reply(number);
    else if (mode === "analyse" && analysis.isOn) await this.#analyse(number);
  }

  /** See to it that all is known that there is to know of a position. @param {Tree} tree @param {Ply} ply */
  async #learn(tree, ply) {
    if (ply.facts === null) ply.facts = await this.#engine.describe(tree.line(ply));
    if (ply.facts.over) {
      const { score: result } = ply.facts;
      ply.evaluation = {
        ...{ value: tipped(tree, result), text: this.#state.outcome(ply.facts), isProven: true },
        discs: tree.game === "othello" ? result : undefined,
      };
    }
  }

  /** Have the engine answer. @param {number} number */
  async #reply(number) {
    const { tree, settings } = this.#state;
    const ply = tree.current;
    const move = await this.#engine.search(tree.line(ply), asked(settings.strength), (info) =>
      this.#evaluate(tree, ply, info),
    );
    if (number === this.#number && move !== null) tree.play(move);
  }

  /** @param {number} number */
  async #analyse(number) {
    const { tree, analysis } = this.#state;
    const ply = tree.current;
    const endless = { limits: { infinite: true }, multipv: analysis.multipv };
    await this.#engine.search(tree.line(ply), endless, (info) => {
      this.#evaluate(tree, ply, info);
      if (number !== this.#number) return;
      this.#state.infos.set(info.pv[0], info);
      emit(this, "found");
    });
  }

  /** Evaluate each position of the game in turn, or those that are left. @param {number} number */
  async #sweep(number) {
    const { tree } = this.#state;
    // An engine that was never asked about this game may take longer to get ready than a search.
    await this.#engine.search(tree.line(tree.root), { limits: { depth: 1 } });
    if (number !== this.#number) return;
    for (const ply of tree.shown.slice(this.#state.sweeping ?? 0)) {
      this.#state.sweeping = ply.number;
      await this.#learn(tree, ply);
      if (number !== this.#number) return;
      emit(this, "found");
      if (ply.evaluation?.isProven) continue;
      await this.#engine.search(tree.line(ply), SWEEP, (info) => this.#evaluate(tree, ply, info));
      if (number !== this.#number) return;
    }
    for (const ply of tree.shown) {
      const said = !ply.note && estimated(ply);
      if (said) tree.annotate(ply, said);
    }
    emit(this, "swept");
  }

  /**
   * Have each move of the game judged, the last one first.
   *
   * @param {number} number
   * @param {Tree} tree
   * @param {import("../game/review.js").Review} review
   */
  async #review(number, tree, review) {
    const { end } = tree;
    const all = end.number - review.game.opening;
    const judged = new Set();
    review.reach(0, all);
    emit(this, "found");
    const reviewed = await this.#engine.review(tree.line(end), review.game, (judgement) => {
      const said = note(judgement, tree.game);
      const ply = end.path[judgement.number];
      if (said) tree.annotate(ply, said);
      if (judgement.after !== undefined) this.#prove(tree, ply, judgement.after);
      review.reach(judged.add(judgement.number).size, all);
      emit(this, "found");
    });
    if (reviewed === null || number !== this.#number) return;
    praise(end.path);
    review.end(reviewed);
    if (this.#state.sweeping !== null) return this.#sweep(number);
    emit(this, "swept");
  }

  /** Keep what an engine's line says about a position. @param {Tree} tree @param {Ply} ply @param {Info} info */
  #evaluate(tree, ply, info) {
    if (info.multipv !== 1) return;
    const turn = tree.turn(ply);
    const discs = score.discs(info.score) * (turn === 1 ? 1 : -1);
    ply.evaluation = {
      ...{ value: score.balance(info.score, turn), text: `${this.#state.titleOf(turn)} ${score.long(info.score)}` },
      ...{ isProven: score.isProven(info.score), best: info.pv[0], discs: tree.game === "othello" ? discs : undefined },
    };
  }

  /** Keep what a review proves of the position after a move. @param {Tree} tree @param {Ply} ply @param {number} after For the mover. */
  #prove(tree, ply, after) {
    if (!ply.parent || ply.evaluation?.isProven) return;
    const mover = tree.turn(ply.parent);
    const kind = tree.game === "othello" ? "exact" : after > 0 ? "win" : after < 0 ? "loss" : "draw";
    const discs = mover === 1 ? after : -after;
    const words = { win: "wins", loss: "loses", draw: "draws", exact: score.long({ kind: "exact", value: after }) };
    ply.evaluation = {
      ...{ value: tipped(tree, discs), text: `${this.#state.titleOf(mover)} ${words[kind]}`, isProven: true },
      discs: kind === "exact" ? discs : undefined,
    };
  }
}

/** From -1 to 1: a proven result for the first player, as `Facts` has it. @param {Tree} tree @param {number} result */
function tipped(tree, result) {
  return tree.game === "othello" ? Math.tanh(result / 12) : Math.sign(result);
}
