// A bot for a server's arena, in JavaScript without a library: it plays at random.
//
//     node arena_bot.mjs ws://127.0.0.1:7591 NAME TOKEN [GAMES]
//
// Node 22 or newer. It knows no rules: the server tells it which moves are legal.

const [url, name, token, games = "1"] = process.argv.slice(2);
const socket = new WebSocket(url);
const waiting = new Map();
let left = Number(games);
let number = 0;

// Ask a command; all that answers it comes back by type: {legal: {…}, ok: {…}}.
function ask(type, fields = {}) {
  socket.send(JSON.stringify({ type, id: ++number, ...fields }));
  return new Promise((resolve) => waiting.set(number, { resolve, heard: {} }));
}

// What comes unasked.
const notices = {
  probe: ({ number }) => ask("echo", { number }),
  start: ({ game, size }) => ask("new-game", { game, size }),
  turn: async ({ table, turn, fen, moves }) => {
    ask("position", { fen, moves });
    const { legal } = await ask("legal");
    const move = legal.moves[Math.floor(Math.random() * legal.moves.length)];
    ask("play", { table, turn, move });
  },
  over: ({ reason }) => {
    console.log(reason);
    left -= 1;
    if (left > 0) seek();
    else ask("quit");
  },
};

const seek = () => ask("seek", { game: "connect4", limits: { movetime: 1000 } });

socket.onmessage = ({ data }) => {
  const event = JSON.parse(data);
  if (event.type === "error") throw new Error(event.message);
  const asked = waiting.get(event.id);
  if (asked === undefined) return notices[event.type]?.(event);
  asked.heard[event.type] = event;
  if (["ok", "welcome", "offered", "bye"].includes(event.type)) {
    waiting.delete(event.id);
    asked.resolve(asked.heard);
  }
};
socket.onopen = async () => {
  await ask("login", { name, token });
  seek();
};
socket.onerror = () => console.error(`no server answers at ${url}`);
