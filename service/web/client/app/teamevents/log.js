/**
 * The log of a team event: what its directors have done, which everybody reads.
 *
 * @typedef {import("../types").TeamEvent} TeamEvent
 * @typedef {import("../types").LogOfEvent} Acts
 * @typedef {Acts["items"][number]} Act
 */
import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { momentText, t } from "../texts/texts.js";
import { Player } from "../people/player.js";
import { Field } from "../ui/fields.js";
import { useAttempt, useLoaded } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { teamNamed, withNames } from "../teams/entries.js";
import { matchText } from "../teams/matches.js";
import { say } from "../teams/words.js";

/** Acts that have a text; later versions of the service may know others. */
const KNOWN = /** @type {const} */ ([
  "round_begun",
  "round_changed",
  "ruled",
  "ruling_withdrawn",
  "penalty",
  "undone",
  "teams_entered",
  "team_changed",
  "team_withdrawn",
  "closed",
  "director_named",
  "director_removed",
  "lead_taken",
  "note_sent",
  "link_made",
  "link_ended",
]);

/**
 * @typedef {object} LogProps
 * @property {TeamEvent} event
 * @property {number} changes
 * @property {() => void} [onChange] for a director, who may take back what was ruled last
 */

/** The log, read when it is opened. @param {LogProps} props */
export function Log({ event, changes, onChange }) {
  const [isOpen, setOpen] = useState(false);
  return html`
    <details class="box" onToggle=${(/** @type {any} */ toggled) => setOpen(toggled.target.open)}>
      <summary>${say("log")}</summary>
      ${
        isOpen &&
        html`
          <${Entries} event=${event} changes=${changes} onChange=${onChange} />
        `
      }
    </details>
  `;
}

/** @param {LogProps} props */
function Entries({ event, changes, onChange }) {
  const { value, error } = useLoaded(
    async () => /** @type {Acts} */ (await call("GET", `/team-events/${event.event}/log?limit=100`)),
    [event.event, changes],
  );
  const [older, setOlder] = useState(/** @type {Acts | null} */ (null));
  useEffect(() => setOlder(null), [value]);
  if (error?.problem)
    return html`
      <${Refusal} problem=${error.problem} />
    `;
  if (!value)
    return html`
      <p class="hint" role="status">${t("loading")}</p>
    `;
  const cursor = (older ?? value).next_cursor;
  const more = async () => {
    const next = /** @type {Acts} */ (
      await call("GET", `/team-events/${event.event}/log?limit=100&cursor=${encodeURIComponent(cursor ?? "")}`)
    );
    setOlder({ ...next, items: [...(older?.items ?? []), ...next.items] });
  };
  const items = [...value.items, ...(older?.items ?? [])];
  return html`
    <p class="hint">${say(items.length ? "log.how" : "log.none")}</p>
    ${
      onChange &&
      value.undo !== null &&
      html`
        <${Undo} event=${event} act=${value.undo} onChange=${onChange} />
      `
    }
    <ul class="past">
      ${items.map(
        (act) => html`
          <li key=${act.number}><${Entry} event=${event} act=${act} /></li>
        `,
      )}
    </ul>
    ${
      cursor &&
      html`
        <div class="buttons"><button type="button" onClick=${more}>${t("more")}</button></div>
      `
    }
  `;
}

/** @param {{ event: TeamEvent, act: Act }} props */
const Entry = ({ event, act }) => html`
  <p>
    <b>${actText(event, act)}</b>
    ${
      act.values &&
      html`
        ${" "}
        <span class="number">${act.values.join(" : ")}</span>
      `
    }
    <br />
    <span class="hint">
      ${momentText(act.at)}${" "}
      <${Player} player=${act.by} name=${act.name ?? ""} plain=${true} />
      ${act.plays ? `${" "}${say("log.plays")}` : ""}
    </span>
    ${
      act.reason &&
      html`
        <br />
        ${act.reason}
      `
    }
  </p>
`;

/** What was done. @param {TeamEvent} event @param {Act} act */
function actText(event, act) {
  const what = KNOWN.find((each) => each === act.what);
  const match = event.played.flatMap(({ matches }) => matches).find((each) => each.match === act.match);
  const about = [
    match && matchText(event, match),
    act.board !== null && t("event.board", { number: act.board }),
    act.team !== null && teamNamed(event, act.team),
    act.player_name,
  ].filter(Boolean);
  const text = what ? say(`act.${what}`, { round: act.round ?? 0, number: act.undoes ?? 0 }) : act.what;
  return `${act.number}. ${text}${about.length ? say("act.about", { about: about.join(" · ") }) : ""}`;
}

/** Takes back the last ruling or penalty. @param {{ event: TeamEvent, act: number, onChange: () => void }} props */
function Undo({ event, act, onChange }) {
  const [reason, setReason] = useState("");
  const { attempt, busy, problem } = useAttempt();
  const submit = (/** @type {Event} */ submitted) => {
    submitted.preventDefault();
    attempt(async () => {
      await call("POST", `/team-events/${event.event}/undo`, { act, reason: reason.trim() }, { once: true });
      setReason("");
    }).finally(onChange);
  };
  return html`
    <form class="inline" onSubmit=${submit}>
      <${Field}
        label=${say("undo.reason", { number: act })}
        name="undo"
        required
        maxlength="200"
        autocomplete="off"
        value=${reason}
        onChange=${setReason}
      />
      <${Refusal} problem=${problem && withNames(problem, event)} />
      <div class="buttons"><button type="submit" disabled=${busy}>${say("undo", { number: act })}</button></div>
    </form>
  `;
}
