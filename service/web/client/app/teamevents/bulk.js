/**
 * Entries by a list, pasted or from a file: the service reads it, and says of each line what is wrong.
 *
 * @typedef {import("../types").TeamEvent} TeamEvent
 */
import { html, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { aiLevels } from "../games/setup.js";
import { Select, titled } from "../ui/fields.js";
import { useAttempt, useLoaded } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { withNames } from "../teams/entries.js";
import { say } from "../teams/words.js";

/** Longest list, characters. */
const LONGEST = 20_000;

/** Enters many teams at once, one per line. @param {{ event: TeamEvent, onChange: () => void }} props */
export function Bulk({ event, onChange }) {
  const [list, setList] = useState("");
  const [level, setLevel] = useState("normal");
  const { value: levels = [] } = useLoaded(aiLevels, []);
  const { attempt, busy, problem } = useAttempt();
  const submit = (/** @type {Event} */ submitted) => {
    submitted.preventDefault();
    attempt(async () => {
      await call("POST", `/team-events/${event.event}/entry-list`, { list, level }, { once: true });
      setList("");
    }).finally(onChange);
  };
  const read = async (/** @type {any} */ { target }) => {
    const text = await target.files[0]?.text();
    if (text) setList(text.slice(0, LONGEST));
  };
  return html`
    <form class="inline" onSubmit=${submit}>
      <label>
        ${say("bulk.lines")}
        <textarea
          name="teams"
          rows="4"
          required
          maxlength=${LONGEST}
          aria-describedby="bulk-how"
          value=${list}
          onInput=${(/** @type {any} */ input) => setList(input.target.value)}
        ></textarea>
      </label>
      <p class="hint" id="bulk-how">${say(event.size === event.players ? "bulk.how" : "bulk.how.people")}</p>
      <label>
        ${say("bulk.file")}
        <input type="file" accept=".csv,.txt,text/csv,text/plain" onChange=${read} />
      </label>
      <label>
        ${say("bulk.level")}
        <${Select} value=${level} options=${titled(levels)} onChange=${setLevel} />
      </label>
      <${Refusal} problem=${problem && withNames(problem, event)} />
      <div class="buttons"><button type="submit" class="main" disabled=${busy}>${say("bulk.enter")}</button></div>
    </form>
  `;
}
