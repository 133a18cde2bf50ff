/** The whole page: the board, and the panels around it, drawn from the state. */

import { on } from "../events.js";
import { toGgf, toMoves, toPgn } from "../game/export.js";
import * as link from "../game/link.js";
import { noteText, statusText } from "../state/status.js";
import { boardOf } from "./boards/boards.js";
import { byId, onClick, setText, show } from "./dom.js";
import { film } from "./film.js";
import { AfterPanel } from "./panels/after.js";
import { AnalysisPanel } from "./panels/analysis.js";
import { ArenaPanel } from "./panels/arena.js";
import { EditorPanel } from "./panels/editor.js";
import { GraphPanel } from "./panels/graph.js";
import { MovesPanel } from "./panels/moves.js";
import { PlayPanel } from "./panels/play.js";
import { PlayersPanel } from "./panels/players.js";
import { ReplayPanel } from "./panels/replay.js";
import { TabsPanel } from "./panels/tabs.js";
import { TournamentsPanel } from "./panels/tournaments.js";
import { TransferPanel } from "./panels/transfer.js";
import { WatchPanel } from "./panels/watch.js";
import { toPng, toSvg } from "./picture.js";
import { knock } from "./sounds.js";
import { Wall } from "./wall.js";

/**
 * @import { Played } from "../game/export.js"
 * @import { Game } from "../game/games.js"
 * @import { Ply } from "../game/tree.js"
 * @import { State } from "../state/state.js"
 * @import { Board } from "./boards/board.js"
 *
 * @typedef {object} Actions What the user can do.
 * @property {import("../actions/screen.js").Screen} screen
 * @property {import("../actions/own-game.js").OwnGame} own
 * @property {import("../actions/new-game.js").NewGame} newGame
 * @property {import("../actions/after-game.js").AfterGame} afterGame
 * @property {import("../actions/opening.js").Opening} opening
 */

/** The longest wait before news of the arena is drawn, in ms: for one game, and for all games. */
const LATER = 80;
const WALL_LATER = 160;

export class Page {
  #state;
  #own;
  #tabs;
  #play;
  #after;
  #analysis;
  #arena;
  #watch;
  #tournaments;
  #wall;
  #moves = new MovesPanel();
  #replay = new ReplayPanel();
  #graph = new GraphPanel();
  #players = new PlayersPanel();
  /** The board, and its game and size. @type {{kind: string, board: Board} | null} */
  #board = null;
  /** The position that was drawn last. @type {Ply | null} */
  #last = null;
  #isDrawing = false;
  #isWaiting = false;

