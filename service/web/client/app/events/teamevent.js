/**
 * A team event: my part in it, the current round, standings, results and teams.
 *
 * @typedef {import("../types").TeamEvent} TeamEvent
 * @typedef {import("../types").TeamStandings} Standings
 */
import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { theAccount } from "../api/account.js";
import { call, Refused } from "../api/client.js";
import { changeNews, onAccountEvent, theNews } from "../api/news.js";
import { Directing } from "./directing.js";
import { teamEventText } from "./events.js";
import { useAttempt, useLoaded, useRepeated } from "../ui/hooks.js";
import { useGameNames } from "../games/hooks.js";
import { OpenRound, PlayedRounds } from "./matches.js";
import { Report } from "../people/person.js";
import { PlayerName } from "../people/player.js";
import { Refusal } from "../ui/refusal.js";
import { PlayersPage } from "../account/signin.js";
import { TeamForm } from "./teamform.js";
import { lacking, myTeam, withNames } from "./entries.js";
import { say } from "./words.js";
import { listed, signed, t } from "../texts/texts.js";

/** How often changes are read, ms; the beginning of a board is announced at once. */
const EVERY_MS = 15_000;
/** How often they are read while the service still does something for a round, which takes seconds. */
const PENDING_MS = 2_000;

/** @param {{ event: string, directs: boolean }} props `directs`: the page of its director */
export const TeamEventScreen = ({ event, directs }) => html`
  <${PlayersPage} title=${say("event")} from="#/teams"><${Event} event=${event} directs=${directs} /><//>
`;

