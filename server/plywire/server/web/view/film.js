
import { toGif } from "../game/gif.js";
import { boardOf } from "./boards/boards.js";
import { html } from "./dom.js";
import { draw, toSvg } from "./picture.js";

/** @import { Tree } from "../game/tree.js" */

/** Width in pixels; time of each position, and of the last one, in hundredths of a second. */
const WIDTH = 480;
const STEP = 80;
const LAST = 300;

/** The line that is shown as a moving picture. @param {Tree} tree @param {import("../game/games.js").Game} game */
export async function film(tree, game) {
  const host = html("div", { class: "board" });
  const studio = html("div", { hidden: true }, host); // hidden elements are not animated
  document.body.append(studio);
  try {
    const board = boardOf(game, tree.size, host);
    const frames = [];
    let [width, height] = [0, 0];
    for (const { facts, move, parent } of tree.shown) {
      if (!facts) continue;
      board.render({ facts, last: parent && move, before: parent?.facts?.fen ?? null });
      const drawing = /** @type {SVGSVGElement} */ (host.querySelector("svg"));
      const context = await draw(toSvg(drawing, WIDTH));
      ({ width, height } = context.canvas);
      frames.push({ pixels: new Uint32Array(context.getImageData(0, 0, width, height).data.buffer), delay: STEP });
    }
    frames[frames.length - 1].delay = LAST;
    return toGif(width, height, frames);
  } finally {
    studio.remove();
  }
}
