/** The address of what is shown, which can be kept, sent, and gone back to. */

import * as link from "../game/link.js";

/** @import { State } from "../state/state.js" */

export class Address {
  #home;
  /** Mode, game, tournament and wall of the latest entry of the history; null if they are not known. @type {unknown[] | null} */
  #shown = null;

  /** @param {string} home The page's home. */
  constructor(home) {
    this.#home = home;
  }

  /** Have the next change renew the latest entry of the history, which leads to what is opened now. */
  settle() {
    this.#shown = null;
  }

  /** Write the address of what is shown; another game or panel is another entry of the history. @param {State} state */
  follow({ mode, own, place, settings, remoteGame, isWatching, isWall, tournament, watchedGame, invited }) {
    const isRemote = !isWall && remoteGame?.table && (!isWatching || watchedGame.isChosen);
    if (isRemote && !remoteGame.tree) return; // the server has not sent it yet
    const { game, size, fen, moves, current } = own;
    const shown = [mode, isRemote ? remoteGame.tree : own, isWatching ? tournament.name : "", isWall];
    const isNew = this.#shown?.some((part, at) => part !== shown[at]);
    this.#shown = shown;
    const address = link.write({
      ...(isRemote ? place : { mode, game, size, fen, moves, at: current.number }),
      tournament: isWatching ? tournament.name : null,
      isWall,
      invitation: mode === "play" && !isRemote ? invited : null,
    });
    history[isNew ? "pushState" : "replaceState"]({ settings }, "", new URL(address, this.#home));
  }
}
