/** The page: one board, one game, and the panels around it. */

import { RemoteEngine } from "./connection/remote-engine.js";
import { ArenaFeed } from "./connection/arena-feed.js";
import { boardOf, hasBoard } from "./view/boards/boards.js";
import { Connection, LostError } from "./connection/connection.js";
import { byId, setText } from "./view/dom.js";
import { on } from "./events.js";
import { choose } from "./game/levels.js";
import * as link from "./game/link.js";
import { AnalysisPanel } from "./view/panels/analysis.js";
import { GraphPanel } from "./view/panels/graph.js";
import { MovesPanel } from "./view/panels/moves.js";
import { PlayersPanel } from "./view/panels/players.js";
import { PlayPanel } from "./view/panels/play.js";
import { ArenaPanel } from "./view/panels/arena.js";
import { TabsPanel } from "./view/panels/tabs.js";
import { TransferPanel } from "./view/panels/transfer.js";
import * as score from "./game/score.js";
import { ArenaGame } from "./state/arena-game.js";
import { startTheme } from "./view/theme.js";
import { limitsOf } from "./game/times.js";
import { Tree } from "./game/tree.js";
import { ArenaSession } from "./connection/arena-session.js";
import { WatchedGame } from "./state/watched-game.js";

/**
 * @typedef {import("./connection/remote-engine.js").Game} Game
 * @typedef {import("./connection/remote-engine.js").Facts} Facts
 * @typedef {import("./view/boards/board.js").Board} Board
 * @typedef {import("./connection/connection.js").Info} Info
 * @typedef {import("./game/tree.js").Ply} Ply
 */

/** What a hint, and each position when the whole game is evaluated, may cost, in ms. */
const HINT = { movetime: 300 };
const SWEEP = { movetime: 250 };

/** @type {Map<Ply, import("./game/review.js").Note>} */
const NO_NOTES = new Map();

class App {
  #connection = new Connection(socketUrl());
  #engine = new RemoteEngine(this.#connection);
  #tabs = new TabsPanel();
  #play = new PlayPanel();
  #analysis = new AnalysisPanel();
  #moves = new MovesPanel();
  #graph = new GraphPanel();
  #players = new PlayersPanel();
  #transfer = new TransferPanel(() => this.#texts());
  #status = byId("status");
  #title = byId("title");
  #pass = byId("pass", HTMLButtonElement);
  /** @type {Map<string, Game>} */
  #games = new Map();
  #feed = new ArenaFeed(this.#connection);
  #watchedGame = new WatchedGame(this.#feed, this.#engine);
  #session = new ArenaSession(socketUrl());
  #arenaGame = new ArenaGame(this.#session, this.#feed);
  #arenaPanel = new ArenaPanel(this.#session, this.#arenaGame);
  /** The user's own game. */
  #own = new Tree({ game: "connect4", size: "7x6" });
  /** The board, and the game and size that it is for. @type {{kind: string, board: Board} | null} */
  #board = null;
  /** What was found about the position that is shown, by move. @type {Map<string, Info>} */
  #infos = new Map();
  /** @type {string | null} */
  #hint = null;
  /** Of the position that is shown; what is found for an earlier one comes too late. */
  #turn = 0;
  #isDrawing = false;
  /** The position to evaluate next where the whole game is to be, else null. @type {number | null} */
  #sweeping = null;
  /** How the connection is, if there is none. */
  #trouble = "Connecting…";
  /** What was wrong with the last thing the user asked for; stays until something changes. */
  #complaint = "";

