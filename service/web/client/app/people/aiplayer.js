/**
 * AI players have the name and the face of an animal, so that they can be told apart; their level is beside the name.
 */
import { html } from "../../vendor/preact-htm.js";
import { language, languageTag, named, t, written } from "../texts/texts.js";

/** An ellipse as a path. @param {number} x @param {number} y @param {number} rx @param {number} [ry] */
export const o = (x, y, rx, ry = rx) => `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0z`;
/** The same shape on both sides of the middle. @param {(side: 1 | -1) => string} shape */
export const both = (shape) => shape(1) + shape(-1);

export const INK = "#2b2320";
const HEAD = o(20, 22, 13.5);
const EARS = {
  round: both((side) => o(20 + 10.5 * side, 11.5, 5)),
  small: both((side) => o(20 + 12 * side, 15, 3.6)),
  large: both((side) => o(20 + 11.5 * side, 11.5, 7)),
  long: both((side) => o(20 + 6 * side, 8.5, 3.4, 8.5)),
  pointed: "M7 20 8.5 5.5 19 10.5zM33 20 31.5 5.5 21 10.5z",
  hanging: both((side) => o(20 + 13 * side, 21, 4.4, 8.5)),
  none: "",
};
const EYES = both((side) => o(20 + 5 * side, 20.5, 1.7));
const SNOUT = o(20, 27.5, 6, 4.6);
const NOSE = o(20, 25.6, 2.2, 1.6);

/**
 * Number of an AI player -> its English and Chinese name, the colours of coat and ears, its ears, and the shapes drawn
 * over the head, as colour and path.
 * @type {[en: string, zh: string, coat: string, ear: string, ears: keyof typeof EARS, over: [string, string][]][]}
 */
const ANIMALS = [
  [
    "Bear",
    "小熊",
    "#8d5a3b",
    "#6d4229",
    "round",
    [
      ["#c99a72", SNOUT],
      [INK, EYES + NOSE],
    ],
  ],
  [
    "Tiger",
    "小虎",
    "#f0a03c",
    "#d07f22",
    "round",
    [
      ["#fff3dc", SNOUT],
      [
        INK,
        `${EYES}${NOSE}M18.8 9h2.4v6h-2.4zM13.5 10.5l2 4.5 1-.6-1-4.6zM26.5 10.5l-2 4.5-1-.6 1-4.6zM6.7 20l5 1.2v1.4l-5.2-.4zM33.3 20l-5 1.2v1.4l5.2-.4z`,
      ],
    ],
  ],
  [
    "Panda",
    "熊猫",
    "#fbf8f0",
    "#2f2b2b",
    "round",
    [
      ["#2f2b2b", both((side) => o(20 + 5.4 * side, 20.8, 3.6, 4.2))],
      ["#fff", both((side) => o(20 + 5 * side, 20.3, 1.3))],
      [INK, NOSE],
    ],
  ],
  [
    "Fox",
    "小狐",
    "#e0682c",
    "#b94d18",
    "pointed",
    [
      ["#fff3e4", "M6.8 24q7 0 13.2 6.5Q26.2 24 33.2 24A13.5 13.5 0 0 1 20 35.5 13.5 13.5 0 0 1 6.8 24z"],
      [INK, EYES + o(20, 29.5, 2.2, 1.7)],
    ],
  ],
  [
    "Rabbit",
    "小兔",
    "#f2ece6",
    "#e3b9b9",
    "long",
    [
      ["#e88f9a", both((side) => o(20 + 9 * side, 26, 2.4, 1.7)) + NOSE],
      [INK, EYES],
      ["#fff", "M18 29h4v4h-4z"],
    ],
  ],
  [
    "Ox",
    "阿牛",
    "#a9744f",
    "#8a5a3a",
    "small",
    [
      ["#efe2c8", "M9 12Q3 10 5 3q3 5 8 6zM31 12q6-2 4-9-3 5-8 6z"],
      ["#e6c6ad", o(20, 29, 8.5, 5.2)],
      [INK, EYES + both((side) => o(20 + 3.5 * side, 29, 1.3))],
    ],
  ],
  [
    "Cat",
    "小猫",
    "#8f97a3",
    "#737b87",
    "pointed",
    [
      ["#d9dde2", SNOUT],
      [
        INK,
        `${EYES}${NOSE}M7 26l6 .8v.9l-6-.2zM33 26l-6 .8v.9l6-.2zM8 30.5l5.5-1.5v.9L8.4 31.3zM32 30.5l-5.5-1.5v.9l5.1 1.4z`,
      ],
    ],
  ],
  [
    "Dog",
    "小狗",
    "#e3bd86",
    "#a8743f",
    "hanging",
    [
      ["#fff6e6", SNOUT],
      [INK, EYES + NOSE],
      ["#e8707a", "M18.2 31h3.6v2.6a1.8 1.8 0 0 1-3.6 0z"],
    ],
  ],
  [
    "Ape",
    "小猴",
    "#7b4a2c",
    "#d8a67c",
    "small",
    [
      ["#eec39b", both((side) => o(20 + 4.2 * side, 20.5, 5.2)) + o(20, 27.5, 7.5, 5.5)],
      [INK, `${EYES}${both((side) => o(20 + 1.3 * side, 26, 0.7))}M16 29.5q4 3 8 0v1q-4 3-8 0z`],
    ],
  ],
  [
    "Pig",
    "小猪",
    "#f5b3b5",
    "#e58d92",
    "pointed",
    [
      ["#e58d92", o(20, 27, 5.4, 4)],
      [INK, EYES + both((side) => o(20 + 2 * side, 27, 1, 1.5))],
    ],
  ],
  [
    "Mouse",
    "小鼠",
    "#b7b0ab",
    "#e2bcbc",
    "large",
    [
      ["#f1d0d0", o(20, 28, 4, 3)],
      [INK, EYES + o(20, 27, 1.6, 1.2)],
    ],
  ],
  [
    "Frog",
    "青蛙",
    "#63a845",
    "#63a845",
    "none",
    [
      ["#63a845", both((side) => o(20 + 8 * side, 10.5, 5))],
      ["#fff", both((side) => o(20 + 8 * side, 10, 3.4))],
      [INK, `${both((side) => o(20 + 8 * side, 10, 1.7))}M11 26q9 7 18 0v1.3q-9 7-18 0z`],
    ],
  ],
  [
    "Owl",
    "猫头鹰",
    "#8b6a4a",
    "#6e5137",
    "pointed",
    [
      ["#f6ead2", both((side) => o(20 + 5.6 * side, 20, 5.4))],
      [INK, both((side) => o(20 + 5.6 * side, 20, 2.6))],
      ["#f0a03c", "M17.8 24h4.4L20 29z"],
    ],
  ],
  [
    "Goat",
    "小羊",
    "#f5f0e4",
    "#d8cdb6",
    "hanging",
    [
      ["#b59b74", "M13 11Q11 3 17 2q-2 4 0 8zM27 11q2-8-4-9 2 4 0 8z"],
      ["#e6dac3", "M16.5 33h7L20 39z"],
      [INK, EYES + o(20, 28, 2, 1.3)],
    ],
  ],
  [
    "Horse",
    "小马",
    "#9a5b34",
    "#7a4425",
    "pointed",
    [
      ["#4b2a18", "M16.5 5h7l-1 12h-5z"],
      ["#d9a981", o(20, 30, 7.5, 5.5)],
      [INK, EYES + both((side) => o(20 + 3 * side, 30, 1.2))],
    ],
  ],
  [
    "Chick",
    "小鸡",
    "#f7d049",
    "#f7d049",
    "none",
    [
      ["#d8452f", "M14 9q2-7 5-2 2-7 4-1 4-4 3 4-6-3-12-1z"],
      ["#ef8e2b", "M16 25h8l-4 5z"],
      [INK, EYES],
    ],
  ],
];

