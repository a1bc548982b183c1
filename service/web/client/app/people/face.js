/**
 * The drawn faces of people, made of parts; hair, hats and accessories tell them apart even at the size of a
 * fingernail.
 */
import { html } from "../../vendor/preact-htm.js";
import { AnimalFace, INK, both, o } from "./aiplayer.js";
import { aiLevel } from "../table/model.js";
import { Icon } from "../ui/icon.js";

/** Shapes drawn before and after the head, in the colour of the hair. */
const HAIR = {
  bald: ["", ""],
  none: ["", both((side) => o(20 + 9 * side, 18, 1.9, 4))],
  short: ["", "M10.6 19Q9 7 20 7t9.4 12q-1-5-3.6-6.6-6 1.8-11.6 0Q11.6 14 10.6 19z"],
  parted: ["", "M10.6 19Q9 7 20 7t9.4 12q-.6-4.4-2.6-6.6-7 1-10.8-2.4-.6 5-5.4 9z"],
  fringe: ["M9 19Q9 6.5 20 6.5T31 19l.6 9H8.4z", "M10.4 17.5Q10 7 20 7t9.6 10.5z"],
  middle: ["M9 18Q9 6.5 20 6.5T31 18l1.5 15h-25z", "M10.4 20Q9.6 7 20 7t9.6 13Q25 17 20 9.5 15 17 10.4 20z"],
  spikes: [
    "",
    "M10.4 18.5 8.5 11l3.8 1L13 5.5l4.3 3L20 3.5l2.7 5 4.3-3 .7 6.5 3.8-1-1.9 7.5Q29 15 26.5 13h-13q-2.5 2-3.1 5.5z",
  ],
  bun: [o(20, 5.5, 4.8), "M10.4 19Q9.6 7.5 20 7.5T29.6 19Q27 12 20 11.5 13 12 10.4 19z"],
  tails: [
    both((side) => o(20 + 12.8 * side, 22, 3.8, 7.5)),
    "M10.4 18Q9.6 7 20 7t9.6 11Q27 12.5 20 9 13 12.5 10.4 18z",
  ],
  curls: [
    both((side) => o(20 + 10 * side, 13.5, 5) + o(20 + 11 * side, 21, 4.6) + o(20 + 4.5 * side, 8, 5.2)),
    both((side) => o(20 + 5 * side, 11, 3.2)) + o(20, 10.5, 3),
  ],
  puffs: [both((side) => o(20 + 9.5 * side, 7.5, 5.4)), "M10.4 17.5Q9.6 7.5 20 7.5t9.6 10Q26.5 12 20 12t-9.6 5.5z"],
  waves: [
    "M9.5 17Q9 6 20 6t10.5 11q3.5 3 1 6.5 2 3-1.5 6H10q-3.5-3-1.5-6-2.5-3.5 1-6.5z",
    "M10.4 18Q9 7 19 7.5q11 0 10.6 10.5-1-4-6.5-7.5-4 6.5-12.7 7.5z",
  ],
};
/** Other parts: colour and path. @satisfies {Record<string, [string, string]>} */
const MORE = {
  smile: [INK, "M16 23.8q4 4.2 8 0l.5.6q-4.5 4.8-9 0z"],
  grin: ["#fff", "M15.5 23h9q-.7 4.8-4.5 4.8T15.5 23z"],
  glasses: [
    INK,
    `${both((side) => `M${20 + 3.9 * side - 3.5} 19a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0zm.9 0a2.6 2.6 0 1 1 5.2 0a2.6 2.6 0 1 1-5.2 0z`)}M19 18.4h2v.9h-2z`,
  ],
  beard: [
    "#f4f1ea",
    "M11.5 21.5q1.5 3 4.5 1.2 4-2 8 0 3 1.8 4.5-1.2Q29 34 20 34T11.5 21.5zM16.5 25q3.5 2.5 7 0-3.5-1.5-7 0z",
  ],
  dark: [
    "#3a2a22",
    "M11.3 20q.8 3.5 4.2 2.6 4.5-1.6 9 0 3.4.9 4.2-2.6.3 10.5-8.7 10.5T11.3 20zM16.5 25q3.5 2.5 7 0-3.5-1.2-7 0z",
  ],
  moustache: [
    "#4a3527",
    "M20 22.3q-1.5-1.5-3.5-.3-1 1-2.5.7 1 2 3.3 1.6 1.7-.2 2.7-1.3 1 1.1 2.7 1.3 2.3.4 3.3-1.6-1.5.3-2.5-.7-2-1.2-3.5.3z",
  ],
  straw: ["#e3b75f", "M20 2 37 15.5q-17 4.5-34 0z"],
  cap: ["#d23f3a", "M10 13.5Q10 5 20 5t10 8.5h5.5q.5 2-1 2.5H10z"],
  wool: ["#7a58b8", "M9.8 15.5Q9 6 20 6t10.2 9.5zM9 13h22v4H9z" + o(20, 4.8, 2.8)],
  scarf: [
    "#1f8a70",
    "M8.5 24Q7.5 6 20 6t11.5 18q1 6-3 8.5H12Q7.5 30 8.5 24zM12 19.5q0 6 3 8.5 5 3 10 0 3-2.5 3-8.5-1.5-7-8-7.5-6.5.5-8 7.5z",
  ],
  band: ["#ffd466", "M10.2 14.5Q14 10.5 20 10.5t9.8 4l.3-2.5Q26 7.8 20 7.8T9.9 12z"],
  flower: ["#ff6b8a", o(28.5, 9, 2.2) + o(32, 11.5, 2.2) + o(28.2, 13, 2.2)],
};

