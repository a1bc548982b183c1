/** Forms of events, and what decides the rank: how they are chosen and called. */
import { html } from "../../vendor/preact-htm.js";
import { Check, Select } from "../ui/fields.js";
import { say } from "./words.js";

/** Forms with what decides the rank as usual, and all that may. */
const OF_TEAMS = ["victory_points", "steps", "head_to_head", "wins", "opponents", "margin"];
const OF_PAIRS = { usual: ["percent", "steps"], may: ["percent", ...OF_TEAMS], rounds: 31 };
const FORMS = /** @type {const} */ ({
  swiss: { usual: ["victory_points", "steps"], may: OF_TEAMS, rounds: 15 },
  round_robin: { usual: ["victory_points", "head_to_head", "steps"], may: OF_TEAMS, rounds: 31 },
  knock_out: { usual: ["reached"], may: ["reached", ...OF_TEAMS], rounds: 0 },
  mitchell: OF_PAIRS,
  howell: OF_PAIRS,
  swiss_pairs: OF_PAIRS,
  individual: { ...OF_PAIRS },
  arena: { usual: ["arena_points", "margin"], may: ["arena_points", "margin"], rounds: 0 },
});

/** @typedef {keyof typeof FORMS} Form */
/** @typedef {"agreed" | "at_once"} League */
/**
 * @typedef {{ form: Form, ranks: string[], winners: number, sit_out: boolean, league?: League, ai_after_ms?: number }}
 *   Choice
 */

/**
 * Events to begin with. A board takes people eight to ten minutes.
 * @type {{ id: string, form: Form, rounds: number, boards: number, minutes: number }[]}
 */
export const TEMPLATES = [
  { id: "pairs", form: "swiss_pairs", rounds: 4, boards: 3, minutes: 45 },
  { id: "teams", form: "swiss", rounds: 5, boards: 4, minutes: 60 },
  { id: "cup", form: "knock_out", rounds: 5, boards: 6, minutes: 90 },
  { id: "singles", form: "individual", rounds: 7, boards: 2, minutes: 30 },
  { id: "arena", form: "arena", rounds: 1, boards: 1, minutes: 45 },
  { id: "league", form: "round_robin", rounds: 7, boards: 3, minutes: 45 },
];

/** What is chosen at first. @param {Form} form @param {League} [league] @returns {Choice} */
export const usual = (form, league) => ({ form, ranks: [...FORMS[form].usual], winners: 1, sit_out: false, league });

/** Most rounds that can be asked for; 0: there are as many as it takes. @param {Form} form */
export const mostRounds = (form) => FORMS[form].rounds;

/** Whether the first round decides who meets in all of them. @param {string} form */
export const drawsOnce = (form = "swiss") => !form.startsWith("swiss") && form !== "arena";

/**
 * Whether units may enter now. Services before 0.4 take them until the first round begins, and do not say so.
 * @param {Pick<import("../types").TeamEvent, "status" | "takes_entries">} event
 */
export const takesEntries = ({ status, takes_entries }) => takes_entries || status === "entries";

/** What those should know who enter when a round has begun. @param {{ event: import("../types").TeamEvent }} props */
export const Late = ({ event }) =>
  event.round > 0 &&
  event.form !== "arena" &&
  html`
    <p class="hint">${say("late.entry")}</p>
  `;

/** @param {string} form */
export const formText = (form) => (form in FORMS ? say(/** @type {any} */ (`form.${form}`)) : form);

const KNOWN = new Set(["reached", "percent", "arena_points", ...OF_TEAMS]);

/** @param {string} criterion */
export const criterionText = (criterion) =>
  KNOWN.has(criterion) ? say(/** @type {any} */ (`rank.${criterion}`)) : criterion;

/** How long somebody waits in an arena before AI players take free seats, seconds. */
const AI_AFTER = [20, 60, 180];

/**
 * The form, and what decides the rank.
 * @param {{ choice: Choice, forms?: Form[], onChange: (choice: Choice) => void }} props `forms`: the possible ones
 */
