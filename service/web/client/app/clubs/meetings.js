/** What a club holds: tables and team events for its members. */
import { html } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { useGameNames } from "../games/hooks.js";
import { LobbyLink } from "../people/tablelink.js";
import { t } from "../texts/texts.js";
import { useLoaded, usePages, useRepeated } from "../ui/hooks.js";
import { say } from "./words.js";

/** @typedef {import("./club.js").ClubProps} ClubProps */

/** How often the tables are read while the page is visible, ms. */
const LOOK_MS = 20_000;

/** The tables of a club. @param {ClubProps} props */
export function Tables({ club: { club } }) {
  const { value, again } = useLoaded(
    async () => /** @type {import("../types").LobbyTable[]} */ ((await call("GET", `/clubs/${club}/tables`)).items),
    [club],
  );
  useRepeated(again, LOOK_MS);
  return html`
    <section aria-label=${say("tables")}>
      <h2>${say("tables")}</h2>
      ${
        value?.length
          ? html`
              <ul class="my-tables" aria-label=${say("tables")}>
                ${value.map(
                  (each) => html`
                    <li key=${each.table}><${LobbyLink} table=${each} /></li>
                  `,
                )}
              </ul>
            `
          : html`
              <p class="hint">${say("tables_none")}</p>
            `
      }
      <div class="buttons"><a class="button" href=${`#/new?club=${club}`}>${say("table_make")}</a></div>
    </section>
  `;
}

/** How far an event has come. @param {import("../types").ListedTeamEvent} event */
const progressText = ({ status, round, teams }) =>
  status === "entries" ? say("coming", { count: teams }) : status === "over" ? say("over") : say("running", { round });

/** The events of a club, the latest first. @param {ClubProps} props */
export function Events({ club: { club, role } }) {
  const { items, more } = usePages(`/clubs/${club}/events?limit=10`);
  const events = /** @type {import("../types").ListedTeamEvent[] | undefined} */ (items);
  const nameOf = useGameNames();
  return html`
    <section aria-label=${say("events")}>
      <h2>${say("events")}</h2>
      ${
        events?.length
          ? html`
              <ul class="events" aria-label=${say("events")}>
                ${events.map(
                  (each) => html`
                    <li key=${each.event}>
                      <a href=${`#/teams/${each.event}`}>
                        <b>${each.name}</b>
                        <span>${nameOf(each.ruleset)} · ${progressText(each)}</span>
                      </a>
                    </li>
                  `,
                )}
              </ul>
            `
          : events &&
            html`
              <p class="hint">${say("events_none")}</p>
            `
      }
      <div class="buttons">
        ${
          more &&
          html`
            <button type="button" onClick=${more}>${t("more")}</button>
          `
        }
        ${
          role !== "member" &&
          html`
            <a class="button" href=${`#/teams/new?club=${club}`}>${say("event_make")}</a>
          `
        }
      </div>
    </section>
  `;
}
