/** The page's texts about the position that is shown. */

import { DEEPEST } from "../game/plain.js";
import { other } from "../game/rules/rules.js";
import { sentence } from "../game/score.js";
import { QUIET } from "./fair-play.js";

/** @import { State } from "./state.js" */

/** The text at a move that the server found without its engine. */
export const WEAK = "The engine was not ready: this move is from a quick look.";

/** The line below the board. @param {State} state */
export function statusText(state) {
  const { remoteGame, sweeping, tree } = state;
  if (state.isCut) return state.trouble;
  if (state.complaint) return state.complaint;
  const { facts } = tree.current;
  if (!facts) return "…";
  if (remoteGame?.status) return remoteGame.status;
  if (state.isMeeting) {
    return state.session.invitation
      ? "Waiting for the other to open the link…"
      : "You are invited to a game: it begins when you both are here.";
  }
  if (sweeping !== null) return `Evaluating position ${sweeping + 1} of ${tree.shown.length}…`;
  if (facts.over) return state.outcome(facts);
  const mover = state.titleOf(facts.turn);
  if (facts.legal[0] === "pass") return `${mover} has no move and must pass.`;
  if (state.hint) return `Hint for ${mover}: ${state.hint}.`;
  if (state.isWaiting && state.isPreparing) return `The engine plays ${mover} as soon as it is ready.`;
  if (state.isWaiting) return `The engine plays ${mover} and is thinking.`;
  if (tree.lesson?.at === tree.current.number) return `Find a better move: you play ${mover}.`;
  if (remoteGame || state.isAgainstEngine) {
    const weak = tree.current.isWeak ? `${WEAK} ` : "";
    return `${weak}Your turn: you play ${mover}.`;
  }
  return `${mover} to move.`;
}

/** The line under that one, empty if all is as usual. @param {State} state */
export function noteText({ connection, engines, isCut, isOffered, preparation, speaker, tree, trouble }) {
  if (preparation) return preparation;
  const failure = engines.trouble(tree);
  const why = failure || "The page’s engine knows boards of the usual size only.";
  if (speaker === "plain") return `${why} Without a server, a simple one plays at levels 1 to ${DEEPEST}.`;
  if (failure) return `${why} The server’s engine answers.`;
  return connection.isOpen || isCut || !isOffered ? "" : trouble;
}

/**
 * The value of the position in words, empty if it is not known.
 *
 * @param {State} state
 * @param {import("../connection/connection.js").Info} [best] The best line.
 */
export function worthText(state, best) {
  const { current, game } = state.tree;
  if (!best || !current.facts) return current.evaluation?.text ?? "";
  const { turn } = current.facts;
  return sentence(best.score, [state.titleOf(turn), state.titleOf(other(turn))], game === "othello");
}

/** Why the analysis has no lines, empty if it has. @param {State} state */
export function noLinesText({ complaint, infos, tree, analysis, isHelpBarred, isPreparing }) {
  if (infos.size) return "";
  if (isHelpBarred || complaint === QUIET) return QUIET;
  if (tree.current.facts?.over) return "The game is over.";
  if (!analysis.isOn) return "Analysis is off.";
  return isPreparing ? "The analysis begins as soon as the engine is ready." : "The engine is looking…";
}
