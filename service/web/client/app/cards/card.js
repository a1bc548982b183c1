/** Card faces, drawn as SVG with indices large enough for a phone. */
import { html } from "../../vendor/preact-htm.js";
import { isJoker, rankOf, shownRank, suitOf } from "./cards.js";
import { listed, spoken } from "../texts/texts.js";

/** Suit -> its sign, in a box of 20 by 20. */
const PATHS = /** @type {Record<string, string>} */ ({
  S: "M10 .8C7.4 5.6 1 8.2 1 13.1a4.3 4.3 0 0 0 7.5 2.8c-.2 1.9-1 3-2.5 3.5h8c-1.5-.5-2.3-1.6-2.5-3.5A4.3 4.3 0 0 0 19 13.1C19 8.2 12.6 5.6 10 .8z",
  H: "M10 19C4 13.6 1 10.6 1 6.6A4.7 4.7 0 0 1 10 4.5a4.7 4.7 0 0 1 9 2.1C19 10.6 16 13.6 10 19z",
  C: "M10 .8a4.3 4.3 0 0 1 3.7 6.6 4.3 4.3 0 1 1-2.5 7.6c.2 2.3 1 3.8 2.8 4.4H6c1.8-.6 2.6-2.1 2.8-4.4a4.3 4.3 0 1 1-2.5-7.6A4.3 4.3 0 0 1 10 .8z",
  D: "M10 .6 17.4 10 10 19.4 2.6 10z",
});
const CROWN = "M2 15 0 4l5.2 4L10 1l4.8 7L20 4l-2 11z";
const STAR = "M10 .5l2.7 6.1 6.6.6-5 4.4 1.5 6.5L10 14.7l-5.8 3.4 1.5-6.5-5-4.4 6.6-.6z";

/** The sign of a suit, in its colour. @param {{ suit: string }} props */
export const Suit = ({ suit }) => html`
  <svg class=${`suit suit-${suit}`} viewBox="0 0 20 20" aria-hidden="true"><path d=${PATHS[suit]} /></svg>
`;

/** The face of a card. @param {{ card: string }} props */
export function Face({ card }) {
  const inside = isJoker(card) ? joker(card) : plain(rankOf(card), suitOf(card));
  return html`
    <svg class=${`face ${isJoker(card) ? card : `suit-${suitOf(card)}`}`} viewBox="0 0 60 84" aria-hidden="true">
      <rect class="paper" x=".5" y=".5" width="59" height="83" rx="6" />
      ${inside}
    </svg>
  `;
}

/** @param {string} rank @param {string} suit */
function plain(rank, suit) {
  const court = "JQK".includes(rank);
  const middle = court
    ? html`
        <rect class="frame" x="25" y="14" width="28" height="58" rx="3" />
        <path transform="translate(31 22) scale(.8)" d=${CROWN} />
        <text class="court" x="39" y="62" text-anchor="middle">${rank}</text>
      `
    : html`
        <path transform="translate(26 44) scale(1.5)" d=${PATHS[suit]} />
      `;
  return html`
    <text class=${rank === "T" ? "index ten" : "index"} x="12.5" y="23" text-anchor="middle">${shownRank(rank)}</text>
    <path transform="translate(4.5 28) scale(.8)" d=${PATHS[suit]} />
    ${middle}
  `;
}

/** @param {string} card */
const joker = (card) => html`
  ${[..."JOKER"].map(
    (letter, at) => html`
      <text class="letter" x="11" y=${17 + at * 13.5} text-anchor="middle">${letter}</text>
    `,
  )}
  <path transform="translate(22 26) scale(1.65)" d=${STAR} />
  <text class="court" x="38.5" y="49" text-anchor="middle">${card === "BJ" ? "B" : "L"}</text>
`;

/**
 * Cards that lie on the table, next to each other; read out by their names.
 * @param {{ cards: readonly string[], size?: "small" | "tiny" }} props
 */
export const Cards = ({ cards, size = "small" }) => html`
  <span
    class=${`cards ${size}`}
    style=${{ "--count": cards.length }}
    role="img"
    aria-label=${listed(cards.map(spoken))}
  >
    ${cards.map(
      (card, at) => html`
        <span class="card" key=${`${card}${at}`}><${Face} card=${card} /></span>
      `,
    )}
  </span>
`;