  /** @param {State} state @param {Actions} actions */
  constructor(state, { screen, own, newGame, afterGame, opening }) {
    this.#state = state;
    this.#own = own;
    this.#tabs = new TabsPanel(screen);
    this.#play = new PlayPanel(state, newGame, own, screen);
    this.#after = new AfterPanel(afterGame);
    this.#analysis = new AnalysisPanel(screen, own);
    this.#arena = new ArenaPanel(state, newGame);
    this.#watch = new WatchPanel(state, screen, afterGame);
    this.#tournaments = new TournamentsPanel(state, screen);
    this.#wall = new Wall(state.feed, screen);
    state.analysis = this.#analysis.choice;
    new EditorPanel(state, own);
    const texts = () => ({
      position: state.tree.current.facts?.fen ?? "",
      game: link.toText(state.tree),
      moves: toMoves(state.tree),
      link: new URL(link.write(state.place), state.home).href,
    });
    const transfer = new TransferPanel(opening, texts, {
      pgn: () => toPgn(this.#played),
      ggf: () => toGgf(this.#played),
      svg: () => toSvg(this.#drawing),
      png: () => toPng(toSvg(this.#drawing)),
      gif: () => film(state.tree, /** @type {Game} */ (state.games.get(state.tree.game))),
    });
    onClick("pass", () => own.play("pass"));
    onClick("turn", () => this.#board?.board.turn());
    on(state, "change", () => this.draw());
    on(state, "tick", () => this.#drawSoon());
    on(state, "seated", () => {
      transfer.close();
      scrollTo(0, 0);
      this.#focusBoard();
    });
    for (const part of [state.readiness, state.session, state.tournament]) on(part, "change", () => this.#drawSoon());
    for (const game of [state.watchedGame, state.arenaGame]) on(game, "tick", () => this.#drawSoon());
    on(state.feed, "change", () => this.#drawLater());
  }

  /** Draw before the next frame. */
  #drawSoon() {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    requestAnimationFrame(() => {
      this.#isDrawing = false;
      this.draw();
    });
  }

  /** Draw a few times a second at most. */
  #drawLater() {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    setTimeout(() => {
      this.#isWaiting = false;
      this.#drawSoon();
    }, this.#state.isWall ? WALL_LATER : LATER);
  }

  draw() {
    const state = this.#state;
    const { tree, canMove, mode, remoteGame } = state;
    const { facts, parent } = tree.current;
    const game = state.games.get(tree.game);
    document.documentElement.dataset.connected = String(!state.isCut);
    document.documentElement.dataset.meeting = String(state.isMeeting);
    this.#tabs.render(mode);
    this.#play.render(state);
    show("main", !state.isWall);
    show("wall", state.isWall);
    if (mode === "watch") this.#tournaments.render(state);
    if (state.isWall) return this.#wall.render(state);
    setText("status", statusText(state));
    setText("note", noteText(state));
    setText("title", state.arenaGame.isTurn ? "Your turn – Plywire" : "Plywire");
    if (mode === "play") this.#arena.render(state);
    else if (mode === "watch") this.#watch.render(state);
    this.#analysis.render(state);
    if (!facts) this.#board?.board.close();
    if (!game || !facts) return;
    const board = this.#boardFor(game);
    board.showScores(mode === "analyse");
    board.render({
      facts,
      legal: canMove ? facts.legal : [],
      last: parent && tree.current.move,
      before: parent?.facts?.fen ?? null,
      better: tree.current.note?.better ?? null,
      infos: state.infos,
      line: this.#analysis.pointedLine,
      best: mode === "analyse" ? this.#analysis.bestLine : [],
      hint: state.hint,
    });
    show("pass", canMove && facts.legal[0] === "pass");
    this.#after.render(state);
    this.#announce();
    const over = facts.over || !!remoteGame?.isOver;
    if (parent && parent === this.#last) knock();
    this.#last = tree.current;
    this.#players.render({ ...facts, over }, game, state.plates, remoteGame?.clocks);
    this.#moves.render(tree);
    this.#replay.render(tree);
    this.#graph.render(tree, game.players);
  }

  /** Focus the board if the button that was pressed last is gone. */
  #focusBoard() {
    const { activeElement, body } = document;
    if (activeElement === body || !activeElement?.checkVisibility()) this.#board?.board.focus();
  }

  /** Announce the last move to screen readers, unless it is the user's own. */
  #announce() {
    const { tree, owners } = this.#state;
    const { number, move, parent } = tree.current;
    if (!parent || owners[tree.turn(parent) - 1] === "you") return;
    setText("announced", `Move ${number}: ${this.#state.titleOf(tree.turn(parent))} played ${move}.`);
  }

  /** The line that is shown, as files need it. @returns {Played} */
  get #played() {
    const { names, remoteGame, tree } = this.#state;
    const { game, size, fen, moves, root, shown } = tree;
    const facts = shown.at(-1)?.facts;
    const end = remoteGame?.result ?? (facts?.over ? facts : null);
    return {
      ...{ game, size, moves, fen: fen ?? root.facts?.fen ?? "", isUsual: fen === null, players: names },
      end: end && { winner: end.winner ?? null, score: end.score },
    };
  }

  get #drawing() {
    return /** @type {SVGSVGElement} */ (byId("board").querySelector("svg"));
  }

  /** @param {Game} game */
  #boardFor(game) {
    const { size } = this.#state.tree;
    const kind = `${game.name} ${size}`;
    if (this.#board?.kind === kind) return this.#board.board;
    const board = boardOf(game, size, byId("board"), (move) => this.#own.play(move));
    this.#board = { kind, board };
    // The style sheet uses this attribute: with `:has` each change would style the whole page again.
    document.documentElement.dataset.board = game.name;
    return board;
  }
}
