/** The card after a game: how it ended, how well both played, and what to do next. */

import { byId, html, onClick, setText, show } from "../dom.js";

/**
 * @import { AfterGame } from "../../actions/after-game.js"
 * @import { Ply, Tree } from "../../game/tree.js"
 * @import { State } from "../../state/state.js"
 */

export class AfterPanel {
  #card = byId("after");
  /** @type {Tree | null} */
  #tree = null;

  /** @param {AfterGame} act */
  constructor(act) {
    onClick("rematch", () => act.rematch());
    onClick("review", () => act.review());
    onClick("next", () => act.next());
    onClick("retry", () => act.retry());
    onClick("mistake", () => this.#toNext());
  }

  /** @param {State} state */
  render(state) {
    const { tree, end, isAfterGame, nextOpponent, remoteGame, session } = state;
    this.#tree = tree;
    this.#card.hidden = !end;
    if (!end) return;
    const [how, why] = end;
    this.#card.dataset.end = how.startsWith("You won") ? "won" : how.startsWith("You lost") ? "lost" : "";
    setText("after-title", how);
    setText("after-why", `${why.charAt(0).toUpperCase()}${why.slice(1)}, after ${tree.end.number} moves.`);
    setText("after-progress", tree.review?.progress ?? "");
    this.#tell(tree.review?.accuracy ?? []);
    const shown = mistake(tree.current) ? tree.current : tree.shown.find(({ note }) => note?.isLosing);
    setText("moment", shown ? told(state, shown) : "");
    const mistakes = tree.shown.filter(mistake);
    show("mistake", mistakes.some((ply) => ply !== tree.current));
    setText("mistake", mistake(tree.current) ? "Next mistake" : mistakes.length > 1 ? "Go to the mistakes" : "Go to the mistake");
    show("retry", mistake(tree.current) && !remoteGame);
    show("review", state.mayReview);
    show("rematch", isAfterGame && (!remoteGame || session.isHere));
    show("next", !!nextOpponent && (!remoteGame || session.isHere));
    setText("next", nextOpponent ? `Next: ${nextOpponent.title}` : "");
  }

  /** @param {import("../../game/review.js").Review["accuracy"]} accuracy */
  #tell(accuracy) {
    const host = byId("verdict");
    const text = accuracy.map(({ name, share, text }) => [name, share, text]);
    if (host.dataset.told === String(text)) return;
    host.dataset.told = String(text);
    host.replaceChildren(
      ...text.map(([name, share, text]) =>
        html("div", {}, html("dt", {}, name), html("dd", {}, html("b", {}, share), ` ${text}`)),
      ),
    );
  }

  /** Go to the next mistake, or to the first after the last one. */
  #toNext() {
    const plies = this.#tree?.shown.filter(mistake) ?? [];
    const current = this.#tree?.current.number ?? 0;
    const next = plies.find(({ number }) => number > current) ?? plies[0];
    if (next) this.#tree?.go(next);
  }
}

/** @param {Ply} ply */
function mistake({ note }) {
  return !!note?.better;
}

/** @param {State} state @param {Ply} ply */
function told({ tree, owners }, ply) {
  const owner = ply.parent && (tree.review?.players ?? owners)[tree.turn(ply.parent) - 1];
  const whose = !owner ? "Move" : owner === "you" ? "Your move" : owner === "engine" ? "The engine’s move" : `${owner}’s move`;
  const name = tree.game === "connect4" ? "column " : "";
  const [meaning, better] = ply.note?.title.split(": ") ?? [];
  return `${whose} ${ply.number}, ${name}${ply.move}, ${meaning}${better ? `: ${name}${better}` : ""}.`;
}
