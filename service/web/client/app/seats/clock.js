/** The time that is left for a decision, as a bar that empties and as seconds. */
import { html } from "../../vendor/preact-htm.js";
import { t } from "../texts/texts.js";
import { useTicks } from "../ui/hooks.js";

/** @param {{ decision: import("../types").Decision, now: () => number, seconds?: boolean }} props */
export function Clock({ decision, now, seconds = false }) {
  const left = decision.deadline_at ? Math.max(0, Date.parse(decision.deadline_at) - now()) : 0;
  const full = Math.max(decision.remaining_ms ?? left, left, 1);
  // A bar for a long time moves too slowly to see; updating it more often would only cost time.
  useTicks(decision.deadline_at !== null, seconds || left < 20_000 ? 500 : Math.min(full / 100, 5000));
  if (!decision.deadline_at) return null;
  return html`
    <span
      class=${`clock${left < 6_000 ? " soon" : ""}`}
      role=${seconds ? "timer" : undefined}
      aria-label=${seconds ? t("time.left") : undefined}
      aria-hidden=${seconds ? undefined : "true"}
    >
      <span class="bar" aria-hidden="true"><span style=${{ scale: `${left / full} 1` }}></span></span>
      ${
        seconds &&
        html`
          <span class="seconds">${shown(Math.ceil(left / 1000))}</span>
        `
      }
    </span>
  `;
}

/** Seconds; from two minutes on minutes and seconds, from two hours on hours, from two days on days and hours.
 * @param {number} seconds
 */
function shown(seconds) {
  if (seconds < 120) return seconds;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const hours = Math.floor(seconds / 3600);
  if (hours < 48) return t("time.hours", { count: hours });
  return t("time.days", { count: Math.floor(hours / 24), hours: hours % 24 });
}
