/** The form of a season: its days, which events count, and what they count. */
import { html, useState } from "../../vendor/preact-htm.js";
import { endOfDay, startOfDay, t } from "../texts/texts.js";
import { Check, Field, Select } from "../ui/fields.js";
import { useAttempt, usePages } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { pointsText, say } from "./words.js";

/** @typedef {import("../types").ClubSeason} ClubSeason */

const POINTS = /** @type {const} */ (["percent", "beaten", "places"]);

/** The day of a time, in the device's time zone, as a field has it. @param {string} time */
function dayOf(time) {
  const parts = new Intl.DateTimeFormat("en", { year: "numeric", month: "2-digit", day: "2-digit" }).formatToParts(
    Date.parse(time),
  );
  return ["year", "month", "day"].map((name) => parts.find(({ type }) => type === name)?.value).join("-");
}

/** @param {ClubSeason | undefined} before @returns {Record<"name" | "first" | "last" | "best" | "points", string>} */
const fieldsOf = (before) => ({
  name: before?.name ?? "",
  first: before ? dayOf(before.starts_at) : "",
  last: before ? dayOf(before.ends_at) : "",
  best: `${before?.best || ""}`,
  points: before?.points ?? "percent",
});

/** What the API is asked for. @param {ReturnType<typeof fieldsOf>} fields */
const asked = ({ name, first, last, best, points }) => ({
  name: name.trim(),
  starts_at: startOfDay(first),
  ends_at: endOfDay(last),
  best: Number(best),
  points,
});

/**
 * What differs from how the form began: days that nobody has touched stay, also those of another time zone.
 * @param {Record<string, unknown>} wanted @param {ClubSeason | undefined} before
 */
function changed(wanted, before) {
  if (!before) return wanted;
  const began = { ...asked(fieldsOf(before)), events: before.events };
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => `${value}` !== `${began[/** @type {"name"} */ (name)]}`),
  );
}

/**
 * @param {{
 *   club: string,
 *   before?: ClubSeason,
 *   button: string,
 *   save: (about: object) => Promise<unknown>,
 * }} props `before`: what it is; left out: a new season
 */
export function SeasonForm({ club, before, button, save }) {
  const [fields, setFields] = useState(fieldsOf(before));
  const [chosen, setChosen] = useState(
    /** @type {readonly string[] | null} */ (before?.events.length ? before.events : null),
  );
  const { attempt, busy, problem } = useAttempt();
  const set = (/** @type {keyof typeof fields} */ name) => (/** @type {string} */ value) =>
    setFields({ ...fields, [name]: value });
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    attempt(() => save(changed({ ...asked(fields), events: chosen ?? [] }, before)));
  };
  return html`
    <form onSubmit=${submit}>
      <${Field} label=${say("season_name")} value=${fields.name} maxlength="40" required onChange=${set("name")} />
      <${Field} label=${say("season_first")} type="date" required value=${fields.first} onChange=${set("first")} />
      <${Field}
        label=${say("season_last")}
        type="date"
        required
        min=${fields.first}
        value=${fields.last}
        onChange=${set("last")}
      />
      <label>
        ${say("season_points")}
        <${Select}
          value=${fields.points}
          options=${POINTS.map((name) => [name, pointsText(name)])}
          onChange=${set("points")}
        />
      </label>
      <${Field}
        label=${say("season_best")}
        type="number"
        min="1"
        max="100"
        value=${fields.best}
        onChange=${set("best")}
      />
      <${Check}
        text=${say("season_all")}
        checked=${!chosen}
        onChange=${(/** @type {boolean} */ all) => setChosen(all ? null : [])}
      />
      ${
        chosen &&
        html`
          <${Choice} club=${club} chosen=${chosen} onChange=${setChosen} />
        `
      }
      <p class="hint">${say("season_how")}</p>
      <div class="buttons">
        <button type="submit" class="main" disabled=${busy || chosen?.length === 0}>${button}</button>
      </div>
      <${Refusal} problem=${problem} />
    </form>
  `;
}

/**
 * Which events of the club count.
 * @param {{ club: string, chosen: readonly string[], onChange: (chosen: readonly string[]) => unknown }} props
 */
function Choice({ club, chosen, onChange }) {
  const { items, more } = usePages(`/clubs/${club}/events?limit=20`);
  const events = /** @type {import("../types").ListedTeamEvent[] | undefined} */ (items);
  const toggled = (/** @type {string} */ event, /** @type {boolean} */ on) =>
    on ? [...chosen, event] : chosen.filter((each) => each !== event);
  return html`
    <fieldset>
      <legend>${say("season_events")}</legend>
      ${events?.map(
        ({ event, name }) => html`
          <${Check}
            key=${event}
            text=${name}
            checked=${chosen.includes(event)}
            onChange=${(/** @type {boolean} */ on) => onChange(toggled(event, on))}
          />
        `,
      )}
      ${
        events &&
        !events.length &&
        html`
          <p class="hint">${say("events_none")}</p>
        `
      }
      ${
        more &&
        html`
          <button type="button" onClick=${more}>${t("more")}</button>
        `
      }
    </fieldset>
  `;
}
