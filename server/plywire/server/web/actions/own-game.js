/** The game on the user's own board: set up, opened, played, taken back. */

import { on } from "../events.js";
import { Tree } from "../game/tree.js";

/**
 * @import { Engines } from "../state/engines.js"
 * @import { Place } from "../game/link.js"
 * @import { State } from "../state/state.js"
 * @import { Screen } from "./screen.js"
 */

export class OwnGame {
  #state;
  #screen;
  #engine;

  /** @param {State} state @param {Screen} screen @param {Engines} engine Describes positions if the page does not know the rules. */
  constructor(state, screen, engine) {
    this.#state = state;
    this.#screen = screen;
    this.#engine = engine;
  }

  /**
   * Show a game as far as it can be played, and say what cannot be.
   *
   * @param {Partial<Place> & {game: string, size: string}} place
   * @param {string} usual The size of the game's own board, which is shown if there is no board of that size.
   */
  async open({ game, size, fen, moves = [], at }, usual) {
    let tree = new Tree({ game, size: usual });
    /** @type {unknown} */
    let fault = null;
    try {
      tree = new Tree({ game, size, fen });
      tree.current = tree.lead(moves);
      if (!tree.rules) tree.current.facts = await this.#engine.describe(tree.line(tree.current));
    } catch (error) {
      fault = error;
      tree.current = tree.end;
      if (!tree.rules) tree = new Tree({ game, size: usual });
    }
    tree.current = tree.end.path[at ?? moves.length] ?? tree.end;
    this.#enter(tree);
    if (fault) this.#screen.complain(fault);
  }

  /**
   * Show a game if all of it can be played, else say what cannot be.
   *
   * @param {{game: string, size: string, fen?: string | null, moves?: string[]}} start
   * @param {object} [options]
   * @param {number} [options.at] How many of the moves lead to the position to show, all unless given.
   * @param {State["settings"]} [options.settings] How it goes on, as the last game unless given.
   */
  async load(start, { at = start.moves?.length ?? 0, settings = this.#state.settings } = {}) {
    try {
      const tree = new Tree(start);
      tree.current.facts ??= await this.#engine.describe(tree.line(tree.current));
      tree.current = tree.end.path[at] ?? tree.end;
      this.#state.sweeping = null;
      this.#state.settings = settings;
      this.#enter(tree);
      return true;
    } catch (error) {
      this.#screen.complain(error);
      return false;
    }
  }

  /** @param {Tree} tree */
  #enter(tree) {
    this.#state.own = tree;
    on(tree, "change", () => this.#screen.show());
    this.#screen.show();
  }

  /** Show a position of this game. The answer is why it cannot be shown, null if it is. @param {string} fen */
  async setUp(fen) {
    const { game, size } = this.#state.tree;
    return (await this.load({ game, size, fen })) ? null : this.#state.complaint;
  }

  /** Play a move, here or at the table in the arena. @param {string} move */
  play(move) {
    const { arenaGame, canMove, remoteGame, tree } = this.#state;
    if (!canMove || !tree.current.facts?.legal.includes(move)) return;
    if (remoteGame) {
      this.#screen.attempt(() => arenaGame.play(move));
      return;
    }
    this.#state.sweeping = null;
    const isLesson = tree.current.number === tree.lesson?.at;
    tree.play(move);
    if (isLesson && move === tree.lesson?.better) {
      tree.annotate(tree.current, { text: "✓", title: "is the best there is", isLosing: false, better: null });
    }
  }

  /** Take back a move, and the engine's answer with it. */
  takeBack() {
    const { tree, settings } = this.#state;
    tree.review = this.#state.sweeping = null; // the review was of the game before
    const { current } = tree;
    const isAnswered = settings.opponent === "engine" && tree.turn(current) === settings.side;
    tree.remove(isAnswered && current.parent?.parent ? current.parent : current);
  }
}
