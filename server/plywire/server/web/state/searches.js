/** The page's questions to the engine: its reply, an analysis, a hint, a review. */

import { emit } from "../events.js";
import { estimated, isAlone, isKnown, note, praise } from "../game/review.js";
import { asked } from "../game/strengths.js";
import * as score from "../game/score.js";
import { ENDLESS } from "./state.js";

/**
 * @import { Info } from "../connection/connection.js"
 * @import { Go } from "../connection/remote-engine.js"
 * @import { Engines } from "./engines.js"
 * @import { Review } from "../game/review.js"
 * @import { Ply, Tree } from "../game/tree.js"
 * @import { State } from "./state.js"
 */

/** Limits of a hint, and of each position when the whole game is evaluated. */
const HINT = { limits: { movetime: 300 } };
const SWEEP = { limits: { movetime: 250 }, multipv: 2 };
/** Limits without a time, for an engine that was not ready in the time of SWEEP. */
const PATIENT = { limits: { depth: 4 }, multipv: 2 };

/**
 * Emits `learn` when the facts of the position are known, `found` for each line or note, `reviewed` when a
 * review is done, and `swept` when the whole game is evaluated. Writes what it finds into the state.
 */
export class Searches extends EventTarget {
  #state;
  #engine;
  /** The number of the position that is shown. What is found for an earlier number is dropped. */
  #number = 0;
  /** The review that runs; it goes on while the user steps through its game. @type {{review: Review} | null} */
  #reviewing = null;
  /** The number at which the user asked for a hint. */
  #hinted = -1;

  /** @param {State} state @param {Engines} engine */
  constructor(state, engine) {
    super();
    this.#state = state;
    this.#engine = engine;
  }

  /** End the search of the position, and forget what it found. */
  stop() {
    this.#number++;
    this.#state.infos = new Map();
    this.#state.hint = null;
    if (!this.#isReviewing) this.#leave();
  }

  /** End all searches. */
  #leave() {
    this.#reviewing = null;
    this.#engine.stop();
  }

