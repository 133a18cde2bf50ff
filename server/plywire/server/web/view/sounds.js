/** The sound of a move, if the user wants it. */

import { byId, keptCheckbox } from "./dom.js";

/** A stone on wood: pitch in Hz, length in s, loudness. */
const KNOCK = { pitch: 320, length: 0.07, gain: 0.25 };

/** @type {AudioContext | null} */
let audio = null;

export function startSounds() {
  keptCheckbox("sounds-on", "plywire.sounds", "off").addEventListener("change", knock);
}

/** Play the sound of a move. */
export function knock() {
  if (!byId("sounds-on", HTMLInputElement).checked) return;
  audio ??= new AudioContext();
  const { currentTime: now } = audio;
  const [tone, loudness] = [audio.createOscillator(), audio.createGain()];
  tone.frequency.setValueAtTime(KNOCK.pitch, now);
  tone.frequency.exponentialRampToValueAtTime(KNOCK.pitch / 3, now + KNOCK.length);
  loudness.gain.setValueAtTime(KNOCK.gain, now);
  loudness.gain.exponentialRampToValueAtTime(0.001, now + KNOCK.length);
  tone.connect(loudness).connect(audio.destination);
  tone.start(now);
  tone.stop(now + KNOCK.length);
}
