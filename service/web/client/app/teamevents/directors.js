/**
 * The directors of a team event: who leads it names the others, and passes on the lead.
 *
 * @typedef {import("../types").TeamEvent} TeamEvent
 * @typedef {TeamEvent["directors"][number]} Director
 * @typedef {{ event: TeamEvent, onChange: () => void }} Props
 */
import { html, useState } from "../../vendor/preact-htm.js";
import { theAccount } from "../api/account.js";
import { call } from "../api/client.js";
import { codeIn } from "../people/person.js";
import { Player } from "../people/player.js";
import { Field } from "../ui/fields.js";
import { useAttempt } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { withNames } from "../teams/entries.js";
import { say } from "../teams/words.js";

/** The directors, with what the reader may change. @param {Props} props */
export function Directors({ event, onChange }) {
  const { attempt, busy, problem } = useAttempt();
  const path = `/team-events/${event.event}`;
  const change = (
    /** @type {"PUT" | "DELETE"} */ method,
    /** @type {string} */ part,
    /** @type {object} */ body = {},
  ) => attempt(() => call(method, path + part, body, { once: true })).finally(onChange);
  const isOver = event.status === "over";
  const isMine = event.directors.some(({ player, leads }) => leads && player === theAccount().player);
  return html`
    <details class="box">
      <summary>${say("directors")}</summary>
      <p class="hint">${say("directors.how")}</p>
      <ul class="devices">
        ${event.directors.map(
          (director) => html`
            <li key=${director.player}>
              <div class="device">
                <b><${Player} player=${director.player} name=${director.name ?? ""} /></b>
                <span class="hint">${standingText(director)}</span>
              </div>
              ${
                !isOver &&
                html`
                  <${Buttons} director=${director} isMine=${isMine} busy=${busy} change=${change} />
                `
              }
            </li>
          `,
        )}
      </ul>
      <${Refusal} problem=${problem && withNames(problem, event)} />
      ${
        isMine &&
        !isOver &&
        html`
          <${Name} busy=${busy} onName=${(/** @type {string} */ player) => change("PUT", `/directors/${player}`)} />
        `
      }
    </details>
  `;
}

/** @param {Director} director */
const standingText = ({ leads, offered }) => (leads ? say("directors.leads") : offered ? say("directors.offered") : "");

/**
 * @typedef {object} ButtonsProps
 * @property {Director} director
 * @property {boolean} isMine whether the reader leads the event
 * @property {boolean} busy
 * @property {(method: "PUT" | "DELETE", part: string, body?: object) => Promise<unknown>} change
 */

/** What the reader may do about a director. @param {ButtonsProps} props */
function Buttons({ director: { player, name, leads, offered }, isMine, busy, change }) {
  const isMe = player === theAccount().player;
  const button = (/** @type {Parameters<typeof say>[0]} */ text, /** @type {() => unknown} */ act) => html`
    <button type="button" disabled=${busy} aria-label=${say(text, { name: name ?? "" })} onClick=${act}>
      ${say(text, { name: name ?? "" })}
    </button>
  `;
  const lead = (/** @type {string} */ to) => change("PUT", "/director", { player: to });
  return html`
    <div class="buttons">
      ${isMine && !leads && !offered && button("directors.offer", () => lead(player))}
      ${isMine && offered && button("directors.offer.back", () => lead(theAccount().player ?? ""))}
      ${isMe && offered && button("directors.take", () => lead(player))}
      ${
        !leads &&
        (isMine || isMe) &&
        button(isMe ? "directors.leave" : "directors.remove", () => change("DELETE", `/directors/${player}`))
      }
    </div>
  `;
}

/** Names another director by code or link. @param {{ busy: boolean, onName: (player: string) => unknown }} props */
function Name({ busy, onName }) {
  const [code, setCode] = useState("");
  const submit = (/** @type {Event} */ submitted) => {
    submitted.preventDefault();
    onName(encodeURIComponent(codeIn(code) ?? code.trim()));
    setCode("");
  };
  return html`
    <form class="inline" onSubmit=${submit}>
      <${Field}
        label=${say("directors.code")}
        name="director"
        required
        maxlength="200"
        autocomplete="off"
        value=${code}
        onChange=${setCode}
      />
      <div class="buttons"><button type="submit" disabled=${busy}>${say("directors.name")}</button></div>
    </form>
  `;
}