export function FormFields({ choice, forms = /** @type {Form[]} */ (Object.keys(FORMS)), onChange }) {
  const { form } = choice;
  return html`
    <label>
      ${say("form")}
      <${Select}
        name="form"
        value=${form}
        options=${forms.map((each) => [each, formText(each)])}
        onChange=${(/** @type {Form} */ chosen) => onChange(usual(chosen, chosen === "arena" ? undefined : choice.league))}
      />
    </label>
    <p class="hint">${say(/** @type {any} */ (`form.${form}.how`))}</p>
    ${
      form === "mitchell" &&
      html`
        <${Check}
          text=${say("two.winners")}
          checked=${choice.winners === 2}
          onChange=${(/** @type {boolean} */ two) => onChange({ ...choice, winners: two ? 2 : 1 })}
        />
      `
    }
    ${
      FORMS[form] === OF_PAIRS &&
      html`
        <${Check}
          text=${say("sit.out")}
          checked=${choice.sit_out}
          onChange=${(/** @type {boolean} */ sit_out) => onChange({ ...choice, sit_out })}
        />
      `
    }
    ${
      form === "arena"
        ? html`
            <${Waiting} choice=${choice} onChange=${onChange} />
          `
        : html`
            <${When} choice=${choice} onChange=${onChange} />
            <${Ranks} choice=${choice} onChange=${onChange} />
          `
    }
  `;
}

/** Whether AI players fill tables. @param {{ choice: Choice, onChange: (choice: Choice) => void }} props */
const Waiting = ({ choice, onChange }) => html`
  <label>
    ${say("ai.after")}
    <${Select}
      name="ai-after"
      value=${choice.ai_after_ms ?? 0}
      options=${[[0, say("ai.after.never")], ...AI_AFTER.map((count) => [count * 1000, say("ai.after.seconds", { count })])]}
      onChange=${(/** @type {string} */ ms) => onChange({ ...choice, ai_after_ms: Number(ms) || undefined })}
    />
  </label>
`;

/** Whether all play together, or a league. @param {{ choice: Choice, onChange: (choice: Choice) => void }} props */
const When = ({ choice, onChange }) => html`
  <label>
    ${say("when")}
    <${Select}
      name="league"
      value=${choice.league ?? ""}
      options=${[
        ["", say("when.together")],
        ["agreed", say("when.agreed")],
        ["at_once", say("when.at_once")],
      ]}
      onChange=${(/** @type {League | ""} */ league) => onChange({ ...choice, league: league || undefined })}
    />
  </label>
  ${
    choice.league &&
    html`
      <p class="hint">${say("league.how")}${choice.league === "agreed" && ` ${say("league.lost")}`}</p>
    `
  }
`;

/** What decides the rank. @param {{ choice: Choice, onChange: (choice: Choice) => void }} props */
function Ranks({ choice, onChange }) {
  const { form, ranks } = choice;
  const put = (/** @type {number} */ at) => (/** @type {string} */ criterion) => {
    const before = ranks.slice(0, at).filter((each) => each !== criterion);
    const after = ranks.slice(at + 1).filter((each) => each !== criterion);
    onChange({ ...choice, ranks: criterion ? [...before, criterion, ...after] : [...before, ...after] });
  };
  const places = [...ranks, ""].slice(0, 4);
  return html`
    <details>
      <summary>${say("ranks")}</summary>
      <p class="hint">${say("ranks.how")}</p>
      <div class="halves">
        ${places.map(
          (criterion, at) => html`
            <label key=${at}>
              ${say(at ? "ranks.then" : "ranks.first")}
              <${Select}
                name=${`rank-${at}`}
                value=${criterion}
                options=${[...(at ? [["", "–"]] : []), ...FORMS[form].may.map((each) => [each, criterionText(each)])]}
                onChange=${put(at)}
              />
            </label>
          `,
        )}
      </div>
    </details>
  `;
}
