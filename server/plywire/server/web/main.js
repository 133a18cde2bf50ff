/** The page: its parts, each made of those before it. A click calls an action, an action changes the state, and the page draws the state. */

import { AfterGame } from "./actions/after-game.js";
import { NewGame } from "./actions/new-game.js";
import { Opening } from "./actions/opening.js";
import { OwnGame } from "./actions/own-game.js";
import { Screen } from "./actions/screen.js";
import { ArenaFeed } from "./connection/arena-feed.js";
import { ArenaSession } from "./connection/arena-session.js";
import { Connection } from "./connection/connection.js";
import { RemoteEngine } from "./connection/remote-engine.js";
import { ArenaGame } from "./state/arena-game.js";
import { Readiness } from "./state/readiness.js";
import { Searches } from "./state/searches.js";
import { State } from "./state/state.js";
import { WatchedGame } from "./state/watched-game.js";
import { WatchedTournament } from "./state/watched-tournament.js";
import { Page } from "./view/page.js";
import { startShortcuts } from "./view/shortcuts.js";
import { startSounds } from "./view/sounds.js";
import { startTheme } from "./view/theme.js";

const connection = new Connection();
const engine = new RemoteEngine(connection);
const feed = new ArenaFeed(connection);
const session = new ArenaSession();
const state = new State({
  connection,
  readiness: new Readiness(connection),
  feed,
  session,
  arenaGame: new ArenaGame(session, feed),
  watchedGame: new WatchedGame(feed),
  tournament: new WatchedTournament(feed),
});
const screen = new Screen(state, new Searches(state, engine));
const own = new OwnGame(state, screen, engine);
const newGame = new NewGame(state, screen, own);
const afterGame = new AfterGame(state, screen, own, newGame);
const opening = new Opening(state, screen, own, engine);

startTheme();
startShortcuts();
startSounds();
new Page(state, { screen, own, newGame, afterGame, opening });
opening.open();
connection.open();
