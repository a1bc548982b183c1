/** The bell: whether and when to be notified of a turn while no page is open. */
import { html, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { pushKey, subscribe, unsubscribe } from "../api/push.js";
import { t } from "../texts/texts.js";
import { useAccount, useAttempt, useLoaded } from "../ui/hooks.js";
import { Icon } from "../ui/icon.js";
import { Refusal } from "../ui/refusal.js";

/** @typedef {import("../types").NoticeChoice} NoticeChoice */

const LEVELS = /** @type {const} */ (["all", "turns", "nothing"]);
/** After how many milliseconds. */
const AFTER = /** @type {const} */ ([20_000, 60_000, 300_000]);

/** @param {{ table?: string }} props `table`: for this table only; left out: for all */
export function Bell({ table }) {
  const { push, token } = useAccount();
  const { value: key } = useLoaded(pushKey, [token]);
  const { attempt, busy, problem } = useAttempt();
  const [denied, setDenied] = useState(false);
  if (!key) return null;
  const ring = () => attempt(async () => (push ? unsubscribe() : setDenied(!(await subscribe(key)))));
  return html`
    <section class="bell">
      <button type="button" aria-pressed=${push ? "true" : "false"} disabled=${busy} onClick=${ring}>
        <${Icon} name="bell" />
        ${t("bell")}
      </button>
      ${
        denied &&
        html`
          <p role="alert">${t("bell.denied")}</p>
        `
      }
      ${
        problem &&
        html`
          <${Refusal} problem=${problem} />
        `
      }
      ${
        push &&
        html`
          <${Choices} table=${table} />
        `
      }
    </section>
  `;
}

/** The choice of what the player's devices are told. @param {{ table?: string }} props */
function Choices({ table }) {
  const loaded = useLoaded(async () => /** @type {NoticeChoice} */ (await call("GET", "/me/notices")), []);
  const [changed, setChanged] = useState(/** @type {NoticeChoice | null} */ (null));
  const { attempt, problem } = useAttempt();
  const chosen = changed ?? loaded.value;
  if (!chosen) return null;
  const change = (/** @type {object} */ changes) =>
    attempt(async () => setChanged(await call("PATCH", "/me/notices", changes, { once: true })));
  const value = (/** @type {any} */ event) => event.target.value;
  const quiet = chosen.quiet_hours ?? {
    start: "22:00",
    end: "22:00",
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
  const hours = (/** @type {object} */ part) => change({ quiet_hours: { ...quiet, ...part } });
  return html`
    <div class="settings">
      <label>
        ${t("notices.what")}
        <select value=${chosen.notify} onChange=${(/** @type {Event} */ event) => change({ notify: value(event) })}>
          ${LEVELS.map(
            (level) => html`
              <option value=${level}>${t(`notice.${level}`)}</option>
            `,
          )}
        </select>
      </label>
      ${
        table &&
        html`
          <label>
            ${t("notices.table")}
            <select
              value=${chosen.tables[table] ?? "default"}
              onChange=${(/** @type {Event} */ event) => change({ tables: { [table]: value(event) } })}
            >
              <option value="default">${t("notice.default")}</option>
              ${LEVELS.map(
                (level) => html`
                  <option value=${level}>${t(`notice.${level}`)}</option>
                `,
              )}
            </select>
          </label>
        `
      }
      <label>
        ${t("notices.after")}
        <select
          value=${chosen.after_ms}
          onChange=${(/** @type {Event} */ event) => change({ after_ms: Number(value(event)) })}
        >
          ${AFTER.map(
            (ms) => html`
              <option value=${ms}>${t("notices.after.seconds", { count: ms / 1000 })}</option>
            `,
          )}
        </select>
      </label>
      <label>
        ${t("notices.quiet.from")}
        <input
          type="time"
          required
          value=${quiet.start}
          onChange=${(/** @type {any} */ event) => event.target.value && hours({ start: event.target.value })}
        />
      </label>
      <label>
        ${t("notices.quiet.until")}
        <input
          type="time"
          required
          value=${quiet.end}
          onChange=${(/** @type {any} */ event) => event.target.value && hours({ end: event.target.value })}
        />
      </label>
      <p class="hint">${t(chosen.quiet_hours ? "notices.quiet" : "notices.quiet.none")}</p>
      ${
        problem &&
        html`
          <${Refusal} problem=${problem} />
        `
      }
    </div>
  `;
}
