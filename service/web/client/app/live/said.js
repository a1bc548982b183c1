/** What a player has said: a text, a phrase that everybody reads in their own language, or a face. */
import { html } from "../../vendor/preact-htm.js";
import { theAccount } from "../api/account.js";
import { both, INK, o } from "../people/aiplayer.js";
import { named, t } from "../texts/texts.js";

/** Phrases, by their codes. */
export const PHRASES = ["hello", "good_luck", "well_played", "sorry", "thanks", "hurry", "one_moment", "good_game"];

const EYES = both((side) => o(20 + 6 * side, 16.5, 2.1));
const SMILING = "M11.2 23.4q8.8 8.4 17.6 0l1.3 1.2q-10.1 10.6-20.2 0z";
const FROWNING = "M12.6 29.4q7.4-6.8 14.8 0l1.3-1.2q-8.7-9-17.4 0z";
/** Faces, by their codes: colours and paths over the head. @type {Record<string, [string, string][]>} */
const DRAWN = {
  smile: [[INK, EYES + SMILING]],
  laugh: [
    [INK, "M9.5 17.5q4.3-6.5 8.6 0l-1.6 1q-2.7-3.7-5.4 0zM21.9 17.5q4.3-6.5 8.6 0l-1.6 1q-2.7-3.7-5.4 0z"],
    [INK, "M10.5 22h19q-1 10.5-9.5 10.5T10.5 22z"],
    ["#ff6b6b", "M14.3 29.4q5.7-3.6 11.4 0-2.2 3.1-5.7 3.1t-5.7-3.1z"],
  ],
  wink: [[INK, `${o(14, 16.5, 2.1)}M22.3 16q4-1.6 8 0v1.9q-4-1.4-8 0z${SMILING}`]],
  surprised: [
    [INK, both((side) => o(20 + 6 * side, 17, 2.4, 3)) + both((side) => o(20 + 6 * side, 9.8, 3.2, 0.9))],
    [INK, o(20, 27.8, 3.6, 4.8)],
  ],
  sad: [
    [INK, EYES + FROWNING],
    ["#3d8fd6", "M27.6 19.5q3.2 4.4 0 6.2-3.2-1.8 0-6.2z"],
  ],
  cross: [[INK, `M8.8 10.4l8.6 3.7-.8 1.9L8 12.3zM31.2 10.4l-8.6 3.7.8 1.9 8.6-3.7z${EYES}${FROWNING}`]],
};
/** Faces that may be sent, by their codes. */
export const EXPRESSIONS = Object.keys(DRAWN);

/** @param {{ name: string }} props */
export const Expression = ({ name }) => html`
  <svg class="expression" viewBox="0 0 40 40" role="img" aria-label=${named("preset", name)}>
    <path d=${o(20, 20, 17.5)} fill="#ffd04a" />
    ${DRAWN[name].map(
      ([fill, d]) => html`
        <path d=${d} fill=${fill} />
      `,
    )}
  </svg>
`;

/** @typedef {Pick<import("./session.js").Message, "text" | "preset">} Words */

/** What was said, as text. @param {Words} message */
export const saidText = ({ preset, text }) => (preset ? named("preset", preset) : (text ?? ""));

/** What was said, as it is shown. @param {Words} message */
export const saidWords = (message) =>
  message.preset && EXPRESSIONS.includes(message.preset)
    ? html`
        <${Expression} name=${message.preset} />
      `
    : saidText(message);

/**
 * The line that is read out about an event; empty: it is no message, one's own, or one that the viewer may not read.
 * @param {import("../types").Event} event
 */
export function heardIn({ type, data }) {
  if (type !== "chat" || data.player === theAccount().player) return "";
  const words = saidText(data);
  return words && `${data.name}${t("colon")}${words}`;
}