  /** The game that is shown. */
  get #tree() {
    return this.#remoteGame?.tree ?? this.#own;
  }

  get #isWatching() {
    return this.#tabs.mode === "watch";
  }

  /** The game of the arena that is shown, null if it is the user's own. */
  get #remoteGame() {
    if (this.#isWatching) return this.#watchedGame;
    return this.#tabs.mode === "play" && this.#arenaGame.tree ? this.#arenaGame : null;
  }

  /** Whether the user looks for a game in the arena, or has one. */
  get #isInArena() {
    return this.#tabs.mode === "play" && (this.#play.choice.opponent === "arena" || !!this.#arenaGame.tree);
  }

  start() {
    startTheme();
    on(this.#connection, "open", () => this.#connected());
    on(this.#connection, "lost", (reason) => {
      this.#trouble = `Connection lost${reason ? `: ${reason}` : ""}. Trying again…`;
      this.#draw();
    });
    on(this.#tabs, "change", () => this.#turnTo());
    on(this.#watchedGame, "change", () => this.#show());
    on(this.#watchedGame, "tick", () => this.#drawSoon());
    on(this.#watchedGame, "analyse", () => this.#analyseShown());
    on(this.#feed, "change", () => this.#drawSoon());
    on(this.#session, "change", () => this.#drawSoon());
    on(this.#arenaGame, "start", () => this.#sitDown());
    on(this.#arenaGame, "change", () => this.#tabs.mode === "play" && this.#show());
    on(this.#arenaGame, "tick", () => this.#drawSoon());
    on(this.#arenaPanel, "analyse", () => this.#analyseShown());
    on(this.#arenaPanel, "leave", () => this.#arenaGame.leave());
    on(this.#play, "start", () => this.#newGame());
    on(this.#play, "change", () => this.#turnTo());
    on(this.#play, "undo", () => this.#takeBack());
    on(this.#play, "hint", () => this.#giveHint());
    on(this.#analysis, "switch", () => this.#turnTo());
    on(this.#analysis, "point", () => this.#draw());
    on(this.#analysis, "play", (move) => this.#playMove(move));
    on(this.#analysis, "sweep", () => {
      this.#sweeping = this.#sweeping === null ? 0 : null;
      this.#show();
    });
    on(this.#transfer, "paste", (text) => this.#paste(text));
    this.#pass.addEventListener("click", () => this.#playMove("pass"));
    addEventListener("hashchange", () => this.#open());
    this.#connection.open();
  }

  // ---- coming and going ----

  async #connected() {
    this.#trouble = "";
    if (this.#games.size === 0) {
      const games = (await this.#engine.games()).filter(hasBoard);
      this.#games = new Map(games.map((game) => [game.name, game]));
      this.#play.offer(games);
      this.#open();
      this.#session.start([...this.#games.keys()]);
    } else {
      this.#show();
    }
  }

  /** Open what the address says. */
  async #open() {
    const place = link.read(location.hash);
    const { choice } = this.#play;
    const game = this.#games.get(place.game ?? choice.game) ?? [...this.#games.values()][0];
    const isChosen = game.name === choice.game && !place.game;
    const size = place.size ?? (isChosen ? choice.size : game.size);
    this.#play.choose({ ...choice, game: game.name, size });
    if (place.mode) this.#tabs.select(place.mode);
    const start = { game: game.name, size, fen: place.fen, moves: place.moves };
    if (!(await this.#load(start, place.at))) this.#enter(new Tree({ game: game.name, size: game.size }));
  }

  /**
   * Show another game, if the server finds that it can be played.
   *
   * @param {{game: string, size: string, fen?: string | null, moves?: string[]}} start
   * @param {number} [at] How many of the moves lead to the position to show.
   */
  async #load(start, at = start.moves?.length ?? 0) {
    const tree = new Tree(start);
    const end = tree.current;
    try {
      end.facts = await this.#engine.describe(tree.line(end));
    } catch (error) {
      this.#complain(error);
      return false;
    }
    end.facts.moves.forEach((move, index) => (end.path[index + 1].move = move));
    tree.current = end.path[at] ?? end;
    this.#enter(tree);
    return true;
  }

  /** @param {Tree} tree */
  #enter(tree) {
    this.#own = tree;
    on(tree, "change", () => this.#turnTo());
    this.#show();
  }

  async #newGame() {
    this.#sweeping = null;
    const { game, size, opponent, time } = this.#play.choice;
    this.#arenaGame.leave();
    if (opponent !== "arena") await this.#load({ game, size });
    else await this.#session.attempt(() => this.#session.offer({ game, size, limits: limitsOf(time) }, this.#play.whom));
  }

  /** A game of the user's in the arena begins. */
  async #sitDown() {
    this.#transfer.close();
    this.#tabs.select("play");
    await this.#turnTo();
    // What was pressed to get here is gone.
    const { activeElement, body } = document;
    if (activeElement === body || !activeElement?.checkVisibility()) this.#board?.board.focus();
  }

  // ---- what goes on ----

  /** Show what the user turns to; what was to be evaluated is left. */
  #turnTo() {
    this.#sweeping = null;
    return this.#show();
  }

  /** Show the current position and do what is to be done in it. */
  async #show() {
    if (this.#games.size === 0) return this.#draw(); // nor is it known yet what the address says
    const turn = ++this.#turn;
    const tree = this.#tree;
    const ply = tree.current;
    this.#infos = new Map();
    this.#hint = null;
    this.#complaint = "";
    this.#engine.stop();
    if (this.#isWatching) this.#watchedGame.enter(this.#games);
    else this.#watchedGame.leave();
    if (this.#isWatching || this.#isInArena) this.#feed.watch();
    this.#session.look(this.#isInArena && !this.#arenaGame.isPlaying);
    this.#remember();
    try {
      const learnt = this.#learn(tree, ply).then(() => {
        if (turn === this.#turn) this.#draw();
      });
      // The engine need not wait until the page knows the position.
      await Promise.all([learnt, this.#search(turn)]);
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#complain(error);
    }
  }

  /** Analyse the game of the arena that is shown. */
  async #analyseShown() {
    const { game, size, fen, moves, current } = this.#tree;
    this.#tabs.select("analyse");
    await this.#load({ game, size, fen, moves }, current.number);
  }

  /** Have the engine do what is to be done in the current position. @param {number} turn */
  async #search(turn) {
    if (this.#tabs.mode === "analyse" && this.#sweeping !== null) return this.#sweep(turn);
    if (this.#tree.current.facts?.over) return;
    if (this.#isWaiting) await this.#reply(turn);
    else if (this.#tabs.mode === "analyse" && this.#analysis.isOn) await this.#analyse(turn);
  }

  /** Ask for what there is to know of a position. @param {Tree} tree @param {Ply} ply */
  async #learn(tree, ply) {
    if (ply.facts === null) ply.facts = await this.#engine.describe(tree.line(ply));
    if (ply.facts.over) {
      const { score: result } = ply.facts;
      const value = Math.tanh(tree.game === "othello" ? result / 12 : result * 9);
      ply.evaluation = { value, text: this.#outcome(ply.facts) };
    }
  }

  /** Have the engine answer. @param {number} turn */
  async #reply(turn) {
    const tree = this.#tree;
    const ply = tree.current;
    const { strength } = this.#play.choice;
    const move = await choose(this.#engine, tree.line(ply), strength, (info) =>
      this.#evaluate(tree, ply, info),
    );
    if (turn === this.#turn && move !== null) tree.play(move);
  }

  /** @param {number} turn */
  async #analyse(turn) {
    const tree = this.#tree;
    const ply = tree.current;
    await this.#engine.search(
      tree.line(ply),
      { infinite: true },
      this.#analysis.multipv,
      (info) => {
        this.#evaluate(tree, ply, info);
        if (turn !== this.#turn) return;
        this.#infos.set(info.pv[0], info);
        this.#drawSoon();
      },
    );
  }

  /** Evaluate each position of the game in turn, or those that are left. @param {number} turn */
  async #sweep(turn) {
    const tree = this.#tree;
    // An engine that was never asked about this game may take longer to get ready than a search.
    await this.#engine.search(tree.line(tree.root), { depth: 1 }, 1);
    if (turn !== this.#turn) return;
    for (const ply of tree.shown.slice(this.#sweeping ?? 0)) {
      this.#sweeping = ply.number;
      await this.#learn(tree, ply);
      if (turn !== this.#turn) return;
      this.#drawSoon();
      if (ply.facts?.over) continue;
      await this.#engine.search(tree.line(ply), SWEEP, 1, (info) => this.#evaluate(tree, ply, info));
      if (turn !== this.#turn) return;
    }
    this.#turnTo();
  }

  async #giveHint() {
    const turn = ++this.#turn;
    try {
      const move = await this.#engine.search(this.#tree.line(this.#tree.current), HINT, 1);
      if (turn !== this.#turn) return;
      this.#hint = move;
      this.#draw();
    } catch (error) {
      this.#complain(error);
    }
  }

  /** Keep what an engine's line says about a position. @param {Tree} tree @param {Ply} ply @param {Info} info */
  #evaluate(tree, ply, info) {
    if (info.multipv !== 1) return;
    const turn = tree.turn(ply);
    const mover = this.#titleOf(turn);
    const value = score.balance(info.score, turn);
    ply.evaluation = { value, text: `${mover} ${score.long(info.score)}` };
  }

  #takeBack() {
    const tree = this.#tree;
    let ply = tree.current;
    if (this.#play.choice.opponent === "engine" && ply.parent) {
      // Back to the user's own turn.
      const isOwn = tree.turn(ply) === this.#play.choice.side;
      if (isOwn && ply.parent.parent) ply = ply.parent;
    }
    tree.remove(ply);
  }

  /** @param {string} move */
  #playMove(move) {
    if (!this.#canMove) return;
    if (this.#remoteGame === this.#arenaGame) this.#arenaGame.play(move).catch((error) => this.#complain(error));
    else this.#tree.play(move);
  }

  /** Whether the user may move in the position that is shown. */
  get #canMove() {
    if (!this.#connection.isOpen) return false;
    if (this.#remoteGame) return this.#remoteGame.mayMove;
    return !this.#isInArena && !this.#isWaiting;
  }

  /** @param {string} text */
  async #paste(text) {
    const { game, size } = this.#tree;
    this.#sweeping = null;
    if (await this.#load({ game, size, ...link.parse(text, { game, size }) })) this.#transfer.close();
    else this.#transfer.say(this.#complaint);
  }

  // ---- what is shown ----

  #drawSoon() {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    requestAnimationFrame(() => {
      this.#isDrawing = false;
      this.#draw();
    });
  }

  #draw() {
    const tree = this.#tree;
    const { facts, parent } = tree.current;
    const game = this.#games.get(tree.game);
    document.documentElement.dataset.connected = String(this.#connection.isOpen);
    setText(this.#status, this.#statusText());
    setText(this.#title, this.#arenaGame.isTurn ? "Your turn – Plywire" : "Plywire");
    if (this.#tabs.mode === "play") this.#drawArena();
    this.#analysis.sweeps(this.#sweeping !== null);
    if (!game || !facts) return;
    const board = this.#boardFor(game);
    const { isOpen } = this.#connection;
    const canMove = this.#canMove;
    const infos = [...this.#infos.values()].sort((one, other) => one.multipv - other.multipv);
    board.render({
      fen: facts.fen,
      turn: facts.turn,
      legal: canMove ? facts.legal : [],
      last: parent && tree.current.move,
      infos: this.#infos,
      line: this.#analysis.pointedLine,
      hint: this.#hint,
    });
    this.#pass.hidden = !(canMove && facts.legal[0] === "pass");
    const clocks = this.#remoteGame?.clocks;
    const over = facts.over || !!this.#remoteGame?.isOver;
    this.#players.render({ ...facts, over }, game, this.#owners, clocks);
    this.#moves.render(tree, this.#isWatching ? this.#watchedGame.notes : NO_NOTES);
    this.#graph.render(tree, game.players);
    this.#analysis.render(infos);
    this.#analysis.say(infos.length ? "" : this.#silence(facts));
    this.#play.allow({
      canUndo: parent !== null && isOpen,
      canHint: canMove && !facts.over,
      canStart: isOpen && (this.#play.choice.opponent !== "arena" || this.#session.isHere),
    });
  }

  #drawArena() {
    this.#arenaPanel.render(this.#isInArena, this.#games, this.#feed);
    this.#play.offerTo(this.#session.bots);
  }

  /** @param {Game} game */
  #boardFor(game) {
    const kind = `${game.name} ${this.#tree.size}`;
    if (this.#board?.kind === kind) return this.#board.board;
    const board = boardOf(game, this.#tree.size, byId("board"));
    on(board, "play", (move) => this.#playMove(move));
    this.#board = { kind, board };
    return board;
  }

  /** Whether the game that is shown is played against the engine. */
  get #isAgainstEngine() {
    return this.#tabs.mode === "play" && !this.#isInArena && this.#play.choice.opponent === "engine";
  }

  /** Whether the user waits for the engine to move. */
  get #isWaiting() {
    const { current } = this.#tree;
    const isOwn = this.#tree.turn(current) === this.#play.choice.side;
    return this.#isAgainstEngine && !isOwn && current.children.length === 0;
  }

  /** Why there are no lines. @param {Facts} facts */
  #silence(facts) {
    if (facts.over) return "The game is over.";
    return this.#analysis.isOn ? "The engine is looking…" : "Analysis is off.";
  }

  #statusText() {
    if (this.#trouble && !this.#connection.isOpen) return this.#trouble;
    if (this.#complaint) return this.#complaint;
    const { facts } = this.#tree.current;
    if (!facts) return "…";
    if (this.#remoteGame?.status) return this.#remoteGame.status;
    if (this.#sweeping !== null) {
      return `Evaluating position ${this.#sweeping + 1} of ${this.#tree.shown.length}…`;
    }
    if (this.#isInArena && !this.#remoteGame) {
      if (this.#feed.trouble) return this.#feed.trouble;
      return this.#session.name ? "Take an open seat, or offer a game." : "Log in to play in the arena.";
    }
    if (facts.over) return this.#outcome(facts);
    const mover = this.#titleOf(facts.turn);
    if (facts.legal[0] === "pass") return `${mover} has no move and must pass.`;
    if (this.#hint) return `Hint for ${mover}: ${this.#hint}.`;
    if (this.#isWaiting) return `The engine plays ${mover} and is thinking.`;
    if (this.#remoteGame || this.#isAgainstEngine) return `Your turn: you play ${mover}.`;
    return `${mover} to move.`;
  }

  /** Who wins and how. @param {Facts} facts */
  #outcome({ winner, reason, score: result }) {
    if (winner === null) return `A draw: ${reason}.`;
    const by = this.#tree.game === "othello" ? ` by ${Math.abs(result)} discs` : "";
    return `${this.#titleOf(winner)} wins${by}: ${reason}.`;
  }

  /** Who plays which side. @returns {[string, string]} */
  get #owners() {
    if (this.#remoteGame) return this.#remoteGame.owners;
    if (!this.#isAgainstEngine) return ["", ""];
    return this.#play.choice.side === 1 ? ["you", "engine"] : ["engine", "you"];
  }

  /** What a player is called. @param {1 | 2} player */
  #titleOf(player) {
    return this.#games.get(this.#tree.game)?.players[player - 1] ?? "";
  }

  /** Say what went wrong, unless it is the connection, which says so itself. @param {unknown} error */
  #complain(error) {
    if (error instanceof LostError) return;
    this.#complaint = error instanceof Error ? error.message : String(error);
    this.#draw();
  }

  /** Keep the address up to date. */
  #remember() {
    const { game, size, fen, moves, current } = this.#own;
    const place = { mode: this.#tabs.mode, game, size, fen, moves, at: current.number };
    history.replaceState(null, "", link.write(place));
  }

  #texts() {
    return {
      position: this.#tree.current.facts?.fen ?? "",
      game: link.toText(this.#tree),
      link: location.href,
    };
  }
}

/** Where the page came from. */
function socketUrl() {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/`;
}

new App().start();
