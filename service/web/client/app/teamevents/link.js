/**
 * The link to a team event, which its directors give away: with a secret code, if they want entries by it alone.
 *
 * @typedef {import("../types").TeamEvent} TeamEvent
 */
import { html, useRef, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { sharedLink } from "../texts/links.js";
import { t } from "../texts/texts.js";
import { copied } from "../ui/copy.js";
import { useAttempt } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { say } from "../teams/words.js";

/** The address of an event; `code` opens it for entries. @param {TeamEvent} event */
const hashOf = ({ event, link }) => `#/teams/${event}${link ? `?code=${encodeURIComponent(link.code)}` : ""}`;

/** @param {{ event: TeamEvent, onChange: () => void }} props */
export function Link({ event, onChange }) {
  const [done, setDone] = useState("");
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const { attempt, busy, problem } = useAttempt();
  const link = sharedLink("event", hashOf(event));
  const path = `/team-events/${event.event}/link`;
  const renew = () => attempt(() => call("PUT", path, { required: true }, { once: true })).finally(onChange);
  const end = () => attempt(() => call("DELETE", path, undefined, { once: true })).finally(onChange);
  const copy = async () => setDone((await copied(link, field.current)) ? link : "");
  return html`
    <section class="box">
      <label>
        ${say("link")}
        <input
          type="text"
          ref=${field}
          readonly
          value=${link}
          onFocus=${(/** @type {any} */ focused) => focused.target.select()}
        />
      </label>
      <p class="hint">${say(event.link ? "link.only" : "link.open")}</p>
      <${Refusal} problem=${problem} />
      <div class="buttons">
        <button type="button" onClick=${copy}>${t(done === link ? "copied" : "copy")}</button>
        ${
          event.status !== "over" &&
          html`
            <button type="button" disabled=${busy} onClick=${renew}>
              ${say(event.link ? "link.renew" : "link.make")}
            </button>
            ${
              event.link &&
              html`
                <button type="button" disabled=${busy} onClick=${end}>${say("link.end")}</button>
              `
            }
          `
        }
      </div>
    </section>
  `;
}