/**
 * @type {[ground: string, clothes: string, skin: string, hair: string, cut: keyof typeof HAIR, more: (keyof typeof
 *   MORE)[]][]}
 */
const FACES = [
  ["#bfe3f2", "#2f6fb0", "#f6cfa8", "#26211f", "short", ["smile"]],
  ["#ffd9c2", "#c8452f", "#f7d3b2", "#2a211e", "middle", ["smile"]],
  ["#d9ecc4", "#54793a", "#efc095", "#d9d6d0", "none", ["glasses", "smile"]],
  ["#e6d8f5", "#6f4fa3", "#f6cfa8", "#c9c4c4", "bun", ["glasses", "smile"]],
  ["#ffe9a6", "#d1802a", "#f3c79c", "#3a261b", "spikes", ["grin"]],
  ["#cdeee4", "#147a68", "#f7d3b2", "#5a3220", "tails", ["grin"]],
  ["#e2dcd0", "#5b5348", "#e7b78c", "#e9e6df", "none", ["beard"]],
  ["#f9cfe0", "#b53a72", "#f6cfa8", "#241f24", "fringe", ["glasses", "smile"]],
  ["#cfdcf7", "#26406f", "#eab98e", "#2b2320", "short", ["cap", "grin"]],
  ["#f7e3b4", "#7d5f2d", "#e2ac7d", "#3d2c20", "none", ["straw", "moustache"]],
  ["#d4f0f7", "#0f7d98", "#c98f63", "#20191a", "curls", ["smile"]],
  ["#fbd7d2", "#8e2f3b", "#f3c79c", "#8c3b1d", "waves", ["flower", "smile"]],
  ["#dfe6ea", "#3d4d5c", "#f1c59a", "#3a2a22", "parted", ["dark"]],
  ["#e9f3cf", "#7c9a2e", "#f6cfa8", "#2a2230", "puffs", ["band", "grin"]],
  ["#e4def6", "#43386b", "#f6cfa8", "#7a4a28", "short", ["wool", "smile"]],
  ["#fde3d0", "#24604c", "#e9bb92", "#2b2320", "bald", ["scarf", "smile"]],
];
export const COUNT = FACES.length;

const HEAD = `M16.5 25v6q3.5 3.5 7 0v-6z${o(20, 18.5, 9.4, 10.5)}${both((side) => o(20 + 9.3 * side, 19.5, 2))}`;
const EYES = both((side) => o(20 + 3.9 * side, 19, 1.3));

/**
 * The number of a player's face: the chosen one, else one derived from the id.
 * @param {string} player
 * @param {number | null} [face]
 */
export const faceOf = (player, face) =>
  1 + ((face ? face - 1 : [...player].reduce((sum, sign) => (31 * sum + sign.charCodeAt(0)) % 65521, 0)) % COUNT);

/**
 * The face of a seat's occupant, or its placeholder.
 * @param {{ seat: import("../types").Seat, children?: unknown }} props `children`: on a free seat
 */
export function Avatar({ seat, children }) {
  const { occupant } = seat;
  const level = aiLevel(seat);
  return html`
    <span class=${`avatar hue-${seat.seat % 8}`} data-about=${level ? "robot" : undefined} aria-hidden="true">
      ${
        !occupant
          ? children
          : occupant.kind === "ai"
            ? html`
                <${AnimalFace} number=${seat.seat + 1} />
              `
            : level
              ? html`
                  <${Icon} name="robot" />
                `
              : occupant.player
                ? html`
                    <${PersonFace} number=${faceOf(occupant.player, occupant.face)} />
                  `
                : [...occupant.name][0]
      }
    </span>
  `;
}

/** @param {{ number: number }} props from 1 on */
export function PersonFace({ number }) {
  const [ground, clothes, skin, hair, cut, more] = FACES[number - 1];
  const [behind, before] = HAIR[cut];
  /** @type {(readonly [string, string])[]} */
  const drawn = [
    [ground, "M0 0h40v40H0z"],
    [hair, behind],
    [clothes, "M4 41q1-11 12-11.5h8q11 .5 12 11.5z"],
    [skin, HEAD],
    [hair, before],
    [INK, EYES],
    ...more.map((name) => MORE[name]),
  ];
  return html`
    <svg class="animal" viewBox="0 0 40 40" aria-hidden="true">
      ${drawn.map(
        ([fill, d]) => html`
          <path d=${d} fill=${fill} />
        `,
      )}
    </svg>
  `;
}

/** A face beside a name. @param {{ player?: string | null, face?: number | null }} props */
export const SmallFace = ({ player, face }) =>
  player &&
  html`
    <span class="avatar small" aria-hidden="true"><${PersonFace} number=${faceOf(player, face)} /></span>
  `;
