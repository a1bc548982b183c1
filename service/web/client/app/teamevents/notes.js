/**
 * Notes of directors to all entrants of an event.
 *
 * @typedef {import("../types").TeamEvent} TeamEvent
 * @typedef {TeamEvent["notes"][number]} Note
 * @typedef {{ event: TeamEvent, onChange: () => void }} Props
 */
import { html, useState } from "../../vendor/preact-htm.js";
import { theAccount } from "../api/account.js";
import { call } from "../api/client.js";
import { Player } from "../people/player.js";
import { momentText } from "../texts/texts.js";
import { Field } from "../ui/fields.js";
import { useAttempt } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { say } from "../teams/words.js";

/** Longest note, characters. */
const LONGEST = 300;

/** The notes, and for directors the form of another one. @param {Props & { directs?: boolean }} props */
export function Notes({ event, onChange, directs = false }) {
  const writes = directs && event.status !== "over";
  if (!writes && !event.notes.length) return null;
  return html`
    <section class="box" aria-label=${say("notes")}>
      <h2>${say("notes")}</h2>
      ${
        writes &&
        html`
          <${Draft} event=${event} onChange=${onChange} />
        `
      }
      <ul class="past">
        ${event.notes.map(
          (note) => html`
            <li key=${note.note}>
              <${Sent} event=${event} note=${note} directs=${directs} onChange=${onChange} />
            </li>
          `,
        )}
      </ul>
    </section>
  `;
}

/** @param {Props & { note: Note, directs: boolean }} props */
function Sent({ event, note, directs, onChange }) {
  const { attempt, busy, problem } = useAttempt();
  const [done, setDone] = useState(false);
  const path = `/team-events/${event.event}`;
  const take = () =>
    attempt(() => call("DELETE", `${path}/notes/${note.note}`, undefined, { once: true }).then(onChange));
  const report = () =>
    attempt(async () => {
      await call("POST", `${path}/reports`, { comment: note.note, reason: "chat" });
      setDone(true);
    });
  return html`
    <p>
      ${note.text ?? say("notes.muted")}
      <br />
      <span class="hint">
        ${momentText(note.at)}${" "}
        <${Player} player=${note.by} name=${note.name ?? ""} plain=${true} />
      </span>
    </p>
    <${Refusal} problem=${problem} />
    <div class="buttons">
      ${
        directs &&
        html`
          <button type="button" disabled=${busy} onClick=${take}>${say("notes.remove")}</button>
        `
      }
      ${
        !directs &&
        note.by !== theAccount().player &&
        html`
          <button type="button" disabled=${busy || done} onClick=${report}>
            ${say(done ? "notes.reported" : "notes.report")}
          </button>
        `
      }
    </div>
  `;
}

/** Writes a note. @param {Props} props */
function Draft({ event, onChange }) {
  const [text, setText] = useState("");
  const { attempt, busy, problem } = useAttempt();
  const submit = (/** @type {Event} */ submitted) => {
    submitted.preventDefault();
    attempt(async () => {
      await call("POST", `/team-events/${event.event}/notes`, { text: text.trim() });
      setText("");
      onChange();
    });
  };
  return html`
    <form class="inline" onSubmit=${submit}>
      <p class="hint">${say("notes.how")}</p>
      <${Field}
        label=${say("notes.write")}
        name="note"
        required
        maxlength=${LONGEST}
        autocomplete="off"
        value=${text}
        onChange=${setText}
      />
      <${Refusal} problem=${problem} />
      <div class="buttons"><button type="submit" disabled=${busy}>${say("notes.send")}</button></div>
    </form>
  `;
}
