/** Between the rounds of a game: who sits where, the time to think, and who plays for those who are away. */
import { html } from "../../vendor/preact-htm.js";
import { aiLevels, clockOf, TIMES, timeText } from "../games/setup.js";
import { ofCatalogue, t } from "../texts/texts.js";
import { useLoaded } from "../ui/hooks.js";
import { isHost, Seating } from "./seating.js";

/** @param {{ session: import("../live/session.js").Session, view: import("../types").View, code?: string }} props */
export function Between({ session, view, code }) {
  return html`
    <details class="lobby-table between">
      <summary>${t("between.title")}</summary>
      <${Seating} session=${session} view=${view} code=${code} />
      ${
        view.settings.spectators === "open" &&
        html`
          <p class="hint">${t("waiting.open")}</p>
        `
      }
      ${
        isHost(view) &&
        html`
          <${Conditions} session=${session} view=${view} />
        `
      }
    </details>
  `;
}

/**
 * What the host may change between rounds, and before a game.
 * @param {{ session: import("../live/session.js").Session, view: import("../types").View }} props
 */
export function Conditions({ session, view }) {
  const { value: levels = [] } = useLoaded(aiLevels, []);
  const seconds = view.clock.play_ms / 1000;
  const times = TIMES.includes(seconds) ? TIMES : [...TIMES, seconds].sort((one, other) => one - other);
  // Changes made by others meanwhile do not matter: this value is what the host wants.
  const change = (/** @type {object} */ changes) => session.send("PATCH", "", changes, "settings", { "If-Match": "*" });
  const { settings } = view;
  const flag = (/** @type {"random_seats" | "chat" | "take_back"} */ name) => html`
    <label class="check">
      <input
        type="checkbox"
        checked=${Boolean(settings[name])}
        onChange=${(/** @type {any} */ event) => change({ [name]: event.target.checked })}
      />
      ${t(`create.${name}`)}
    </label>
  `;
  return html`
    <div class="pair">
      <label>
        ${t("create.time")}
        <select
          value=${seconds}
          onChange=${(/** @type {any} */ event) => change({ clock: clockOf(Number(event.target.value)) })}
        >
          ${times.map(
            (time) => html`
              <option value=${time}>${timeText(time)}</option>
            `,
          )}
        </select>
      </label>
      <label>
        ${t("ai.takeover")}
        <select
          value=${view.settings.takeover_level ?? levels[0]?.id}
          onChange=${(/** @type {any} */ event) => change({ takeover_level: event.target.value })}
        >
          ${levels.map(
            ({ id, title }) => html`
              <option value=${id}>${ofCatalogue(title)}</option>
            `,
          )}
        </select>
      </label>
    </div>
    ${
      view.status !== "playing" &&
      html`
        <div class="flags">${flag("random_seats")}${flag("take_back")}${flag("chat")}</div>
      `
    }
  `;
}

/**
 * The preset, before a game.
 * @param {{
 *   session: import("../live/session.js").Session,
 *   view: import("../types").View,
 *   rules: import("../games/rules.js").TableRules,
 * }} props
 */
export function WayToPlay({ session, view, rules }) {
  const presets = rules.presets.filter((each) => each.players.includes(view.players));
  const isSo = (/** @type {object} */ options) => JSON.stringify(options) === JSON.stringify(view.options);
  const now = presets.find(({ options }) => isSo(options));
  const change = (/** @type {string} */ id) =>
    session.send("PATCH", "", { options: presets.find((each) => each.id === id)?.options ?? {} }, "settings", {
      "If-Match": "*",
    });
  if (presets.length < 2) return null;
  return html`
    <label>
      ${t("create.preset")}
      <select value=${now?.id ?? ""} onChange=${(/** @type {any} */ event) => change(event.target.value)}>
        ${
          !now &&
          html`
            <option value="">${t("preset.own")}</option>
          `
        }
        ${presets.map(
          (each) => html`
            <option value=${each.id}>${ofCatalogue(each.title)}</option>
          `,
        )}
      </select>
    </label>
  `;
}
