/** Between the rounds of a game: who sits where, the time to think, and who plays for those who are away. */
import { html } from "../../vendor/preact-htm.js";
import { LengthField } from "../games/length.js";
import { aiLevels, clockOf, TIMES, timeText } from "../games/setup.js";
import { t } from "../texts/texts.js";
import { useLoaded } from "../ui/hooks.js";
import { isHost, Seating } from "./seating.js";
import { Select, titled } from "../ui/fields.js";

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
        <${Select}
          value=${seconds}
          options=${times.map((time) => [time, timeText(time)])}
          onChange=${(/** @type {string} */ time) => change({ clock: clockOf(Number(time)) })}
        />
      </label>
      <label>
        ${t("ai.takeover")}
        <${Select}
          value=${view.settings.takeover_level ?? levels[0]?.id}
          options=${titled(levels)}
          onChange=${(/** @type {string} */ takeover_level) => change({ takeover_level })}
        />
      </label>
    </div>
    ${
      view.status !== "playing" &&
      html`
        <${LengthField}
          ruleset=${view.ruleset}
          length=${settings.length}
          onChange=${(/** @type {object} */ length = {}) => change({ length })}
        />
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
      <${Select}
        value=${now?.id ?? ""}
        options=${[...(now ? [] : [["", t("preset.own")]]), ...titled(presets)]}
        onChange=${change}
      />
    </label>
  `;
}
