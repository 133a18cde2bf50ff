/** The state of the page: everything that is drawn is drawn from it. */

import { GAMES } from "../game/games.js";
import { QUICK, Review } from "../game/review.js";
import { HIGHEST, asked, highest, offered } from "../game/strengths.js";
import { Tree } from "../game/tree.js";
import { USUAL } from "./choice.js";
import { WORDS } from "./engines.js";

/**
 * @import { ArenaFeed } from "../connection/arena-feed.js"
 * @import { ArenaSession } from "../connection/arena-session.js"
 * @import { Connection, Info } from "../connection/connection.js"
 * @import { Go, Line } from "../connection/remote-engine.js"
 * @import { Game } from "../game/games.js"
 * @import { Facts } from "../game/rules/rules.js"
 * @import { ArenaGame } from "./arena-game.js"
 * @import { Choice, Settings } from "./choice.js"
 * @import { Engines } from "./engines.js"
 * @import { Readiness } from "./readiness.js"
 * @import { WatchedGame } from "./watched-game.js"
 * @import { WatchedTournament } from "./watched-tournament.js"
 *
 * @typedef {{isOn: boolean, multipv: number}} Analysis Whether to analyse, and how many lines.
 */

/** @type {Go} */
export const ENDLESS = { limits: { infinite: true } };

/** The panels that the user can choose. */
const MODES = ["play", "analyse", "watch"];

/**
 * Emits `change` when something else is to be shown, `tick` when only clocks or figures changed, and
 * `seated` when the page has turned to a game that begins in the arena.
 */
export class State extends EventTarget {
  /** One of `modes`. */
  mode = "play";
  /** The next game, as the form shows it. @type {Choice} */
  choice = { ...USUAL };
  /** @type {Settings} */
  settings = { opponent: "engine", strength: "", side: 1 };
  /** @type {Analysis} */
  analysis = { isOn: true, multipv: 1 };
  /** All games by name: those that the page knows, then those of the server, too. @type {Map<string, Game>} */
  games = new Map(GAMES.map((game) => [game.name, game]));
  /** The game on the user's own board. */
  own = new Tree({ game: "connect4", size: "7x6" });
  /** The lines that the engine found in the position that is shown, by their first move. @type {Map<string, Info>} */
  infos = new Map();
  /** The move that the hint points at. @type {string | null} */
  hint = null;
  /** The number of the position that is evaluated, null unless the whole game is evaluated. @type {number | null} */
  sweeping = null;
  /** The invitation that the address holds. @type {import("../game/link.js").Invitation | null} */
  invited = null;
  /** Whether the watch panel shows all games side by side. */
  hasWall = false;
  /** Whether all games are known: the server has said which games it offers, or there is none. */
  isOffered = false;
  /** Whether what the address says is shown. */
  isOpened = false;
  /** Why there is no connection. */
  trouble = "";
  /** Why the user's last request failed, until another position is shown. */
  complaint = "";
  /** Whether nobody sees the page. */
  isHidden = false;

  /**
   * @param {{home: string, hasServer: boolean, connection: Connection, readiness: Readiness, engines: Engines, feed: ArenaFeed,
   *   session: ArenaSession, arenaGame: ArenaGame, watchedGame: WatchedGame, tournament: WatchedTournament}} parts The page's
   *   home is the address of its folder.
   */
  constructor({ home, hasServer, connection, readiness, engines, feed, session, arenaGame, watchedGame, tournament }) {
    super();
    this.home = home;
    this.hasServer = hasServer;
    this.isOffered = !hasServer;
    this.trouble = hasServer ? "Connecting…" : "";
    this.connection = connection;
    this.readiness = readiness;
    this.engines = engines;
    this.feed = feed;
    this.session = session;
    this.arenaGame = arenaGame;
    this.watchedGame = watchedGame;
    this.tournament = tournament;
  }

  /** The lines that the engine found, the best first. */
  get lines() {
    return [...this.infos.values()].sort((one, other) => one.multipv - other.multipv);
  }

  /** The game that is shown. */
  get tree() {
    return this.remoteGame?.tree ?? this.own;
  }

  /** The panels that the user can choose; without a server, there is nothing to watch. */
  get modes() {
    return MODES.filter((mode) => this.hasServer || mode !== "watch");
  }

  get isWatching() {
    return this.mode === "watch";
  }

  /** Whether all games are shown side by side. */
  get isWall() {
    return this.isWatching && this.hasWall;
  }

  /** The game of the arena that is shown, null if it is the user's own. */
  get remoteGame() {
    if (this.isWatching) return this.watchedGame;
    return this.mode === "play" && this.arenaGame.tree ? this.arenaGame : null;
  }

  /** Whether the user looks for a game in the arena, or has one. */
  get isInArena() {
    return this.mode === "play" && (["arena", "friend"].includes(this.choice.opponent) || !!this.arenaGame.tree);
  }

  get isAgainstEngine() {
    return this.mode === "play" && !this.remoteGame && !this.isMeeting && this.settings.opponent === "engine";
  }

  /** Whether the page shows an invitation: the user waits for a friend, or a friend waits. */
  get isMeeting() {
    const isWanted = this.mode === "play" && !this.remoteGame && this.choice.opponent === "friend";
    return isWanted && (!!this.invited || !!this.session.invitation);
  }

  /** Whether the user waits for the engine to move. */
  get isWaiting() {
    const { current } = this.tree;
    const isOwn = this.tree.turn(current) === this.settings.side;
    return this.isAgainstEngine && !isOwn && current.children.length === 0;
  }

  /** Whether the engine may not help, as the user plays somebody else. */
  get isHelpBarred() {
    return this.arenaGame.isPlaying;
  }

