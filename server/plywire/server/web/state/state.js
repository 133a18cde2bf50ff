/** What the page shows, and of whom it is: all that is drawn is drawn from this. */

import { GAMES } from "../game/games.js";
import { QUICK, Review } from "../game/review.js";
import { HIGHEST, STRENGTHS, highest } from "../game/strengths.js";
import { Tree } from "../game/tree.js";
import { USUAL } from "./choice.js";

/**
 * @import { ArenaFeed } from "../connection/arena-feed.js"
 * @import { ArenaSession } from "../connection/arena-session.js"
 * @import { Connection, Info } from "../connection/connection.js"
 * @import { Game } from "../game/games.js"
 * @import { Facts } from "../game/rules/rules.js"
 * @import { ArenaGame } from "./arena-game.js"
 * @import { Choice, Settings } from "./choice.js"
 * @import { WatchedGame } from "./watched-game.js"
 *
 * @typedef {{isOn: boolean, multipv: number}} Analysis Whether to analyse, and how many lines.
 */

/** What the user may turn to. */
export const MODES = ["play", "analyse", "watch"];

/**
 * Emits `change` when something else is to be shown, `tick` when only clocks or figures changed, and
 * `seated` when the page has turned to a game that begins in the arena.
 */
export class State extends EventTarget {
  /** One of MODES. */
  mode = "play";
  /** What the form says. @type {Choice} */
  choice = { ...USUAL };
  /** @type {Settings} */
  settings = { opponent: "engine", strength: "", side: 1 };
  /** @type {Analysis} */
  analysis = { isOn: true, multipv: 1 };
  /** The games that there are: at first those that the page knows. @type {Map<string, Game>} */
  games = new Map(GAMES.map((game) => [game.name, game]));
  /** The user's own game. */
  own = new Tree({ game: "connect4", size: "7x6" });
  /** What was found about the position that is shown, by move. @type {Map<string, Info>} */
  infos = new Map();
  /** The move to point at. @type {string | null} */
  hint = null;
  /** The position to evaluate next where the whole game is to be, else null. @type {number | null} */
  sweeping = null;
  /** What the address invites to. @type {import("../game/link.js").Invitation | null} */
  invited = null;
  /** Whether all games are watched at once, when the user watches. */
  hasWall = false;
  /** Whether the server has said which games it offers. */
  isOffered = false;
  /** Whether what the address says is shown. */
  isOpened = false;
  /** How the connection is, if there is none. */
  trouble = "Connecting…";
  /** What was wrong with the last thing the user asked for; stays until something changes. */
  complaint = "";

  /**
   * @param {object} parts
   * @param {Connection} parts.connection
   * @param {import("./readiness.js").Readiness} parts.readiness
   * @param {ArenaFeed} parts.feed
   * @param {ArenaSession} parts.session
   * @param {ArenaGame} parts.arenaGame
   * @param {WatchedGame} parts.watchedGame
   * @param {import("./watched-tournament.js").WatchedTournament} parts.tournament
   */
  constructor({ connection, readiness, feed, session, arenaGame, watchedGame, tournament }) {
    super();
    this.connection = connection;
    this.readiness = readiness;
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

  get isWatching() {
    return this.mode === "watch";
  }

  /** Whether all games are shown at once, and none for itself. */
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

  /** Whether the game that is shown is played against the engine. */
  get isAgainstEngine() {
    return this.mode === "play" && !this.remoteGame && !this.isMeeting && this.settings.opponent === "engine";
  }

  /** Whether the user is to play a friend whom they wait for, or who waits. */
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

  /** Whether the engine keeps quiet, as the user plays somebody else. */
  get isHelpBarred() {
    return this.arenaGame.isPlaying;
  }

  /** Whether the engine is being prepared for the game that is shown, so that it is not asked yet. */
  get isPreparing() {
    return !this.isWatching && !this.isHelpBarred && this.readiness.isPreparing(this.tree.game, this.tree.size);
  }

  /** How far that has come, in words. */
  get preparation() {
    return this.isPreparing ? this.readiness.text(this.tree.game, this.tree.size) : "";
  }

  /** Whether the user may move in the position that is shown. */
  get canMove() {
    if (!this.tree.current.facts || this.isMeeting) return false;
    return this.remoteGame ? this.remoteGame.mayMove : !this.isWaiting;
  }

  /** Where that is which is shown. @returns {import("../game/link.js").Place} */
  get place() {
    const { mode, remoteGame, tree } = this;
    const { game, size, fen, moves, current } = tree;
    return { mode, game, size, fen, moves, at: current.number, table: remoteGame?.table };
  }

  /** Who plays which side. @returns {[string, string]} */
  get owners() {
    if (this.remoteGame) return this.remoteGame.owners;
    if (this.isMeeting) return ["", ""];
    if (!this.isAgainstEngine) return this.tree.review?.players ?? ["", ""];
    return this.settings.side === 1 ? ["you", "engine"] : ["engine", "you"];
  }

  /** The players as they are called: by their own names, else as the game calls them. @returns {[string, string]} */
  get names() {
    const [one, two] = this.owners;
    return [one || this.titleOf(1), two || this.titleOf(2)];
  }

  /** What a player is called. @param {1 | 2} player */
  titleOf(player) {
    return this.games.get(this.tree.game)?.players[player - 1] ?? "";
  }

  /** Who won, where the user played one side as seen from there, and how. @param {Facts} facts @returns {[string, string]} */
  ending({ winner, reason, score }) {
    if (winner === null) return ["A draw", reason];
    const own = (this.tree.review?.players ?? this.owners).indexOf("you") + 1;
    const how = !own ? `${this.titleOf(winner)} wins` : own === winner ? "You won" : "You lost";
    const by = this.tree.game === "othello" ? ` by ${Math.abs(score)} discs` : "";
    return [how + by, reason];
  }

  /** The same in a sentence. @param {Facts} facts */
  outcome(facts) {
    return `${this.ending(facts).join(": ")}.`;
  }

  /** How the game that is shown ended, null if it goes on. */
  get end() {
    if (this.remoteGame) return this.remoteGame.ending;
    const { facts } = this.tree.shown[this.tree.shown.length - 1];
    return facts?.over ? this.ending(facts) : null;
  }

  /** Whether the user's own game, or the one at a table, is over. */
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

  /** The review that is to be made, null if none is, or the engine has to move first. */
  get dueReview() {
    const { review, current } = this.tree;
    const isEngineAsked = this.isHelpBarred || (this.isWaiting && !current.facts?.over);
    return review && !review.isDone && !isEngineAsked ? review : null;
  }

  /** Whom to play next: the next of STRENGTHS, or the next in the arena; null if there is nobody. */
  get nextOpponent() {
    if (!this.isAfterGame) return null;
    if (this.remoteGame) {
      const { opponent } = this.arenaGame;
      const others = this.session.bots.filter((name) => name !== opponent).sort();
      const next = others.find((name) => name > opponent) ?? others[0];
      return next ? { value: next, title: next } : null;
    }
    const at = STRENGTHS.findIndex(([value]) => value === this.settings.strength);
    const [value, title] = STRENGTHS[at + 1] ?? [];
    if (!this.isAgainstEngine || !value || !title || this.settings.strength === HIGHEST) return null;
    return { value, title: value === HIGHEST ? highest(this.tree.game) : title };
  }
}