  /** Whether the engine makes the review that is due. */
  get #isReviewing() {
    return !!this.#reviewing && this.#reviewing.review === this.#state.dueReview;
  }

  /** Ask what the current position calls for. Fails with RefusedError or LostError. */
  async start() {
    const number = this.#number;
    const { tree } = this.#state;
    const learnt = this.#learn(tree, tree.current).then(() => {
      if (number === this.#number) emit(this, "learn");
    });
    // The engine does not wait for the facts.
    await this.#unlessLate(number, Promise.all([learnt, this.#search(number)]));
  }

  /** End the analysis while nobody sees the page, or go on with it. Fails with RefusedError or LostError. @param {boolean} isHidden */
  async hide(isHidden) {
    const { mode, analysis, sweeping, dueReview, infos } = this.#state;
    this.#state.isHidden = isHidden;
    if (mode !== "analyse" || !analysis.isOn || sweeping !== null || dueReview) return;
    if (isHidden) return this.#engine.stop();
    infos.clear();
    await this.#unlessLate(this.#number, this.#search(this.#number));
  }

  /** Whether the user asked for a hint, and the position is still shown. */
  get hasHint() {
    return this.#hinted === this.#number;
  }

  /** Ask for a hint. Fails with RefusedError or LostError. */
  async hint() {
    if (this.#state.isPreparing || this.#state.isHelpBarred) return;
    const number = (this.#hinted = ++this.#number);
    const { tree } = this.#state;
    this.#leave();
    const search = this.#engine.search(tree.line(tree.current), HINT);
    const found = await this.#unlessLate(number, search);
    if (number !== this.#number) return;
    this.#state.hint = found && !found.isWeak ? found.move : null;
    emit(this, "learn");
    await this.#unlessLate(number, this.#search(number));
  }

  /**
   * The result; a failure is ignored if another position is shown by then.
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
    const { mode, sweeping, tree, dueReview, isHelpBarred, isPreparing, isWaiting, analysis } = this.#state;
    // If the engine is being prepared, `start` is called again when it is ready.
    if (isHelpBarred || isPreparing || this.#isReviewing) return;
    if (dueReview) return this.#review(tree, dueReview);
    if (mode === "analyse" && sweeping !== null) return this.#sweep(number);
    if (isWaiting && !tree.current.facts?.over) return this.#reply(number);
    if (tree.review && mode !== "analyse") return this.#compare(number);
    if (tree.current.facts?.over) return;
    if (mode === "analyse" && analysis.isOn && !this.#state.isHidden) await this.#analyse(number);
  }

  /** Ask for the facts of a position unless they are known, and evaluate a finished game. @param {Tree} tree @param {Ply} ply */
  async #learn(tree, ply) {
    if (ply.facts === null) {
      this.#reviewing = null; // this question ends the review
      ply.facts = await this.#engine.describe(tree.line(ply));
    }
    if (ply.facts.over) {
      const { score: result } = ply.facts;
      ply.evaluation = {
        ...{ value: tipped(tree, result), text: this.#state.outcome(ply.facts), isProven: true },
        discs: tree.game === "othello" ? result : undefined,
      };
    }
  }

  /** Play the engine's move. @param {number} number */
  async #reply(number) {
    const { tree, settings } = this.#state;
    const ply = tree.current;
    const { move, isWeak } = await this.#engine.search(tree.line(ply), asked(settings.strength), (info) =>
      this.#evaluate(tree, ply, info),
    );
    if (number === this.#number && move !== null) tree.play(move, isWeak);
  }

  /** @param {number} number */
  async #analyse(number) {
    const { tree, analysis } = this.#state;
    const ply = tree.current;
    await this.#engine.search(tree.line(ply), { ...ENDLESS, multipv: analysis.multipv }, (info) => {
      this.#evaluate(tree, ply, info);
      if (number !== this.#number) return;
      this.#state.infos.set(info.pv[0], info);
      emit(this, "found");
    });
  }

  /** Evaluate the position that is shown, then those of the game that are left. @param {number} number */
  async #sweep(number) {
    const { tree } = this.#state;
    for (const ply of [tree.current, ...tree.shown.slice(this.#state.sweeping ?? 0)]) {
      if (ply !== tree.current) this.#state.sweeping = ply.number;
      await this.#learn(tree, ply);
      if (number !== this.#number) return;
      emit(this, "found");
      await this.#look(number, tree, ply);
      if (number !== this.#number) return;
    }
    emit(this, "swept");
  }

  /** Find the only moves of a reviewed game. @param {number} number */
  async #compare(number) {
    const { tree } = this.#state;
    for (const ply of tree.end.path) {
      if (!ply.evaluation?.isProven) continue;
      await this.#look(number, tree, ply);
      if (number !== this.#number) return;
      emit(this, "found");
    }
  }

  /** Find the two best moves of a position, and note mistakes and only moves. @param {number} number @param {Tree} tree @param {Ply} ply */
  async #look(number, tree, ply) {
    const search = (/** @type {Go} */ go) =>
      this.#engine.search(tree.line(ply), go, (info) => this.#evaluate(tree, ply, info));
    if (!isKnown(ply)) {
      await search(SWEEP);
      if (!ply.evaluation && number === this.#number) await search(PATIENT);
      if (number !== this.#number || !ply.evaluation) return;
      ply.evaluation.only ??= null;
    }
    for (const each of [ply, ...ply.children]) {
      const said = (each.note ? null : estimated(each)) ?? praise(each, tree.game);
      if (said) tree.annotate(each, said);
    }
  }

  /** Review the game, the last move first. @param {Tree} tree @param {Review} review */
  async #review(tree, review) {
    const { end } = tree;
    const all = end.number - review.game.opening;
    const judged = new Set();
    const reviewing = (this.#reviewing = { review });
    review.reach(0, all);
    emit(this, "found");
    const asked = this.#engine.review(tree.line(end), review.game, (judgement) => {
      const said = note(judgement, tree.game);
      const ply = end.path[judgement.number];
      if (said) tree.annotate(ply, said);
      if (judgement.after !== undefined) this.#prove(tree, ply, judgement.after);
      review.reach(judged.add(judgement.number).size, all);
      emit(this, "found");
    });
    const reviewed = await asked.finally(() => {
      if (this.#reviewing === reviewing) this.#reviewing = null;
    });
    if (reviewed === null) return; // another question ended the review
    if (judged.size || review.isRepeated) review.end(reviewed);
    else {
      review.isRepeated = true; // the time was up before the engine was ready
      await this.#engine.search(tree.line(tree.root), PATIENT);
    }
    emit(this, "reviewed");
  }

  /** Take the evaluation of a position from a line of the engine. @param {Tree} tree @param {Ply} ply @param {Info} info */
  #evaluate(tree, ply, { multipv, pv, score: worth }) {
    const isProven = score.isProven(worth);
    if (ply.evaluation?.isProven && !isProven) return;
    if (multipv === 2 && ply.evaluation?.score) {
      ply.evaluation.only = isAlone(ply.evaluation.score, worth, tree.game) ? ply.evaluation.best : null;
    }
    if (multipv !== 1) return;
    const turn = tree.turn(ply);
    const discs = score.discs(worth) * (turn === 1 ? 1 : -1);
    ply.evaluation = {
      ...{ value: score.balance(worth, turn), text: `${this.#state.titleOf(turn)} ${score.long(worth)}`, isProven },
      ...{ score: worth, best: pv[0], discs: tree.game === "othello" ? discs : undefined },
    };
  }

  /** Take the evaluation of the position after a move from a review. @param {Tree} tree @param {Ply} ply @param {number} after For the mover. */
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

/** A proven result for the first player, from -1 to 1. @param {Tree} tree @param {number} result */
function tipped(tree, result) {
  return tree.game === "othello" ? score.balance({ kind: "exact", value: result }, 1) : Math.sign(result);
}
