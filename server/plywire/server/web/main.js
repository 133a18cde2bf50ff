/** The page: what happens when the user, the server or the engine does something. */

import { ArenaFeed } from "./connection/arena-feed.js";
import { ArenaSession } from "./connection/arena-session.js";
import { Connection, LostError } from "./connection/connection.js";
import { RemoteEngine } from "./connection/remote-engine.js";
import { on } from "./events.js";
import { GAMES } from "./game/games.js";
import * as link from "./game/link.js";
import { recognise } from "./game/paste.js";
import { QUICK, Review, isKnown } from "./game/review.js";
import { RulesError } from "./game/rules/rules.js";
import { known, limitsOf } from "./game/times.js";
import { Tree } from "./game/tree.js";
import { ArenaGame } from "./state/arena-game.js";
import { Readiness } from "./state/readiness.js";
import { Searches } from "./state/searches.js";
import { MODES, State } from "./state/state.js";
import { WatchedGame } from "./state/watched-game.js";
import { WatchedTournament } from "./state/watched-tournament.js";
import { Page } from "./view/page.js";
import { startShortcuts } from "./view/shortcuts.js";
import { startSounds } from "./view/sounds.js";
import { startTheme } from "./view/theme.js";

class Controller {
  #connection = new Connection(socketUrl());
  #engine = new RemoteEngine(this.#connection);
  #readiness = new Readiness(this.#connection);
  #feed = new ArenaFeed(this.#connection);
  #session = new ArenaSession(socketUrl());
  #arenaGame = new ArenaGame(this.#session, this.#feed);
  #watchedGame = new WatchedGame(this.#feed);
  #tournament = new WatchedTournament(this.#feed);
  #state = new State({
    connection: this.#connection,
    readiness: this.#readiness,
    feed: this.#feed,
    session: this.#session,
    arenaGame: this.#arenaGame,
    watchedGame: this.#watchedGame,
    tournament: this.#tournament,
  });
  #searches = new Searches(this.#state, this.#engine);
  #page = new Page(this.#state);
  /** Whether the server has told which games it offers. */
  #isOffered = false;
  /** Whether what the address says is shown. */
  #isOpened = false;
  /** What the latest entry of the history is of, null if it is not known: mode, game and tournament. @type {unknown[] | null} */
  #shown = null;

  start() {
    const [state, page] = [this.#state, this.#page];
    const draw = () => page.draw();
    const drawSoon = () => page.drawSoon();
    startTheme();
    startShortcuts();
    startSounds();
    state.choice = page.play.choice;
    state.analysis = page.analysis.choice;

    on(this.#connection, "open", () => this.#connected());
    on(this.#connection, "lost", (reason) => {
      state.trouble = `Connection lost${reason ? `: ${reason}` : ""}. Trying again…`;
      draw();
    });
    on(this.#readiness, "change", drawSoon);
    on(this.#readiness, "ready", () => this.#show());
    on(this.#feed, "change", () => page.drawLater());
    on(this.#session, "change", drawSoon);
    on(this.#searches, "learn", draw);
    on(this.#searches, "found", drawSoon);
    on(this.#searches, "reviewed", () => this.#show());
    on(this.#searches, "swept", () => this.#turnTo());

    on(this.#watchedGame, "change", () => this.#show());
    on(this.#watchedGame, "tick", drawSoon);
    on(page.watch, "choose", (table) => this.#watchedGame.choose(table));
    on(this.#tournament, "change", drawSoon);
    on(page.watch, "all", () => this.#watch(""));
    on(page.tournaments, "turn", (name) => this.#watch(name));
    on(page.tournaments, "round", (round) => this.#tournament.recall(round));
    on(page.tournaments, "choose", (table) => this.#showWall(false, table));
    on(page.watch, "analyse", () => this.#analyseShown());
    on(page.watch, "wall", () => this.#showWall(true, null));
    on(page.wall, "choose", (table) => this.#showWall(false, table));
    on(page.wall, "all", () => this.#watch(""));
    on(this.#arenaGame, "start", () => this.#arenaGameStarted());
    on(this.#arenaGame, "change", () => this.#show());
    on(this.#arenaGame, "tick", drawSoon);
    on(page.arena, "leave", () => this.#arenaGame.leave());
    on(page.arena, "guest", (name) => {
      if (state.invited) this.#join();
      this.#session.logIn({ name }, false);
    });
    on(page.arena, "join", () => this.#join());
    on(page.arena, "refuse", () => {
      state.invited = null;
      this.#show();
    });

    on(page.tabs, "change", (mode) => {
      state.hasWall = false;
      this.#select(mode);
      this.#turnTo();
    });
    on(page.play, "choose", (choice) => (state.choice = choice));
    on(page.play, "change", () => {
      if (state.choice.opponent !== "friend" && state.invited) {
        state.invited = null;
        this.#session.attempt(() => this.#session.uninvite());
        this.#remember();
      }
      this.#attend();
      draw();
    });
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
    on(page.editor, "edit", (fen) => this.#edited(fen));
    on(page.transfer, "paste", (text) => this.#paste(text));
    on(page, "play", (move) => this.#play(move));
    on(page.after, "rematch", () => this.#rematch());
    on(page.after, "review", () => this.#review());
    on(page.after, "next", () => this.#next());
    on(page.after, "retry", () => this.#retry());
    addEventListener("popstate", () => this.#open());
    page.play.offer(GAMES);
    this.#open();
    this.#connection.open();
  }

  // ---- which game is shown ----

  async #connected() {
    const { games } = this.#state;
    this.#state.trouble = "";
    if (!this.#isOffered) {
      const offered = await this.#engine.games();
      for (const game of offered) games.set(game.name, game);
      this.#isOffered = true;
      this.#page.play.offer([...games.values()]);
      this.#session.start(offered.map(({ name }) => name));
      if (!this.#isOpened) await this.#open();
    }
    await this.#show();
  }

  /** Open what the address says, once its game is known. */
  async #open() {
    const { games } = this.#state;
    const { kept, choice } = this.#page.play;
    const place = link.read(location.href);
    const { table, tournament = "", invitation = null } = place;
    const name = place.game ?? kept.game ?? choice.game;
    if (!games.has(name) && !this.#isOffered) return;
    const isFirst = !this.#isOpened;
    if (!isFirst) this.#state.sweeping = null;
    this.#isOpened = true;
    this.#shown = null; // it has its place in the history already
    const game = games.get(name) ?? GAMES[0];
    const isKept = game.name === kept.game && !place.game;
    const size = place.size ?? (isKept ? kept.size : null) ?? game.size;
    this.#state.invited = invitation;
    const terms = invitation ? { opponent: /** @type {const} */ ("friend"), time: known(invitation.time) } : {};
    this.#page.play.choose({ ...kept, game: game.name, size, ...terms });
    this.#state.settings = history.state?.settings ?? settingsOf(this.#page.play.choice);
    this.#state.hasWall = !!place.isWall;
    if (place.mode && MODES.includes(place.mode)) this.#select(place.mode);
    this.#tournament.choose(tournament ?? "");
    if (table && table === this.#arenaGame.table) this.#select("play");
    else if (table || tournament) this.#watchedGame.choose(table ?? null, place.at);
    if (!isFirst && (table || tournament || place.isWall)) return this.#show();
    await this.#openGame({ ...place, game: game.name, size }, game.size);
  }

  /**
   * Show a game as far as it can be played, and say what cannot be.
   *
   * @param {Partial<link.Place> & {game: string, size: string}} place
   * @param {string} usual The size where there is none of that size.
   */
  async #openGame({ game, size, fen, moves = [], at }, usual) {
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
    if (fault) this.#complain(fault);
  }

  /**
   * Show another game, if it can be played.
   *
   * @param {{game: string, size: string, fen?: string | null, moves?: string[]}} start
   * @param {number} [at] How many of the moves lead to the position to show.
   */
  async #load(start, at = start.moves?.length ?? 0) {
    try {
      const tree = new Tree(start);
      tree.current.facts ??= await this.#engine.describe(tree.line(tree.current));
      tree.current = tree.end.path[at] ?? tree.end;
      this.#state.sweeping = null;
      this.#enter(tree);
      return true;
    } catch (error) {
      this.#complain(error);
      return false;
    }
  }

  /** @param {Tree} tree */
  #enter(tree) {
    this.#state.own = tree;
    on(tree, "change", () => this.#show());
    this.#show();
  }

  async #newGame() {
    const { game, size, opponent, time } = this.#state.choice;
    this.#arenaGame.leave();
    if (opponent === "friend") {
      if (!(await this.#load({ game, size }))) return;
      this.#state.invited = { key: newKey(), game, size, time };
      return this.#join();
    }
    if (opponent === "arena") {
      const terms = { game, size, limits: limitsOf(time) };
      await this.#session.attempt(() => this.#session.offer(terms, this.#page.play.whom));
      return;
    }
    const { settings } = this.#state;
    this.#state.settings = settingsOf(this.#state.choice);
    if (!(await this.#load({ game, size }))) this.#state.settings = settings;
  }

  /** Wait for the other who has the link that the address is. */
  async #join() {
    const { invited } = this.#state;
    if (!invited) return;
    const { time, ...terms } = invited;
    await this.#session.attempt(() => this.#session.invite({ ...terms, limits: limitsOf(time) }));
    await this.#show();
  }

  /** Play the same once more: the engine the other way round, others if they accept. */
  async #rematch() {
    const { settings, tree, remoteGame } = this.#state;
    if (remoteGame) {
      const { opponent, ...terms } = this.#arenaGame.terms;
      return this.#session.attempt(() => this.#session.offer(terms, opponent));
    }
    this.#state.settings = { ...settings, side: settings.side === 1 ? 2 : 1 };
    await this.#load({ game: tree.game, size: tree.size, fen: tree.fen });
  }

  /** Play the same against the next opponent. */
  async #next() {
    const { nextOpponent, settings, tree, remoteGame } = this.#state;
    if (!nextOpponent) return;
    if (remoteGame) {
      const { opponent: _, ...terms } = this.#arenaGame.terms;
      return this.#session.attempt(() => this.#session.offer(terms, nextOpponent.value));
    }
    this.#state.settings = { ...settings, strength: nextOpponent.value };
    this.#page.play.choose({ strength: nextOpponent.value });
    await this.#load({ game: tree.game, size: tree.size, fen: tree.fen });
  }

  /** Play on against the engine from before the mistake that is shown, as who made it. */
  async #retry() {
    const { settings, tree } = this.#state;
    const { note, parent } = tree.current;
    if (!parent) return;
    this.#state.settings = { ...settings, opponent: "engine", side: tree.turn(parent) };
    this.#select("play");
    if (await this.#load(tree.line(parent))) this.#state.own.lesson = { at: parent.number, better: note?.better ?? "" };
    this.#page.draw();
  }

  /** Review the game that is over: what is proven, and estimates of the rest. */
  async #review() {
    const { remoteGame } = this.#state;
    if (remoteGame) await this.#analyseShown();
    this.#select("analyse");
    const { own } = this.#state;
    own.review ??= remoteGame ? this.#arenaGame.review : this.#newReview();
    own.current = own.shown.find(({ note }) => note?.isLosing) ?? own.current;
    own.version++;
    this.#state.sweeping = own.shown.every(isKnown) ? null : 0;
    await this.#show();
  }

  /** A review of the game that is shown, and not made yet. */
  #newReview() {
    const { mode, tree, owners } = this.#state;
    const names = /** @type {[string, string]} */ (
      owners.map((owner, index) => owner || this.#state.titleOf(index === 0 ? 1 : 2))
    );
    const nodes = mode === "play" ? QUICK : undefined;
    return new Review(names, { opening: 0, winner: tree.end.facts?.winner ?? undefined, nodes });
  }

  async #arenaGameStarted() {
    this.#state.invited = null;
    this.#page.transfer.close();
    this.#select("play");
    await this.#turnTo();
    scrollTo(0, 0);
    this.#page.focusBoard();
  }

  /** Watch all games of a tournament, or of all. @param {string} name */
  #watch(name) {
    this.#tournament.choose(name);
    return this.#showWall(true, null);
  }

  /** Watch all games at once, or not, and then the one at a table. @param {boolean} isOn @param {string | null} table */
  #showWall(isOn, table) {
    this.#state.hasWall = isOn;
    this.#watchedGame.choose(table);
    return this.#turnTo();
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

  /** @param {string} fen */
  async #edited(fen) {
    const { game, size } = this.#state.tree;
    if (await this.#load({ game, size, fen })) this.#page.editor.close();
    this.#page.editor.say(this.#state.complaint);
  }

  /** @param {string} text */
  async #paste(text) {
    const { transfer } = this.#page;
    try {
      const { at, ...start } = recognise(text, this.#state.tree, this.#state.games.values());
      if (start.table || start.tournament || start.invitation) {
        const { pathname, search } = new URL(text.trim(), location.href);
        history.pushState(null, "", pathname + search);
        transfer.close();
        return this.#open();
      }
      if (!this.#state.games.has(start.game)) throw new RulesError(`“${start.game}” is not played here.`);
      if (this.#state.remoteGame) this.#select("analyse");
      if (await this.#load(start, at)) transfer.close();
    } catch (error) {
      if (!(error instanceof RulesError)) throw error;
      this.#complain(error);
    }
    transfer.say(this.#state.complaint);
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
    if (!this.#isOpened) return this.#page.draw();
    this.#searches.stop();
    state.complaint = "";
    // A game that is over is judged while the user looks at its end.
    if (state.isAfterGame) state.tree.review ??= state.remoteGame ? this.#arenaGame.review : this.#newReview();
    if (state.isWatching) {
      this.#watchedGame.enter(state.games);
      this.#page.drawSoon();
    } else this.#watchedGame.leave();
    this.#attend();
    this.#remember();
    if (!state.isWatching && !state.isHelpBarred) this.#readiness.want(state.tree.game, state.tree.size);
    if (!this.#isOffered || !state.tree.current.facts) this.#page.draw();
    if (this.#isOffered) await this.#attempt(() => this.#searches.start());
  }

  /** Be told of the arena where it is shown. */
  #attend() {
    const { isWatching, isInArena } = this.#state;
    if (!this.#isOffered) return;
    if (isWatching || isInArena) this.#feed.watch();
    this.#session.keepFresh(isInArena && !this.#arenaGame.isPlaying);
  }

  /** Keep the address up to date; another game or panel is another entry of the history. */
  #remember() {
    const { mode, own, settings, remoteGame, isWatching, isWall, tournament, invited } = this.#state;
    const isChosen = !isWall && remoteGame?.table && (!isWatching || this.#watchedGame.isChosen);
    if (isChosen && !remoteGame.tree) return; // it is not told of yet
    const { moves, current } = own;
    const place = isChosen
      ? this.#state.place
      : { mode, game: own.game, size: own.size, fen: own.fen, moves, at: current.number };
    const shown = [mode, isChosen ? remoteGame.tree : own, isWatching ? tournament.name : "", isWall];
    const isNew = this.#shown?.some((part, at) => part !== shown[at]);
    this.#shown = shown;
    const invitation = mode === "play" && !isChosen ? invited : null;
    const address = link.write({ ...place, tournament: isWatching ? tournament.name : null, isWall, invitation });
    history[isNew ? "pushState" : "replaceState"]({ settings }, "", address);
  }

  /** @param {string} move */
  #play(move) {
    const { canMove, remoteGame, tree } = this.#state;
    if (!canMove || !tree.current.facts?.legal.includes(move)) return;
    if (remoteGame) this.#attempt(() => this.#arenaGame.play(move));
    else {
      this.#state.sweeping = null;
      const { at, better } = tree.lesson ?? {};
      const isLesson = tree.current.number === at;
      tree.play(move);
      if (isLesson && move === better) tree.annotate(tree.current, { text: "✓", title: "is the best there is", isLosing: false, better: null });
    }
  }

  #takeBack() {
    const { tree, settings } = this.#state;
    tree.review = this.#state.sweeping = null; // its end is another
    let ply = tree.current;
    if (settings.opponent === "engine" && ply.parent) {
      // Back to the user's own turn.
      const isOwn = tree.turn(ply) === settings.side;
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

/** How a game goes on that nobody chose the settings of. @param {import("./state/state.js").Choice} choice @returns {import("./state/state.js").Settings} */
function settingsOf({ opponent, strength, side }) {
  return { opponent: opponent === "person" ? opponent : "engine", strength, side };
}

/** A word that nobody guesses. */
function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Where the page came from. */
function socketUrl() {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/`;
}

new Controller().start();
