/** The bell: whether and when to be notified of a turn while no page is open. */
import { html, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { pushKey, subscribe, unsubscribe } from "../api/push.js";
import { t } from "../texts/texts.js";
import { useAccount, useAttempt, useInOrder, useLoaded } from "../ui/hooks.js";
import { Icon } from "../ui/icon.js";
import { Refusal } from "../ui/refusal.js";
import { Select, Span } from "../ui/fields.js";

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
      <${Refusal} problem=${problem} />
      ${
        push &&
        html`
          <${Choices} table=${table} />
        `
      }
    </section>
  `;
}

/** The levels of notices. @returns {import("../ui/fields.js").Option[]} */
const levels = () => LEVELS.map((level) => [level, t(`notice.${level}`)]);

/** The choice of what the player's devices are told. @param {{ table?: string }} props */
function Choices({ table }) {
  const loaded = useLoaded(async () => /** @type {NoticeChoice} */ (await call("GET", "/me/notices")), []);
  const [changed, setChanged] = useState(/** @type {NoticeChoice | null} */ (null));
  const { attempt, problem } = useAttempt();
  const inOrder = useInOrder();
  const chosen = changed ?? loaded.value;
  if (!chosen) return null;
  const change = (/** @type {object} */ changes) =>
    inOrder(() => attempt(async () => setChanged(await call("PATCH", "/me/notices", changes, { once: true }))));
  return html`
    <div class="settings">
      <label>
        ${t("notices.what")}
        <${Select}
          value=${chosen.notify}
          options=${levels()}
          onChange=${(/** @type {string} */ notify) => change({ notify })}
        />
      </label>
      ${
        table &&
        html`
          <label>
            ${t("notices.table")}
            <${Select}
              value=${chosen.tables[table] ?? "default"}
              options=${[["default", t("notice.default")], ...levels()]}
              onChange=${(/** @type {string} */ level) => change({ tables: { [table]: level } })}
            />
          </label>
        `
      }
      <label>
        ${t("notices.after")}
        <${Select}
          value=${chosen.after_ms}
          options=${AFTER.map((ms) => [ms, t("notices.after.seconds", { count: ms / 1000 })])}
          onChange=${(/** @type {string} */ ms) => change({ after_ms: Number(ms) })}
        />
      </label>
      <${QuietHours}
        hours=${chosen.quiet_hours}
        onChange=${(/** @type {object} */ hours) => change({ quiet_hours: hours })}
      />
      <${Refusal} problem=${problem} />
    </div>
  `;
}

/** @typedef {{ hours: NoticeChoice["quiet_hours"], onChange: (hours: object) => unknown }} QuietHoursProps */

/** When the devices are told nothing. @param {QuietHoursProps} props */
function QuietHours({ hours, onChange }) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const quiet = hours ?? { start: "22:00", end: "22:00", time_zone: timeZone };
  return html`
    <${Span} span=${quiet} from=${t("notices.quiet.from")} until=${t("notices.quiet.until")} onChange=${onChange} />
    <p class="hint">${t(hours ? "notices.quiet" : "notices.quiet.none")}</p>
  `;
}
