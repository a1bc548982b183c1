/** Chinese in Traditional characters, made of the Simplified texts; loaded where somebody reads that. */
import { writeTraditional } from "./texts.js";
import { CHARACTERS, PHRASES } from "./traditionaltable.js";

/** @type {Map<string, string>} */
const KNOWN = new Map();
for (let at = 0; at < CHARACTERS.length; at += 2) KNOWN.set(CHARACTERS[at], CHARACTERS[at + 1]);
const words = PHRASES.split(" ");
for (let at = 0; at < words.length; at += 2) KNOWN.set(words[at], words[at + 1]);

/** At each place, the longest phrase counts. */
const PARTS = new RegExp([...KNOWN.keys()].sort((one, other) => other.length - one.length).join("|"), "g");

/** Text -> the same in Traditional characters. @type {Map<string, string>} */
const made = new Map();

writeTraditional((text) => {
  const known = made.get(text) ?? text.replace(PARTS, (part) => KNOWN.get(part) ?? part);
  made.set(text, known);
  return known;
});
