// A bot for a server's arena, in JavaScript without a library: it plays at random.
//
//     node arena_bot.mjs ws://127.0.0.1:7591 NAME TOKEN [GAMES]
//     node arena_bot.mjs ws://127.0.0.1:7591 NAME TOKEN --join TOURNAMENT
//
// Node 22 or newer; Node 20 as `node --experimental-websocket arena_bot.mjs …`.
// It knows no rules: the server tells it which moves are legal.

const [url, name, token, games = "1", tournament] = process.argv.slice(2);
const isAsked = games === "--join" ? tournament : Number(games) > 0;
if (!/^wss?:/.test(url) || !token || !isAsked) {
  fail("expected ws://ADDRESS NAME TOKEN [GAMES] or ws://ADDRESS NAME TOKEN --join TOURNAMENT");
}
if (typeof WebSocket === "undefined") {
  fail("Node 22 or newer has WebSocket; start Node 20 with --experimental-websocket");
}
const waiting = new Map();
const tables = new Map();
let socket;
let left = Number(games);
let number = 0;
let pause = 0; // seconds until it connects again, once it has been let in
let isDone = false;

function fail(reason) {
  console.error(reason);
  process.exit(1);
}

// Ask a command; all that answers it comes back by type: {legal: {…}, ok: {…}}.
function ask(type, fields = {}) {
  socket.send(JSON.stringify({ type, id: ++number, ...fields }));
  return new Promise((resolve) => waiting.set(number, { resolve, heard: {} }));
}

// Ask what the bot cannot do without.
async function must(type, fields) {
  const heard = await ask(type, fields);
  if (heard.error) fail(heard.error.message);
  return heard;
}

// Ask what may come too late, as a move does when the game has just ended.
async function may(type, fields) {
  const { error } = await ask(type, fields);
  if (error) console.error(error.message);
}

function quit() {
  isDone = true;
  ask("quit").then(() => process.exit());
}

const begin = () =>
  tournament
    ? must("join", { tournament })
    : must("seek", { game: "connect4", limits: { movetime: 1000 } });

// What comes unasked.
const notices = {
  probe: ({ number }) => ask("echo", { number }),
  start: ({ table, game, size, player, opponent }) => {
    tables.set(table, player === 1 ? [name, opponent] : [opponent, name]);
    ask("new-game", { game, size });
  },
  turn: async ({ table, turn, fen, moves }) => {
    ask("position", { fen, moves });
    const { legal } = await ask("legal");
    const move = legal.moves[Math.floor(Math.random() * legal.moves.length)];
    may("play", { table, turn, move });
  },
  over: ({ table, winner, reason }) => {
    console.log(`${winner ? tables.get(table)[winner - 1] : "nobody"} won: ${reason}`);
    if (tournament) return; // the next game comes by itself
    left -= 1;
    if (left > 0) begin();
    else quit();
  },
  progress: ({ state, name }) => {
    if (state === "over" && name.toLowerCase() === tournament?.toLowerCase()) quit();
  },
  bye: ({ reason }) => (pause ? console.error(reason) : fail(reason)),
  replaced: () => fail(`another connection has logged in as ${name}`),
};

function hear({ data }) {
  const event = JSON.parse(data);
  const asked = waiting.get(event.id);
  if (asked === undefined) return notices[event.type]?.(event);
  asked.heard[event.type] = event;
  if (["ok", "welcome", "offered", "bye", "error"].includes(event.type)) {
    waiting.delete(event.id);
    asked.resolve(asked.heard);
  }
}

// Log in, also in the middle of a game: it goes on by `start` and `turn`, its clock running.
async function enter() {
  const { welcome } = await must("login", { name, token });
  pause = 1;
  if (tournament || !welcome.tables) begin();
}

function connect() {
  socket = new WebSocket(url);
  socket.onmessage = hear;
  socket.onopen = enter;
  socket.onerror = () => pause || fail(`no server answers over WebSocket at ${url}`);
  socket.onclose = () => {
    if (isDone) process.exit();
    if (!pause) fail("the connection is lost");
    waiting.clear();
    console.error(`the connection is lost: trying again in ${pause} s`);
    setTimeout(connect, 1000 * pause);
    pause = Math.min(2 * pause, 60);
  };
}
connect();
