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
import { LocalEngine } from "./engine/client.js";
import { on } from "./events.js";
import { ArenaGame } from "./state/arena-game.js";
import { Engines } from "./state/engines.js";
import { FairPlay } from "./state/fair-play.js";
import { Readiness } from "./state/readiness.js";
import { Searches } from "./state/searches.js";
import { State } from "./state/state.js";
import { WatchedGame } from "./state/watched-game.js";
import { WatchedTournament } from "./state/watched-tournament.js";
import { Page } from "./view/page.js";
import { startShortcuts } from "./view/shortcuts.js";
import { startSounds } from "./view/sounds.js";
import { startTheme } from "./view/theme.js";

/** The page's home: a static site can be in any folder. */
const home = new URL(".", import.meta.url).href;
const hasServer = document.documentElement.dataset.server === "here";
const connection = new Connection();
const readiness = new Readiness(connection);
const fairPlay = new FairPlay();
const engines = new Engines({
  local: new LocalEngine(trusted(`${home}engine/worker.js`)),
  remote: new RemoteEngine(connection),
  ...{ connection, readiness, fairPlay, hasServer },
});
const feed = new ArenaFeed(connection);
const session = new ArenaSession();
const arenaGame = new ArenaGame(session, feed);
const state = new State({
  ...{ home, hasServer, connection, readiness, engines, feed, session, arenaGame },
  watchedGame: new WatchedGame(feed),
  tournament: new WatchedTournament(feed),
});
for (const type of ["start", "change"]) on(arenaGame, type, () => (fairPlay.isPlaying = arenaGame.isPlaying));
const screen = new Screen(state, new Searches(state, engines));
const own = new OwnGame(state, screen, engines);
const newGame = new NewGame(state, screen, own);
const afterGame = new AfterGame(state, screen, own, newGame);
const opening = new Opening(state, screen, own, engines);

startTheme();
startShortcuts();
startSounds();
new Page(state, { screen, own, newGame, afterGame, opening });
opening.open();
if (hasServer) connection.open();

/** An address of a script, as the page's policy wants it where the browser knows such policies. @param {string} url */
function trusted(url) {
  const { trustedTypes } = /** @type {any} */ (globalThis);
  return trustedTypes ? trustedTypes.createPolicy("plywire-engine", { createScriptURL: () => url }).createScriptURL("") : url;
}
