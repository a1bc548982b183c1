/** A season of a club: its standings, its events, and what owners and directors change. */
import { html } from "../../vendor/preact-htm.js";
import { PlayersPage } from "../account/signin.js";
import { call } from "../api/client.js";
import { Player } from "../people/player.js";
import { dateText, decimal, t } from "../texts/texts.js";
import { useAccount, useLoaded, useRepeated } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { Sure } from "../ui/sure.js";
import { SeasonForm } from "./seasonform.js";
import { spanText } from "./seasons.js";
import { pointsText, say } from "./words.js";

/**
 * @typedef {import("../types").ClubSeasonStandings} Standings
 * @typedef {Standings["standings"][number]} Row
 */

/** How often a season is read while the page is visible, ms. */
const LOOK_MS = 60_000;

/** Points, with decimal places if they have some. @param {number} points */
const numberText = (points) => decimal(points, Number.isInteger(points) ? 0 : 2);

/** @param {{ club: string, season: string }} props */
export function SeasonScreen({ club, season }) {
  const { token } = useAccount();
  const path = `/clubs/${club}/seasons/${season}`;
  const { value, error, again } = useLoaded(
    async () =>
      token
        ? {
            own: /** @type {import("../types").Club} */ (await call("GET", `/clubs/${club}`)),
            read: /** @type {Standings} */ (await call("GET", path)),
          }
        : undefined,
    [club, season, token],
  );
  useRepeated(again, LOOK_MS);
  return html`
    <${PlayersPage} title=${value?.read.name ?? say("season")} from=${`#/club/${club}`}>
      <${Refusal} problem=${error?.problem} />
      ${
        value
          ? html`
              <p class="hint">${about(value.read)}</p>
              <div class="room">
                <${Table} season=${value.read} />
                <${Events} season=${value.read} />
                <${Power} role=${value.own.role} club=${club} season=${value.read} path=${path} again=${again} />
              </div>
            `
          : !error &&
            html`
              <p class="loading" role="status">${t("loading")}</p>
            `
      }
    <//>
  `;
}

/** What counts, in a line. @param {Standings} season */
const about = (season) =>
  [
    spanText(season),
    pointsText(season.points),
    season.best > 0 && say("season_best_of", { count: season.best }),
    season.over && say("over"),
  ]
    .filter(Boolean)
    .join(" · ");

/** @param {{ season: Standings }} props */
function Table({ season: { standings, played } }) {
  const names = new Map(played.map(({ event, name }) => [event, name]));
  if (!standings.length)
    return html`
      <p class="hint">${say("season_empty")}</p>
    `;
  return html`
    <section>
      <h2>${say("season_standings")}</h2>
      <table class="results" aria-label=${say("season_standings")}>
        <thead>
          <tr>
            <th scope="col" class="number">${t("leaderboard.place")}</th>
            <th scope="col">${t("player")}</th>
            <th scope="col" class="number">${say("points")}</th>
          </tr>
        </thead>
        <tbody>
          ${standings.map(
            (row, at) => html`
              <${SeasonRow} key=${row.player ?? at} row=${row} names=${names} />
            `,
          )}
        </tbody>
      </table>
      <p class="hint">${say("season_how")}</p>
    </section>
  `;
}

/** A player, and what each event counts. @param {{ row: Row, names: Map<string, string> }} props */
function SeasonRow({ row: { rank, player, name, points, results }, names }) {
  const { player: me } = useAccount();
  return html`
    <tr class=${player && player === me ? "me" : ""}>
      <td class="number">${rank}</td>
      <th scope="row">
        ${
          player && name
            ? html`
                <${Player} player=${player} name=${name} />
              `
            : t("player.deleted")
        }
        <details>
          <summary>${say("season_counted", { count: results.filter(({ counted }) => counted).length })}</summary>
          <ul>
            ${results.map(
              ({ event, place, of, points: each, counted }) => html`
                <li key=${event}>
                  ${say(counted ? "season_line" : "season_line_not", {
                    event: names.get(event) || say("event_removed"),
                    place,
                    of,
                    points: numberText(each),
                  })}
                </li>
              `,
            )}
          </ul>
        </details>
      </th>
      <td class="number">${numberText(points)}</td>
    </tr>
  `;
}

/** @param {{ season: Standings }} props */
const Events = ({ season: { played } }) =>
  played.length > 0 &&
  html`
    <section>
      <h2>${say("events")}</h2>
      <ul class="events" aria-label=${say("events")}>
        ${played.map(
          ({ event, name, began_at, counts }) => html`
            <li key=${event}>
              <a href=${`#/teams/${event}`}>
                <b>${name || say("event_removed")}</b>
                <span>${dateText(began_at)}${!counts && ` · ${say("season_runs")}`}</span>
              </a>
            </li>
          `,
        )}
      </ul>
    </section>
  `;

/**
 * What owners and directors do.
 * @param {{ role: string | null | undefined, club: string, season: Standings, path: string, again: () => void }} props
 */
function Power({ role, club, season, path, again }) {
  if (role !== "owner" && role !== "director") return null;
  const save = async (/** @type {object} */ changes) => {
    await call("PATCH", path, changes);
    again();
  };
  const remove = async () => {
    await call("DELETE", path);
    location.replace(`#/club/${club}`);
  };
  return html`
    ${
      !season.over &&
      html`
        <details>
          <summary>${say("season_change")}</summary>
          <${SeasonForm} club=${club} before=${season} button=${say("save")} save=${save} />
        </details>
      `
    }
    ${
      role === "owner" &&
      html`
        <section class="leaving">
          <${Sure}
            label=${say("season_delete")}
            question=${say("season_delete_sure")}
            yes=${say("season_delete_yes")}
            act=${remove}
          />
        </section>
      `
    }
  `;
}
