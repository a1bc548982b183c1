/** Short synthesized sounds; silent until the player has touched the page, and if turned off. */
import { theAccount } from "../api/account.js";

/** @type {AudioContext | null} */
let audio = null;
// An audio context takes processor time and battery while it is open, even in silence.
addEventListener("pointerdown", () => {
  if (theAccount().sounds !== false) audio ??= new AudioContext();
});

/** Type of event -> notes as [Hz, start s, length s]. @type {Record<string, [number, number, number][]>} */
const NOTES = {
  played: [[220, 0, 0.05]],
  declared: [
    [440, 0, 0.1],
    [660, 0.09, 0.14],
  ],
  friend_joined: [
    [523, 0, 0.1],
    [659, 0.1, 0.1],
    [784, 0.2, 0.18],
  ],
  throw_failed: [
    [196, 0, 0.15],
    [147, 0.14, 0.25],
  ],
  trick_won: [[330, 0, 0.07]],
  round_scored: [
    [392, 0, 0.15],
    [523, 0.15, 0.3],
  ],
  turn: [
    [587, 0, 0.09],
    [784, 0.08, 0.12],
  ],
};

/**
 * Play the sound of an event for this viewer.
 * @param {import("../types").Event} event
 * @param {import("../types").View | null} view
 */
export function soundOf(event, view) {
  const mine =
    event.type === "decision_opened" &&
    view?.my &&
    event.data.seats.includes(view.my.seat) &&
    event.data.kind !== "ready";
  const notes = NOTES[mine ? "turn" : event.type];
  // On a hidden page, only the viewer's turn makes a sound.
  if (!notes || !audio || theAccount().sounds === false || (!mine && document.visibilityState !== "visible")) return;
  for (const [pitch, from, length] of notes) {
    const start = audio.currentTime + from;
    const tone = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
    const loudness = new GainNode(audio, { gain: 0 });
    loudness.gain.linearRampToValueAtTime(0.12, start + 0.01);
    loudness.gain.exponentialRampToValueAtTime(0.0001, start + length);
    tone.connect(loudness).connect(audio.destination);
    tone.start(start);
    tone.stop(start + length);
  }
}