/**
 * The number of an AI player, from the name that the service gives it, which people cannot have; 0: not an AI player's
 * name.
 * @param {string} name
 */
const numberOf = (name) => Number(/^AI (\d+)$/.exec(name)?.[1] ?? 0);

/** A name as shown: that of an AI player is in the language of the page. @param {string} name */
export function shownName(name) {
  const animal = ANIMALS[numberOf(name) - 1];
  return animal ? written(animal[language() === "en" ? 0 : 1]) : name;
}

/**
 * A function that names the player of a seat.
 * @param {import("../types").View | null | undefined} view
 */
export const nameIn = (view) => (/** @type {number} */ seat) => shownName(view?.seats[seat]?.occupant?.name ?? "");

/** The face of an AI player. @param {{ number: number }} props its number, from 1 on */
export function AnimalFace({ number }) {
  const [, , coat, ear, ears, over] = ANIMALS[(number - 1) % ANIMALS.length];
  return html`
    <svg class="animal" viewBox="0 0 40 40" aria-hidden="true">
      <path d=${EARS[ears]} fill=${ear} />
      <path d=${HEAD} fill=${coat} />
      ${over.map(
        ([fill, d]) => html`
          <path d=${d} fill=${fill} />
        `,
      )}
    </svg>
  `;
}

/** Levels of AI players, weakest first; each has one more bar. */
const LEVELS = ["easy", "normal", "hard", "expert"];
const BARS = LEVELS.map((_, at) => `M${at * 4} ${9 - at * 3}h3V12h-3z`);

/**
 * The level of an AI player, beside its name: a word, or bars if there is no room for it.
 * @param {{ level: string }} props
 */
export const LevelMark = ({ level }) => {
  const word = named("level.of", level);
  return html`
    <small class="ai-level" data-about="robot" title=${t("ai.player", { level: word })}>
      <span class="word">
        <span class="kind">${t("ai.short")}${" "}</span>
        ${word}
      </span>
      <svg class="bars" viewBox="0 0 15 12" aria-hidden="true">
        ${BARS.map(
          (d, at) => html`
            <path d=${d} class=${at > LEVELS.indexOf(level) ? "empty" : ""} />
          `,
        )}
      </svg>
    </small>
  `;
};

/** View with the service's names -> view with the names shown. @type {WeakMap<object, Record<string, any>>} */
const known = new WeakMap();

/**
 * A view in which AI players have the names shown.
 * @template {{ seats: import("../types").Seat[] }} View
 * @param {View} view
 * @returns {View}
 */
export function withNames(view) {
  const inLanguages = known.get(view) ?? {};
  known.set(view, inLanguages);
  return (inLanguages[languageTag()] ??= {
    ...view,
    seats: view.seats.map((seat) =>
      seat.occupant?.kind === "ai"
        ? { ...seat, occupant: { ...seat.occupant, name: shownName(seat.occupant.name) } }
        : seat,
    ),
  });
}
