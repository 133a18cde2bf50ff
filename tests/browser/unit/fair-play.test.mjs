import assert from "node:assert/strict";
import { test } from "node:test";

import { FairPlay, QuietError } from "../../../server/plywire/server/web/state/fair-play.js";

test("the engine is quiet in all tabs until the last game is over", async () => {
  const [one, two, third] = [new FairPlay(), new FairPlay(), new FairPlay()];
  one.isPlaying = two.isPlaying = true;
  await assert.rejects(third.check(), QuietError);
  let isOver = false;
  const over = third.over().then(() => (isOver = true));
  one.isPlaying = false;
  await assert.rejects(third.check(), QuietError);
  assert.equal(isOver, false);
  two.isPlaying = false;
  await over;
  await third.check();
});
