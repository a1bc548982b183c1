/**
 * The standings of an event of teams.
 *
 * @typedef {import("../types").TeamEvent} TeamEvent
 * @typedef {import("../types").TeamStandings} Standings
 */
import { html } from "../../vendor/preact-htm.js";
import { signed, t } from "../texts/texts.js";
import { criterionText } from "./forms.js";
import { say } from "./words.js";

/** Criteria that may be below 0. */
const SIGNED = new Set(["steps", "margin"]);

/** The ranks, with what decides them. @param {{ event: TeamEvent, standings?: Standings }} props */
export function Places({ event: { ranks = [], mine, size, players }, standings }) {
  if (!standings?.items.length) return null;
  return html`
    <section>
      <h2>${t("event.standings")}</h2>
      <table class="results" aria-label=${t("event.standings")}>
        <thead>
          <tr>
            <th scope="col" class="number">${t("leaderboard.place")}</th>
            <th scope="col">${say(size < players ? "entrant" : "team")}</th>
            ${ranks.map(
              (criterion) => html`
                <th scope="col" class="number" key=${criterion}>${criterionText(criterion)}</th>
              `,
            )}
          </tr>
        </thead>
        <tbody>
          ${standings.items.map(
            (row) => html`
              <${Place} key=${row.team} row=${row} isMine=${row.team === mine.team} />
            `,
          )}
        </tbody>
      </table>
    </section>
  `;
}

/** A row of the standings. @param {{ row: Standings["items"][number], isMine: boolean }} props */
function Place({ row, isMine }) {
  const adjusted = row.matches.reduce((sum, each) => sum + each.adjusted, 0);
  const hints = [
    row.penalty > 0 && say("penalized", { amount: row.penalty, reason: row.penalty_reason ?? "" }),
    (row.streak ?? 0) > 1 && say("streak", { count: row.streak ?? 0 }),
    row.line && say("line", { number: row.line }),
    row.withdrawn && say("withdrawn"),
    adjusted > 0 && say("adjusted", { count: adjusted }),
  ].filter(Boolean);
  return html`
    <tr class=${isMine ? "me" : ""}>
      <td class="number">${row.rank}</td>
      <th scope="row">
        ${row.name}${hints.map(
          (hint) => html`
            <span class="hint" key=${hint}>${" "}${hint}</span>
          `,
        )}
      </th>
      ${row.criteria?.map(
        ({ name, value }) => html`
          <td class="number" key=${name}>${value === null ? "" : SIGNED.has(name) ? signed(value) : value}</td>
        `,
      )}
    </tr>
  `;
}