/** @param {{ event: string, directs: boolean }} props */
function Event({ event, directs }) {
  const { value, error, again } = useLoaded(
    async () => /** @type {TeamEvent} */ (await call("GET", `/team-events/${event}`)),
    [event],
  );
  const [changes, setChanges] = useState(0);
  const over = value?.played.filter(({ status }) => status === "over").length ?? 0;
  const { value: standings } = useLoaded(
    async () => (over ? /** @type {Standings} */ (await call("GET", `/team-events/${event}/standings`)) : undefined),
    [event, over, changes],
  );
  const nameOf = useGameNames();
  useRepeated(again, EVERY_MS);
  useEffect(() => {
    const timer = value?.played.some(({ pending }) => pending) ? setTimeout(again, PENDING_MS) : undefined;
    return () => clearTimeout(timer);
  }, [value]);
  useEffect(() => onAccountEvent(({ type }) => void ((type === "seated" || type === "team_entered") && again())), []);
  const changed = () => {
    again();
    setChanges((count) => count + 1);
  };
  if (error instanceof Refused)
    return html`
      <${Refusal} problem=${error.problem} />
    `;
  if (!value)
    return html`
      <p class="loading" role="status">${t("loading")}</p>
    `;
  const link = (/** @type {string} */ to, /** @type {"page" | "direct"} */ text, /** @type {boolean} */ here) => html`
    <a class="button" href=${`#/teams/${event}${to}`} aria-current=${here ? "page" : undefined}>${say(text)}</a>
  `;
  return html`
    <div class="list team-event">
      <h2>${value.name}</h2>
      <p>
        ${say("what", { game: nameOf(value.ruleset), rounds: say("what.rounds", { count: value.rounds }), boards: say("what.boards", { count: value.boards }) })}
        <br />
        <span class="hint" role="status">${teamEventText(value)}</span>
      </p>
      ${
        value.mine.directs &&
        html`
          <nav class="buttons" aria-label=${say("event")}>
            ${link("", "page", !directs)}${link("/direct", "direct", directs)}
          </nav>
        `
      }
      ${
        directs && value.mine.directs
          ? html`
              <${Directing} event=${value} onChange=${changed} />
            `
          : html`
              <${Mine} event=${value} onChange=${changed} />
              <${OpenRound} event=${value} />
              <${Places} standings=${standings} mine=${value.mine.team} />
              <${PlayedRounds} event=${value} standings=${standings} changes=${changes} />
              <section>
                <h2>${say("entered")}</h2>
                ${
                  value.entries.length
                    ? html`
                        <ul class="past">
                          ${value.entries.map(
                            (team) => html`
                              <${Entered} key=${team.team} team=${team} />
                            `,
                          )}
                        </ul>
                      `
                    : html`
                        <p class="hint">${say("none")}</p>
                      `
                }
              </section>
              <${ReportEvent} event=${value} />
            `
      }
    </div>
  `;
}

/** Reports the event or one of its teams, whose names everybody reads. @param {{ event: TeamEvent }} props */
function ReportEvent({ event }) {
  const [team, setTeam] = useState("");
  const teams = event.entries.filter(({ house }) => !house);
  const { name } = teams.find((each) => each.team === team) ?? event;
  return html`
    <details class="box">
      <summary>${say("report")}</summary>
      ${
        teams.length > 0 &&
        html`
          <label>
            ${say("report.what")}
            <select
              name="reported"
              value=${team}
              onChange=${(/** @type {any} */ change) => setTeam(change.target.value)}
            >
              <option value="">${event.name}</option>
              ${teams.map(
                (each) => html`
                  <option value=${each.team}>${each.name}</option>
                `,
              )}
            </select>
          </label>
        `
      }
      <${Report}
        key=${team}
        path=${`/team-events/${event.event}/reports`}
        name=${name}
        about=${team ? { team } : {}}
        first="display_name"
      />
    </details>
  `;
}

/** The player's next step: play, agree, or enter a team. @param {{ event: TeamEvent, onChange: () => void }} props */
function Mine({ event, onChange }) {
  const { attempt, busy, problem } = useAttempt();
  const [opened, setOpened] = useState("");
  const { mine, status } = event;
  const team = myTeam(event);
  const path = `/team-events/${event.event}/teams/${team?.team}`;
  const change = (/** @type {"PUT" | "DELETE"} */ method, part = "") =>
    attempt(async () => {
      await call(method, path + part, undefined, { once: true });
      setOpened("");
      changeNews({ entered: theNews().entered.filter((each) => each.event !== event.event) });
    }).finally(onChange);
  if (status === "over") return null;
  if (!team && status !== "entries")
    return html`
      <p class="hint">${say("closed")}</p>
    `;
  if (!team)
    return html`
      <details class="box" open=${!mine.directs}>
        <summary>${say("enter.own")}</summary>
        <${TeamForm} event=${event} onDone=${onChange} />
      </details>
    `;
  if (team.withdrawn)
    return html`
      <${Gone} event=${event} team=${team} onChange=${onChange} />
    `;
  const leads = team.captain === theAccount().player;
  const waits = lacking(team);
  return html`
    <section class=${`box${mine.table || !mine.confirmed ? " arrival" : ""}`}>
      <p role="status">
        <b>${say(mine.confirmed ? "mine" : "asked", { team: team.name })}</b>
        ${mine.confirmed && waits.length > 0 ? ` ${say("waits", { names: listed(waits) })}` : ""}
      </p>
      ${
        problem &&
        html`
          <${Refusal} problem=${withNames(problem, event)} />
        `
      }
      <div class="buttons">
        ${
          mine.table &&
          html`
            <a class="button main" href=${`#/table/${mine.table}?from=teams/${event.event}`}>${t("event.play")}</a>
          `
        }
        ${
          !mine.confirmed &&
          html`
            <button type="button" class="main" disabled=${busy} onClick=${() => change("PUT", "/confirmation")}>
              ${t("teams.agree")}
            </button>
          `
        }
        ${
          !leads &&
          status === "entries" &&
          html`
            <button type="button" disabled=${busy} onClick=${() => change("DELETE", "/confirmation")}>
              ${say(mine.confirmed ? "leave" : "decline")}
            </button>
          `
        }
        ${
          leads &&
          status === "entries" &&
          html`
            <button
              type="button"
              aria-expanded=${opened === "change" ? "true" : "false"}
              onClick=${() => setOpened(opened === "change" ? "" : "change")}
            >
              ${say("change")}
            </button>
          `
        }
        ${
          leads &&
          (opened === "withdraw"
            ? html`
                <button type="button" class="danger" disabled=${busy} onClick=${() => change("DELETE")}>
                  ${say("withdraw.sure", { team: team.name })}
                </button>
              `
            : html`
                <button type="button" onClick=${() => setOpened("withdraw")}>${say("withdraw")}</button>
              `)
        }
      </div>
      ${
        opened === "change" &&
        html`
          <${TeamForm}
            event=${event}
            team=${team}
            onDone=${() => {
              setOpened("");
              onChange();
            }}
          />
        `
      }
    </section>
    ${
      !mine.confirmed &&
      status === "entries" &&
      html`
        <details class="box">
          <summary>${say("enter.own")}</summary>
          <${TeamForm} event=${event} onDone=${onChange} />
        </details>
      `
    }
  `;
}

/**
 * Of a team that has withdrawn: its captain may bring it back.
 * @param {{ event: TeamEvent, team: import("../types").TeamOfEvent, onChange: () => void }} props
 */
function Gone({ event, team, onChange }) {
  const { attempt, busy, problem } = useAttempt();
  const members = team.members.map(({ player, level }) => (level ? { level } : { player }));
  const back = () =>
    attempt(() =>
      call("POST", `/team-events/${event.event}/teams`, { teams: [{ name: team.name, members }] }).then(onChange),
    );
  return html`
    <section class="box">
      <p class="hint">${say("gone", { team: team.name })}</p>
      ${
        problem &&
        html`
          <${Refusal} problem=${withNames(problem, event)} />
        `
      }
      ${
        team.captain === theAccount().player &&
        html`
          <div class="buttons"><button type="button" disabled=${busy} onClick=${back}>${say("back")}</button></div>
        `
      }
    </section>
  `;
}

/** @param {{ standings?: Standings, mine: string | null }} props */
function Places({ standings, mine }) {
  if (!standings?.items.length) return null;
  return html`
    <section>
      <h2>${t("event.standings")}</h2>
      <table class="results">
        <thead>
          <tr>
            <th scope="col" class="number">${t("leaderboard.place")}</th>
            <th scope="col">${say("team")}</th>
            <th scope="col" class="number">${say("points")}</th>
            <th scope="col" class="number">${t("event.steps")}</th>
          </tr>
        </thead>
        <tbody>
          ${standings.items.map((row) => {
            const adjusted = row.matches.reduce((sum, each) => sum + each.adjusted, 0);
            return html`
              <tr key=${row.team} class=${row.team === mine ? "me" : ""}>
                <td class="number">${row.rank}</td>
                <th scope="row">
                  ${row.name}${
                    row.withdrawn &&
                    html`
                      <span class="hint">${" "}${say("withdrawn")}</span>
                    `
                  }${
                    adjusted > 0 &&
                    html`
                      <span class="hint">${" "}${say("adjusted", { count: adjusted })}</span>
                    `
                  }
                </th>
                <td class="number">${row.victory_points}</td>
                <td class="number">${signed(row.steps)}</td>
              </tr>
            `;
          })}
        </tbody>
      </table>
    </section>
  `;
}

/** @param {{ team: import("../types").TeamOfEvent }} props */
const Entered = ({ team }) => html`
  <li>
    <h3>${team.name}</h3>
    <p class="names">
      ${team.members.map(
        (member, at) => html`
          <span key=${at}>
            <${PlayerName} player=${member.player} name=${member.name || say("nobody")} />
            ${
              !member.confirmed &&
              html`
                ${" "}
                <span class="hint">${say("open")}</span>
              `
            }
          </span>
        `,
      )}
    </p>
    ${
      team.withdrawn &&
      html`
        <p class="hint">${say("withdrawn")}</p>
      `
    }
  </li>
`;
