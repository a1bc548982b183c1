/** Between the rounds of a game: who sits where, the time to think, and who plays for those who are away. */
import { html } from "../../vendor/preact-htm.js";
import { aiLevels, clockOf, TIMES, timeText } from "../game/setup.js";
import { ofCatalogue, t } from "../texts/texts.js";
import { useLoaded } from "./hooks.js";
import { isHost, Seating } from "./seating.js";

/** @param {{ session: import("../table/session.js").Session, view: import("../types").View, code?: string }} props */
export function Between({ session, view, code }) {
  return html`<details class="lobby-table between">
    <summary>${t("between.title")}</summary>
    <${Seating} session=${session} view=${view} code=${code} />
    ${view.settings.spectators === "open" && html`<p class="hint">${t("waiting.open")}</p>`}
    ${isHost(view) && html`<${Conditions} session=${session} view=${view} />`}
  </details>`;
}

/** What the host may change. @param {{ session: import("../table/session.js").Session, view: import("../types").View }} props */
function Conditions({ session, view }) {
  const { value: levels = [] } = useLoaded(aiLevels, []);
  const seconds = view.clock.play_ms / 1000;
  const times = TIMES.includes(seconds) ? TIMES : [...TIMES, seconds].sort((one, other) => one - other);
  // What others have changed meanwhile does not matter: this is the value that it shall have.
  const change = (/** @type {object} */ changes) => session.send("PATCH", "", changes, "settings", { "If-Match": "*" });
  return html`<div class="pair">
    <label>${t("create.time")}<select value=${seconds} onChange=${(/** @type {any} */ event) => change({ clock: clockOf(Number(event.target.value)) })}>
      ${times.map((time) => html`<option value=${time}>${timeText(time)}</option>`)}
    </select></label>
    <label>${t("ai.takeover")}<select value=${view.settings.takeover_level ?? levels[0]?.id} onChange=${(/** @type {any} */ event) => change({ takeover_level: event.target.value })}>
      ${levels.map(({ id, title }) => html`<option value=${id}>${ofCatalogue(title)}</option>`)}
    </select></label>
  </div>`;
}
