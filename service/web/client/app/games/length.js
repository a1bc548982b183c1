/** How long games are: chosen in forms, and said in words. */
import { html, useState } from "../../vendor/preact-htm.js";
import { shownRank } from "../cards/cards.js";
import { text } from "../texts/both.js";
import { language, listed, said, t } from "../texts/texts.js";
import { Check, Field, Select } from "../ui/fields.js";

/** @typedef {import("../types").GameLength} Length */

const TEXTS = {
  title: text("Length of a game", "一场打多久"),
  whole: text("to the last level", "打到最后一级"),
  whole_arms: text("four rounds", "四局"),
  listed: text("one round on each level of a list", "按所列级别每级一局"),
  levels: text("Levels, one a round", "各局的级别"),
  on: text("on the levels {levels}", "依次打 {levels}"),
  dropped: text("without the round that has begun", "未打完的一局作废"),
  drop: text("The round that has begun when the time is up does not count", "时间到时未打完的一局作废"),
  who: text(
    "Then the higher level wins, on the same level the side that declares next, then who has more points.",
    "届时级别高者胜，同级则下局庄家方胜，再比得分。",
  ),
  who_arms: text("Then the higher total wins.", "届时总分高者胜。"),
  who_listed: text("Who has gained more levels wins, then who has more points.", "升级总数多者胜，再比得分。"),
};

/** Like `t`. @param {keyof typeof TEXTS} key @param {Record<string, string | number>} [values] */
const say = (key, values) => said(TEXTS[key][language()], values);

/** Rounds and minutes to choose from. @type {Length[]} */
const OFFERED = [
  ...[1, 2, 3, 4, 6, 8, 12].map((rounds) => ({ rounds })),
  ...[20, 30, 45, 60, 90, 120].map((minutes) => ({ minutes })),
];

/** The choice of listed levels, and the levels with which a list begins. */
const LISTED = "listed";
const USUAL_LEVELS = ["2", "3", "4", "5"];

/** A length in words; "": a whole game. @param {Length | undefined} length */
export function lengthText({ rounds, minutes, last_round, levels } = {}) {
  const parts = [
    rounds && t("past.rounds", { count: rounds }),
    levels && say("on", { levels: levels.map(shownRank).join(" ") }),
    minutes && t("create.minutes", { count: minutes }),
    last_round === "dropped" && say("dropped"),
  ];
  return listed(/** @type {string[]} */ (parts.filter(Boolean)));
}

/** What is to be said of a length in a list of settings; none of whole games. @param {Length | undefined} length */
export const lengthFact = (length) => (length ? [{ title: say("title"), value: lengthText(length) }] : []);

/**
 * The levels that somebody has typed: `2 3 10 A`, also in wide letters and with other marks in between.
 * @param {string} typed
 */
export const levelsOf = (typed) =>
  typed
    .normalize("NFKC")
    .toUpperCase()
    .split(/[^0-9A-Z+]+/)
    .filter(Boolean)
    .map((level) => (level.startsWith("10") ? `T${level.slice(2)}` : level === "JOKER" ? "joker" : level));

/**
 * @typedef {object} LengthProps
 * @property {string} ruleset
 * @property {Length | undefined} length undefined: whole games
 * @property {(length: Length | undefined) => void} onChange
 */

/** The choice that stands for a length; "": whole games. @param {Length | undefined} length */
function choiceOf(length) {
  if (!length) return "";
  const { last_round: _, ...main } = length;
  return main.levels ? LISTED : JSON.stringify(main);
}

/** What can be chosen for a ruleset; the length that a table has, too. @param {LengthProps} props */
function choicesOf({ ruleset, length }) {
  const isArms = ruleset === "arms_length";
  const offered = OFFERED.map((each) => /** @type {[string, string]} */ ([choiceOf(each), lengthText(each)]));
  const chosen = choiceOf(length);
  const isOther = chosen && chosen !== LISTED && offered.every(([value]) => value !== chosen);
  return [
    ["", say(isArms ? "whole_arms" : "whole")],
    ...offered,
    ...(isOther ? [[chosen, lengthText({ ...length, last_round: undefined })]] : []),
    ...(isArms ? [] : [[LISTED, say("listed")]]),
  ];
}

/** How long the games of a table are. @param {LengthProps} props */
export function LengthField({ ruleset, length, onChange }) {
  const chosen = choiceOf(length);
  const choose = (/** @type {string} */ value) =>
    onChange(!value ? undefined : value === LISTED ? { levels: USUAL_LEVELS } : JSON.parse(value));
  const who = ruleset === "arms_length" ? "who_arms" : chosen === LISTED ? "who_listed" : "who";
  return html`
    <label>
      ${say("title")}
      <${Select} name="length" value=${chosen} options=${choicesOf({ ruleset, length, onChange })} onChange=${choose} />
    </label>
    ${
      length?.levels &&
      html`
        <${Levels} length=${length} onChange=${onChange} />
      `
    }
    ${
      length?.minutes &&
      html`
        <${LastRound} length=${length} onChange=${onChange} />
      `
    }
    ${
      length &&
      html`
        <p class="hint">${say(who)}</p>
      `
    }
  `;
}

/** @typedef {{ length: Length, onChange: (length: Length) => void }} PartProps */

/** The listed levels, as they are typed. @param {PartProps} props */
function Levels({ length, onChange }) {
  const [typed, setTyped] = useState((length.levels ?? []).map(shownRank).join(" "));
  const type = (/** @type {string} */ now) => {
    setTyped(now);
    onChange({ ...length, levels: levelsOf(now) });
  };
  return html`
    <${Field}
      label=${say("levels")}
      name="levels"
      required
      maxlength="400"
      autocomplete="off"
      value=${typed}
      onChange=${type}
    />
  `;
}

/** What becomes of the round that has begun. @param {PartProps} props */
const LastRound = ({ length: { last_round, ...rest }, onChange }) => html`
  <${Check}
    text=${say("drop")}
    checked=${last_round === "dropped"}
    onChange=${(/** @type {boolean} */ on) => onChange({ ...rest, ...(on && { last_round: "dropped" }) })}
  />
`;