  /** The line that leads to the position that is shown, and what an engine is asked there. @returns {[Line, Go]} */
  get question() {
    const go = this.isAgainstEngine ? asked(this.settings.strength) : ENDLESS;
    return [this.tree.line(this.tree.current), go];
  }

  /** Who answers it. */
  get speaker() {
    return this.engines.speaker(...this.question);
  }

  /** The strengths of the engine that would play the next game. */
  get strengths() {
    const { game, size } = this.choice;
    return offered(this.engines.speaker({ game, size, fen: null, moves: [] }, {}) === "plain");
  }

  /** Whether somebody answers now. */
  get isAnswered() {
    return this.isOffered || this.speaker !== "server";
  }

  /** Whether what is shown waits for a connection. */
  get isCut() {
    const isRemote = !!this.remoteGame || this.isMeeting || this.speaker === "server";
    return !!this.trouble && !this.connection.isOpen && isRemote;
  }

  /** Whether the server's engine is still prepared for the game that is shown, and no other answers; it is not asked before. */
  get isPreparing() {
    const { game, size } = this.tree;
    const isAsked = !this.isWatching && !this.isHelpBarred && this.speaker === "server";
    return isAsked && this.readiness.isPreparing(game, size);
  }

  /** The progress of this preparation in words. */
  get preparation() {
    return this.isPreparing ? this.readiness.text(this.tree.game, this.tree.size) : "";
  }

  /** Whether the user may move in the position that is shown. */
  get canMove() {
    if (!this.tree.current.facts || this.isMeeting) return false;
    return this.remoteGame ? this.remoteGame.mayMove : !this.isWaiting;
  }

  /** The place of the position that is shown. @returns {import("../game/link.js").Place} */
  get place() {
    const { mode, remoteGame, tree } = this;
    const { game, size, fen, moves, current } = tree;
    return { mode, game, size, fen, moves, at: current.number, table: remoteGame?.table };
  }

  /** The names of the players, `you` and `engine` included; empty where nobody is known. @returns {[string, string]} */
  get owners() {
    if (this.remoteGame) return this.remoteGame.owners;
    if (this.isMeeting) return ["", ""];
    if (!this.isAgainstEngine) return this.tree.review?.players ?? ["", ""];
    return this.settings.side === 1 ? ["you", "engine"] : ["engine", "you"];
  }

  /** The players as the plates have them: where the engine runs is said, too. @returns {[string, string]} */
  get plates() {
    const said = this.speaker === "plain" ? "simple engine in your browser" : `engine ${WORDS[this.speaker]}`;
    const [one, two] = this.owners;
    if (!this.isAgainstEngine) return [one, two];
    return one === "engine" ? [said, two] : [one, said];
  }

  /** The players' own names, else what the game calls them. @returns {[string, string]} */
  get names() {
    const [one, two] = this.owners;
    return [one || this.titleOf(1), two || this.titleOf(2)];
  }

  /** What the game calls a player. @param {1 | 2} player */
  titleOf(player) {
    return this.games.get(this.tree.game)?.players[player - 1] ?? "";
  }

  /** Who won, and how; `You won` or `You lost` if the user played. @param {Facts} facts @returns {[string, string]} */
  ending({ winner, reason, score }) {
    if (winner === null) return ["A draw", reason];
    const own = (this.tree.review?.players ?? this.owners).indexOf("you") + 1;
    const how = !own ? `${this.titleOf(winner)} wins` : own === winner ? "You won" : "You lost";
    const by = this.tree.game === "othello" ? ` by ${Math.abs(score)} discs` : "";
    return [how + by, reason];
  }

  /** The end of a game as a sentence. @param {Facts} facts */
  outcome(facts) {
    return `${this.ending(facts).join(": ")}.`;
  }

  /** How the game that is shown ended, null if it goes on. */
  get end() {
    if (this.remoteGame) return this.remoteGame.ending;
    const { facts } = this.tree.shown[this.tree.shown.length - 1];
    return facts?.over ? this.ending(facts) : null;
  }

  /** Whether the user's game is over, on the user's board or in the arena. */
  get isAfterGame() {
    return this.mode === "play" && this.end !== null;
  }

  /** Whether the game that is shown can be reviewed. */
  get mayReview() {
    const isAnalysed = this.mode === "analyse" && !!this.own.end.facts?.over && !this.own.review;
    return (this.isAfterGame || isAnalysed) && !this.isHelpBarred;
  }

  /** A review of the game that is shown; null if there is nothing to review. */
  newReview() {
    if (this.remoteGame) return this.arenaGame.review;
    const nodes = this.mode === "play" ? QUICK : undefined;
    return new Review(this.names, { opening: 0, winner: this.tree.end.facts?.winner ?? undefined, nodes });
  }

  /** The review that the engine is to make now; null if there is none, or if the engine has to move first. */
  get dueReview() {
    const { review, current } = this.tree;
    const isEngineAsked = this.isHelpBarred || (this.isWaiting && !current.facts?.over);
    return review && !review.isDone && !isEngineAsked ? review : null;
  }

  /** The next opponent: the next strength, or the next bot in the arena. */
  get nextOpponent() {
    if (!this.isAfterGame) return null;
    if (this.remoteGame) {
      const { opponent } = this.arenaGame;
      const others = this.session.bots.filter((name) => name !== opponent).sort();
      const next = others.find((name) => name > opponent) ?? others[0];
      return next ? { value: next, title: next } : null;
    }
    const strengths = offered(this.speaker === "plain");
    const at = strengths.findIndex(([value]) => value === this.settings.strength);
    const [value, title] = strengths[at + 1] ?? [];
    if (!this.isAgainstEngine || at < 0 || !value || !title || this.settings.strength === HIGHEST) return null;
    return { value, title: value === HIGHEST ? highest(this.tree.game) : title };
  }
}
