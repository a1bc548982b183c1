/** Events of equal deals: the latest ones, on the start page. */
import { html } from "../../vendor/preact-htm.js";
import { PlayersPage } from "../account/signin.js";
import { call } from "../api/client.js";
import { dayText, momentText, t } from "../texts/texts.js";
import { useLoaded, usePages } from "../ui/hooks.js";
import { useGameNames } from "../games/hooks.js";

/** Events on the start page: two games, today and yesterday. */
const SHOWN = 4;

/** The latest events: on the start page, and for bots with the leaderboard. @param {{ bots?: boolean }} props */
export function Events({ bots = false }) {
  const { value: all = [] } = useLoaded(
    async () =>
      /** @type {import("../types").EventSummary[]} */ ((await call("GET", `/events${bots ? "?for=bots" : ""}`)).items),
    [],
  );
  const nameOf = useGameNames();
  const events = all.filter(({ status }) => status !== "coming");
  if (!events.length) return null;
  return html`
    <section>
      <h2>${t(bots ? "event.bots" : "event.today")}</h2>
      <p class="hint">${t(bots ? "event.bots.about" : "event.about")}</p>
      <ul class="events" aria-label=${t(bots ? "event.bots" : "event.today")}>
        ${events.slice(0, SHOWN).map(
          (each) => html`
            <li key=${each.event}>
              <a href=${`#/event/${each.event}`}>
                <b>${nameOf(each.ruleset)}</b>
                <span>
                  ${dayText(each.opens_at)}${" · "}${each.status === "over" ? t("event.over") : bots ? t("event.bots.open", { until: momentText(each.closes_at) }) : t("event.played", { played: each.played, boards: each.boards })}
                </span>
              </a>
            </li>
          `,
        )}
      </ul>
    </section>
  `;
}

/** A page of the events. */
export const EventsScreen = () => html`
  <${PlayersPage} title=${t("event.today")}>
    <${Events} />
    <p class="ways"><a href="#/riddles">${t("riddles")}</a></p>
    <${TeamEvents} />
  <//>
`;

/** Most team events on the start page, of those that are not over. */
export const TeamEvents = () => html`
  <section class="team-events">
    <h2>${t("teams")}</h2>
    <${TeamEventList} most=${2} />
    <p class="ways"><a href="#/teams">${t("teams.all")}</a></p>
  </section>
`;

/** How far a team event has come. @param {import("../types").TeamEventSummary} event */
export const teamEventText = ({ status, round, rounds, teams }) =>
  status === "entries"
    ? t("teams.entries", { count: teams })
    : status === "over"
      ? t("event.over")
      : t("teams.playing", { round, rounds });

/** @param {{ most?: number }} props `most`: show at most this many, of those that are not over; left out: all */
export function TeamEventList({ most }) {
  const { items, more } = usePages("/team-events?limit=20");
  const events = /** @type {import("../types").ListedTeamEvent[] | undefined} */ (items);
  const nameOf = useGameNames();
  if (!events) return null;
  const shown = most ? events.filter(({ status }) => status !== "over").slice(0, most) : events;
  if (!shown.length)
    return html`
      <p class="hint">${t("teams.none.yet")}</p>
    `;
  return html`
    <ul class="events" aria-label=${t("teams")}>
      ${shown.map(
        (each) => html`
          <li key=${each.event}>
            <a href=${`#/teams/${each.event}`}>
              <b>${each.name}</b>
              <span>${nameOf(each.ruleset)} · ${teamEventText(each)}</span>
              ${
                each.status !== "over" &&
                each.mine.team &&
                html`
                  <span class="badge">${t(each.mine.confirmed ? "teams.in" : "teams.agree")}</span>
                `
              }
            </a>
          </li>
        `,
      )}
    </ul>
    ${
      !most &&
      more &&
      html`
        <div class="buttons"><button type="button" onClick=${more}>${t("more")}</button></div>
      `
    }
  `;
}
