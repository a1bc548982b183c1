/** The latest events of equal deals, on the start page. */
import { html } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { dayText, t } from "../texts/texts.js";
import { useGameNames, useLoaded } from "./hooks.js";

/** Events on the start page: two games, today and yesterday. */
const SHOWN = 4;

/** The latest events, on the start page. */
export function TodaysBoards() {
  const { value: events = [] } = useLoaded(async () => /** @type {import("../types").EventSummary[]} */ ((await call("GET", "/events")).items), []);
  const nameOf = useGameNames();
  if (!events.length) return null;
  return html`<section><h2>${t("event.today")}</h2><p class="hint">${t("event.about")}</p><ul class="events">
    ${events.slice(0, SHOWN).map(
      (each) => html`<li key=${each.event}><a href=${`#/event/${each.event}`}>
        <b>${nameOf(each.ruleset)}</b>
        <span>${dayText(each.opens_at)} · ${each.status === "over" ? t("event.over") : t("event.played", { played: each.played, boards: each.boards })}</span>
      </a></li>`,
    )}
  </ul></section>`;
}
