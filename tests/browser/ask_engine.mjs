/** Asks the page's engine what standard input says, as JSON, and prints the answers. */

import { readFile } from "node:fs/promises";

import { Engine } from "../../server/plywire/server/web/engine/engine.js";
import { GAMES } from "../../server/plywire/server/web/engine/layout.js";
import { searchOf, worth } from "../../server/plywire/server/web/engine/levels.js";
import { tables } from "../../server/plywire/server/web/engine/othello.js";
import { iterations } from "../../server/plywire/server/web/engine/search.js";
import { gunzipSync } from "node:zlib";
import { createHash } from "node:crypto";

const FOLDER = new URL("../../server/plywire/server/web/engine/", import.meta.url);

/** @param {string} name */
async function load(name) {
  return new Uint8Array(await readFile(new URL(name, FOLDER))).buffer;
}

const ANSWERS = {
  async count({ line, depth }) {
    const { leaves, finished } = await new Engine(load).count(line, depth);
    return [Number(leaves), Number(finished)];
  },
  async search({ lines, go, hashMb }) {
    // Time limits nothing here, so the searches need no slices.
    const engine = new Engine(load, { hashMb, flag: new Int32Array(1) });
    const found = [];
    for (const line of lines) {
      const answer = await engine.analyse(line, go);
      found.push({ move: answer.move, lines: answer.lines.map(({ depth, score, nodes, pv }) => ({ depth, score, nodes, pv })) });
      engine.clear();
    }
    return found;
  },
  tables() {
    return load(GAMES.get("othello").data.file).then((data) =>
      createHash("sha256").update(tables(new Uint8Array(gunzipSync(Buffer.from(data))))).digest("hex"),
    );
  },
  iterations({ game, empty, deepest, mayRunOut }) {
    return iterations({ layout: GAMES.get(game), empty }, deepest, mayRunOut).map(({ depth, confidence }) => [depth, confidence]);
  },
  level({ game, level, score, moves }) {
    const layout = GAMES.get(game);
    const { limits, multipv } = searchOf(layout, level, moves, {});
    return { limits, multipv, worth: score && worth(score, layout.levels[level - 1].sight) };
  },
};

let text = "";
for await (const chunk of process.stdin) text += chunk;
const answers = [];
for (const { ask, ...question } of JSON.parse(text)) answers.push(await ANSWERS[ask](question));
console.log(JSON.stringify(answers));
