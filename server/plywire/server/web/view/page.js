/** The whole page: the board, and the panels around it, drawn from the state. */

import { on, emit } from "../events.js";
import { toGgf, toMoves, toPgn } from "../game/export.js";
import * as link from "../game/link.js";
import { noLinesText, statusText, worthText } from "../state/status.js";
import { boardOf } from "./boards/boards.js";
import { byId, setText } from "./dom.js";
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
 * @import { Game } from "../game/games.js"
 * @import { State } from "../state/state.js"
 * @import { Board } from "./boards/board.js"
 */

/** How many moves of the best line stand on the board. */
const FORESEEN = 3;
/** How long what happens in the arena may wait to be drawn, in ms: in one game, and in all at once. */
const LATER = 80;
const WALL_LATER = 160;

/** Tells `play` with a move that the user chose; its panels tell the rest. */
export class Page extends EventTarget {
  tabs = new TabsPanel();
  play = new PlayPanel();
  after = new AfterPanel();
  analysis = new AnalysisPanel();
  watch = new WatchPanel();
  tournaments = new TournamentsPanel();
  wall = new Wall();
  #moves = new MovesPanel();
  #replay = new ReplayPanel();
  #graph = new GraphPanel();
  #players = new PlayersPanel();
  #status = byId("status");
  #title = byId("title");
  #pass = byId("pass", HTMLButtonElement);
  #state;
  /** The board, and the game and size that it is for. @type {{kind: string, board: Board} | null} */
  #board = null;
  /** The position that was drawn last. @type {import("../game/tree.js").Ply | null} */
  #last = null;
  #isDrawing = false;
  #isWaiting = false;

  /** @param {State} state */
  constructor(state) {
    super();
    this.#state = state;
    this.arena = new ArenaPanel(state.session, state.arenaGame);
    this.editor = new EditorPanel(() => state);
    this.transfer = new TransferPanel(() => ({
      position: state.tree.current.facts?.fen ?? "",
      game: link.toText(state.tree),
      moves: toMoves(state.tree),
      link: new URL(link.write(state.place), location.href).href,
    }), {
      pgn: () => toPgn(this.#played()),
      ggf: () => toGgf(this.#played()),
      svg: () => toSvg(this.#drawing),
      png: () => toPng(toSvg(this.#drawing)),
      gif: () => film(state.tree, /** @type {Game} */ (state.games.get(state.tree.game))),
    });
    this.#pass.addEventListener("click", () => emit(this, "play", "pass"));
    byId("turn").addEventListener("click", () => this.#board?.board.turn());
    on(this.analysis, "play", (move) => emit(this, "play", move));
  }

  /** Draw before the next frame. */
  drawSoon() {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    requestAnimationFrame(() => {
      this.#isDrawing = false;
      this.draw();
    });
  }

  /** Draw a few times a second, however much happens. */
  drawLater() {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    setTimeout(() => {
      this.#isWaiting = false;
      this.drawSoon();
    }, this.#state.isWall ? WALL_LATER : LATER);
  }

  draw() {
    const state = this.#state;
    const { tree, arenaGame, canMove, connection, games, mode, remoteGame, watchedGame } = state;
    const { facts, parent } = tree.current;
    const game = games.get(tree.game);
    document.documentElement.dataset.connected = String(connection.isOpen);
    document.documentElement.dataset.meeting = String(state.isMeeting);
    byId("main").hidden = state.isWall;
    byId("wall").hidden = !state.isWall;
    if (state.isWall) {
      const { feed, tournament } = state;
      this.tournaments.render(feed, games, tournament, true);
      this.wall.render(feed, feed.gamesOf(tournament.name, games), tournament);
      return;
    }
    setText(this.#status, statusText(state));
    setText("preparing", state.preparation);
    setText(this.#title, arenaGame.isTurn ? "Your turn – Plywire" : "Plywire");
    if (mode === "play") {
      this.arena.render(state);
      this.play.offerTo(state.session.bots);
    } else if (mode === "watch") {
      this.tournaments.render(state.feed, games, state.tournament, false);
      this.watch.render(state.feed, watchedGame, games, state.tournament.name);
    }
    this.analysis.sweeps(state.sweeping !== null);
    if (!facts) this.#board?.board.close();
    if (!game || !facts) return;
    const infos = [...state.infos.values()].sort((one, other) => one.multipv - other.multipv);
    const board = this.#boardFor(game);
    board.showScores(mode === "analyse");
    board.render({
      fen: facts.fen,
      turn: facts.turn,
      legal: canMove ? facts.legal : [],
      won: facts.line ?? [],
      last: parent && tree.current.move,
      before: parent?.facts?.fen ?? null,
      better: tree.current.note?.better ?? null,
      infos: state.infos,
      line: this.analysis.pointedLine,
      best: mode === "analyse" && this.analysis.hasArrows ? (infos[0]?.squares ?? []).slice(0, FORESEEN) : [],
      hint: state.hint,
    });
    this.#pass.hidden = !(canMove && facts.legal[0] === "pass");
    this.after.render(state);
    this.#announce();
    const over = facts.over || !!remoteGame?.isOver;
    if (parent && parent === this.#last) knock();
    this.#last = tree.current;
    this.#players.render({ ...facts, over }, game, state.owners, remoteGame?.clocks);
    this.#moves.render(tree);
    this.#replay.render(tree);
    this.#graph.render(tree, game.players);
    this.analysis.render(infos, worthText(state, infos[0]));
    this.analysis.say(noLinesText(state));
    this.play.allow({
      canUndo: parent !== null,
      canHint: canMove && !facts.over && connection.isOpen && !state.isPreparing,
      canStart: !state.isInArena || state.session.isHere,
    });
  }

  /** Have the keyboard play, if what was pressed last is gone. */
  focusBoard() {
    const { activeElement, body } = document;
    if (activeElement === body || !activeElement?.checkVisibility()) this.#board?.board.focus();
  }

  /** Tell those who do not see the board which move led here, unless it is their own. */
  #announce() {
    const { tree, owners } = this.#state;
    const { number, move, parent } = tree.current;
    if (!parent || owners[tree.turn(parent) - 1] === "you") return;
    setText("announced", `Move ${number}: ${this.#state.titleOf(tree.turn(parent))} played ${move}.`);
  }

  /** The line that is shown, for files of it. */
  #played() {
    const { games, owners, remoteGame, tree } = this.#state;
    const { game, size, fen, moves, root, shown } = tree;
    const facts = shown.at(-1)?.facts;
    const end = remoteGame?.result ?? (facts?.over ? facts : null);
    const [one, two] = games.get(game)?.players ?? ["", ""];
    return {
      ...{ game, size, moves, fen: fen ?? root.facts?.fen ?? "", isUsual: fen === null },
      players: /** @type {[string, string]} */ ([owners[0] || one, owners[1] || two]),
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
    const board = boardOf(game, size, byId("board"));
    on(board, "play", (move) => emit(this, "play", move));
    this.#board = { kind, board };
    // Not by `:has` in the stylesheet: that has every change on the page style all of it anew.
    document.documentElement.dataset.board = game.name;
    return board;
  }
}
