/** The worker that runs the engine: its messages are in `client.js`. */

import { RulesError } from "../game/rules/rules.js";
import { Engine } from "./engine.js";
import { UnavailableError } from "./unavailable.js";

/** @import { Question, Reply } from "./client.js" */

/** @type {Engine | null} */
let engine = null;

/** Milliseconds between two signs of life. */
const BEAT = 500;
let lastBeat = 0;

/** Say that the engine works: files come in, or a search runs. */
function live() {
  const now = performance.now();
  if (now - lastBeat < BEAT) return;
  lastBeat = now;
  say({ type: "alive" });
}

/** Load one of the files next to this one. @param {string} name */
async function load(name) {
  try {
    const response = await fetch(new URL(name, import.meta.url));
    if (response.ok && response.body) return await new Response(response.body.pipeThrough(pulse())).arrayBuffer();
  } catch {
    // the sentence is the same
  }
  throw new UnavailableError("A file of the page's engine could not be loaded.");
}

/** A sign of life with each part of a file. @returns {TransformStream<Uint8Array, Uint8Array>} */
function pulse() {
  return new TransformStream({
    transform(part, controller) {
      live();
      controller.enqueue(part);
    },
  });
}

/** @param {Reply} reply */
function say(reply) {
  postMessage(reply);
}

/** @param {MessageEvent<Question>} event */
async function receive({ data: question }) {
  if (question.type === "options") {
    engine = new Engine(load, { ...question.options, onLife: live });
    return;
  }
  const { number } = question;
  if (question.type === "stop") return engine?.stop(number);
  try {
    const answer = await engine?.analyse(question.line, question.go, (info) => say({ type: "info", number, info }), number);
    if (answer) say({ type: "answer", number, answer });
  } catch (error) {
    const isKnown = error instanceof UnavailableError || error instanceof RulesError;
    say({ type: "failure", number, message: isKnown ? error.message : "The page's engine broke down." });
  }
}

addEventListener("message", receive);
