/** The page: what happens when the user, the server or the engine does something. */

import { ArenaFeed } from "./connection/arena-feed.js";
import { ArenaSession } from "./connection/arena-session.js";
import { Connection, LostError } from "./connection/connection.js";
import { RemoteEngine } from "./connection/remote-engine.js";
import { on } from "./events.js";
import * as link from "./game/link.js";
import { limitsOf } from "./game/times.js";
import { Tree } from "./game/tree.js";
import { ArenaGame } from "./state/arena-game.js";
import { Searches } from "./state/searches.js";
import { MODES, State } from "./state/state.js";
import { WatchedGame } from "./state/watched-game.js";
import { Page } from "./view/page.js";
import { startTheme } from "./view/theme.js";

class Controller {
  #connection = new Connection(socketUrl());
  #engine = new RemoteEngine(this.#connection);
  #feed = new ArenaFeed(this.#connection);
  #session = new ArenaSession(socketUrl());
  #arenaGame = new ArenaGame(this.#session, this.#feed);
  #watchedGame = new WatchedGame(this.#feed, this.#engine);
  #state = new State({
    connection: this.#connection,
    feed: this.#feed,
    session: this.#session,
    arenaGame: this.#arenaGame,
    watchedGame: this.#watchedGame,
  });
  #searches = new Searches(this.#state, this.#engine);
  #page = new Page(this.#state);

  start() {
    const [state, page] = [this.#state, this.#page];
    const draw = () => page.draw();
    const drawSoon = () => page.drawSoon();
    startTheme();
    state.choice = page.play.choice;
    state.analysis = page.analysis.choice;

    on(this.#connection, "open", () => this.#connected());
    on(this.#connection, "lost", (reason) => {
      state.trouble = `Connection lost${reason ? `: ${reason}` : ""}. Trying again…`;
      draw();
    });
    on(this.#feed, "change", drawSoon);
    on(this.#session, "change", drawSoon);
    on(this.#searches, "learn", draw);
    on(this.#searches, "found", drawSoon);
    on(this.#searches, "swept", () => this.#turnTo());

    on(this.#watchedGame, "change", () => this.#show());
    on(this.#watchedGame, "tick", drawSoon);
    on(page.watch, "choose", (table) => this.#watchedGame.choose(table));
    on(page.watch, "analyse", () => this.#analyseShown());
    on(this.#arenaGame, "start", () => this.#arenaGameStarted());
    on(this.#arenaGame, "change", () => state.mode === "play" && this.#show());
    on(this.#arenaGame, "tick", drawSoon);
    on(page.arena, "analyse", () => this.#analyseShown());
    on(page.arena, "leave", () => this.#arenaGame.leave());

    on(page.tabs, "change", (mode) => {
      this.#select(mode);
      this.#turnTo();
    });
    on(page.play, "choose", (choice) => (state.choice = choice));
    on(page.play, "change", () => this.#turnTo());
    on(page.play, "start", () => this.#newGame());
    on(page.play, "undo", () => this.#takeBack());
    on(page.play, "hint", () => this.#attempt(() => this.#searches.hint()));
    on(page.analysis, "switch", (analysis) => {
      state.analysis = analysis;
      this.#turnTo();
    });
    on(page.analysis, "point", draw);
    on(page.analysis, "sweep", () => {
      state.sweeping = state.sweeping === null ? 0 : null;
      this.#show();
    });
    on(page.transfer, "paste", (text) => this.#paste(text));
    on(page, "play", (move) => this.#play(move));
    addEventListener("hashchange", () => this.#open());
    this.#connection.open();
  }

  // ---- which game is shown ----

  async #connected() {
    const { games } = this.#state;
    this.#state.trouble = "";
    if (games.size > 0) return this.#show();
    const offered = await this.#engine.games();
    for (const game of offered) games.set(game.name, game);
    this.#page.play.offer(offered);
    this.#open();
    this.#session.start([...games.keys()]);
  }

  /** Open what the address says. */
  async #open() {
    const { games, choice } = this.#state;
    const place = link.read(location.hash);
    const game = games.get(place.game ?? choice.game) ?? [...games.values()][0];
    const isChosen = game.name === choice.game && !place.game;
    const size = place.size ?? (isChosen ? choice.size : game.size);
    this.#page.play.choose({ ...choice, game: game.name, size });
    if (place.mode && MODES.includes(place.mode)) this.#select(place.mode);
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
    this.#state.own = tree;
    on(tree, "change", () => this.#turnTo());
    this.#show();
  }

  async #newGame() {
    this.#state.sweeping = null;
    const { game, size, opponent, time } = this.#state.choice;
    this.#arenaGame.leave();
    if (opponent !== "arena") await this.#load({ game, size });
    else {
      const terms = { game, size, limits: limitsOf(time) };
      await this.#session.attempt(() => this.#session.offer(terms, this.#page.play.whom));
    }
  }

  async #arenaGameStarted() {
    this.#page.transfer.close();
    this.#select("play");
    await this.#turnTo();
    this.#page.focusBoard();
  }

  /** @param {string} mode One of MODES. */
  #select(mode) {
    this.#state.mode = mode;
    this.#page.tabs.render(mode);
  }

  /** Analyse the game of the arena that is shown. */
  async #analyseShown() {
    const { game, size, fen, moves, current } = this.#state.tree;
    this.#select("analyse");
    await this.#load({ game, size, fen, moves }, current.number);
  }

  /** @param {string} text */
  async #paste(text) {
    const { game, size } = this.#state.tree;
    this.#state.sweeping = null;
    const start = { game, size, ...link.parse(text, { game, size }) };
    if (await this.#load(start)) this.#page.transfer.close();
    else this.#page.transfer.say(this.#state.complaint);
  }

  // ---- which position is shown ----

  /** Show what the user turns to; what was to be evaluated is left. */
  #turnTo() {
    this.#state.sweeping = null;
    return this.#show();
  }

  /** Show the current position and do what is to be done in it. */
  async #show() {
    const state = this.#state;
    if (state.games.size === 0) return this.#page.draw(); // nor is it known yet what the address says
    this.#searches.stop();
    state.complaint = "";
    if (state.isWatching) {
      this.#watchedGame.enter(state.games);
      this.#page.drawSoon();
    } else this.#watchedGame.leave();
    if (state.isWatching || state.isInArena) this.#feed.watch();
    this.#session.keepFresh(state.isInArena && !this.#arenaGame.isPlaying);
    this.#remember();
    await this.#attempt(() => this.#searches.start());
  }

  /** Keep the address up to date. */
  #remember() {
    const { mode, own } = this.#state;
    const { game, size, fen, moves, current } = own;
    history.replaceState(null, "", link.write({ mode, game, size, fen, moves, at: current.number }));
  }

  /** @param {string} move */
  #play(move) {
    const { canMove, remoteGame, tree } = this.#state;
    if (!canMove) return;
    if (remoteGame) this.#attempt(() => this.#arenaGame.play(move));
    else tree.play(move);
  }

  #takeBack() {
    const { tree, choice } = this.#state;
    let ply = tree.current;
    if (choice.opponent === "engine" && ply.parent) {
      // Back to the user's own turn.
      const isOwn = tree.turn(ply) === choice.side;
      if (isOwn && ply.parent.parent) ply = ply.parent;
    }
    tree.remove(ply);
  }

  // ---- what went wrong ----

  /** Do it, and say why if it fails. @param {() => Promise<unknown>} act */
  async #attempt(act) {
    try {
      await act();
    } catch (error) {
      this.#complain(error);
    }
  }

  /** Say what went wrong, unless it is the connection, which says so itself. @param {unknown} error */
  #complain(error) {
    if (error instanceof LostError) return;
    this.#state.complaint = error instanceof Error ? error.message : String(error);
    this.#page.draw();
  }
}

/** Where the page came from. */
function socketUrl() {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/`;
}

new Controller().start();
