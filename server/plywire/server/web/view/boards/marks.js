/** The marks over the pieces: the last move, scores or possible moves, advice, a line of play. */

import { other, rowsOf } from "../../game/rules/rules.js";
import * as score from "../../game/score.js";
import { svg } from "../dom.js";

/**
 * @import { Info } from "../../connection/connection.js"
 * @import { Cell } from "../../game/rules/rules.js"
 * @import { Board, Point, View } from "./board.js"
 */

/** All marks of a view. @param {Board} board @param {View} view */
export function marksOf(board, view) {
  const next = view.line.length ? [] : scores(board, view);
  return [...lastMove(board, view), ...next, ...advice(board, view), ...line(board, view)];
}

/** The last move, the pieces that it flipped, and the line that won. @param {Board} board @param {View} view */
function lastMove(board, { facts, last, before }) {
  const cell = last === null ? null : board.landing(last);
  const was = before === null ? [] : rowsOf(before);
  const flipped = board.cells.filter(({ column, row }) => was[row]?.[column] && was[row][column] !== board.at({ column, row }));
  return [
    ...(cell ? [circle("last", middle(cell), 0.12)] : []),
    ...flipped.map((cell) => circle("flipped", middle(cell), 0.06)),
    ...(facts.line ?? []).map((cell) => circle("line-won", middle(cell), 0.35)),
  ];
}

/** The scores of the next moves, or which moves are possible if there are no scores. @param {Board} board @param {View} view */
function scores(board, { facts, legal, infos }) {
  const best = [...infos.values()].find(({ multipv }) => multipv === 1);
  return board.places.flatMap((cell) => {
    const move = board.moveOf(cell);
    const info = infos.get(move);
    if (info) return [chip(board, info, best ?? info, board.scoreAt(cell))];
    return infos.size === 0 && legal.includes(move) ? board.possible(cell, facts.turn) : [];
  });
}

/** The hint, and the better move in place of the last one. @param {Board} board @param {View} view */
function advice(board, view) {
  const { hint, better, legal, infos } = view;
  const marks = board.places
    .filter((cell) => board.moveOf(cell) === hint && (legal.includes(hint) || infos.has(hint)))
    .map((cell) => circle("hint", board.hintAt(cell), 0.36));
  const at = better === null ? null : board.betterAt(better);
  if (!at) return marks;
  // Next to the score of the next move, if that is written here.
  const isWritten = hasScore(board, { column: Math.floor(at.x), row: Math.floor(at.y) }, view);
  const place = isWritten ? `${at.x - 0.33} ${at.y + 0.33}) scale(.48` : `${at.x} ${at.y}`;
  const shapes = [svg("circle", { r: 0.36 }), svg("path", { d: "M-.15 .01-.04 .12 .16-.11" })];
  return [...marks, svg("g", { class: "better", transform: `translate(${place})` }, ...shapes)];
}

/** The moves of a line of play, numbered. @param {Board} board @param {View} view */
function line(board, view) {
  const { facts, line, best } = view;
  return (line.length ? line : best).flatMap((square, index) => {
    if (square === "-") return [];
    const player = index % 2 ? other(facts.turn) : facts.turn;
    const cell = board.cellOf(square);
    const { x, y } = board.scoreAt(cell);
    const isWritten = hasScore(board, cell, view);
    const at = isWritten ? { x: x + 0.33, y: y - 0.33 } : middle(cell);
    const move = ghost(board, at, player, svg("text", {}, String(index + 1)));
    if (isWritten) {
      move.classList.add("small");
      move.firstElementChild?.setAttribute("transform", "scale(.48)");
    }
    const arrows = line.length || index ? [] : board.ways(cell, player).map(arrow);
    return [...arrows, move];
  });
}

/** Whether a score is written on a square. @param {Board} board @param {Cell} cell @param {View} view */
function hasScore(board, cell, { infos, line }) {
  return !line.length && infos.has(board.moveOf(cell)) && Math.floor(board.scoreAt(cell).y) === cell.row;
}

/** The score of a move. @param {Board} board @param {Info} info @param {Info} best @param {Point} at */
function chip(board, info, best, { x, y }) {
  const lines = board.worded(info.score);
  const high = 0.2 + 0.24 * lines.length;
  const box = { x: x - 0.46, y: y - high / 2, width: 0.92, height: high, rx: 0.1 };
  const kind = `chip ${score.verdict(info.score)}${info === best ? " best" : ""}`;
  const words = lines.map((text, at) => svg("text", { x, y: y + 0.25 * (at - (lines.length - 1) / 2) }, text));
  const drawn = svg("g", { class: kind, "data-move": info.pv[0] }, svg("rect", box), ...words);
  drawn.style.setProperty("--quality", `${100 * score.quality(info.score, best.score)}%`);
  return drawn;
}

/** A piece that is not on the board. @param {Board} board @param {Point} at @param {1 | 2} player @param {...SVGElement} number The number of its move in a line of play. */
export function ghost(board, { x, y }, player, ...number) {
  const piece = svg("g", { class: `piece player-${player}` }, ...board.shape(player));
  return svg("g", { class: "ghost", transform: `translate(${x} ${y})` }, piece, ...number);
}

/** The middle of a cell. @param {Cell} cell @returns {Point} */
export function middle({ column, row }) {
  return { x: column + 0.5, y: row + 0.5 };
}

/** @param {string} kind @param {Point} at @param {number} r */
function circle(kind, { x, y }, r) {
  return svg("circle", { class: kind, cx: x, cy: y, r });
}

/** @param {{from: Point, to: Point}} way */
function arrow({ from, to }) {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const angle = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
  const d = `M0-.06H${length - 0.3}V-.17L${length} 0 ${length - 0.3} .17V.06H0Z`;
  return svg("path", { class: "arrow", d, transform: `translate(${from.x} ${from.y}) rotate(${angle})` });
}
