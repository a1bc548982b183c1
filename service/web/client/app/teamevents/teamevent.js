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
import { ArenaNow, changesOf, isArena, MyArena } from "../teams/arena.js";
import { Directing } from "./directing.js";
import { teamEventText } from "../events/events.js";
import { useAttempt, useLoaded, useRepeated } from "../ui/hooks.js";
import { useGameNames } from "../games/hooks.js";
import { Fixture } from "../teams/fixture.js";
import { Log } from "./log.js";
import { Notes } from "./notes.js";
import { Follows, OpenRound, PlayedRounds, Ways } from "../teams/matches.js";
import { Report } from "../people/person.js";
import { Player } from "../people/player.js";
import { Refusal } from "../ui/refusal.js";
import { PlayersPage } from "../account/signin.js";
import { MySlip } from "../teams/slip.js";
import { TeamForm } from "../teams/teamform.js";
import { enterText, lacking, myTeam, withNames } from "../teams/entries.js";
import { Places } from "../teams/places.js";
import { say } from "../teams/words.js";
import { enumerated, t } from "../texts/texts.js";
import { Select } from "../ui/fields.js";
import { Late, formText, takesEntries } from "../teams/forms.js";

/** How often changes are read, ms; the beginning of a board is announced at once. */
const EVERY_MS = 15_000;
/** How often they are read while the service still does something for a round, which takes seconds. */
const PENDING_MS = 2_000;

/** What changes the page at once. */
const NEWS = new Set([
  "seated",
  "your_table",
  "director_named",
  "event_note",
  "team_entered",
  "time_proposed",
  "time_agreed",
]);

/**
 * @typedef {object} EventProps
 * @property {string} event
 * @property {boolean} directs whether it is the page of its directors
 * @property {string} [code] of the link by which the reader has come
 */

/** @param {EventProps} props */
export const TeamEventScreen = ({ event, directs, code }) => html`
  <${PlayersPage} title=${say("event")} from="#/teams"><${Event} event=${event} directs=${directs} code=${code} /><//>
`;

/**
 * An event of teams, kept up to date, with its standings once a round is over.
 * @param {string} event
 */
function useEvent(event) {
  const { value, error, again } = useLoaded(
    async () => /** @type {TeamEvent} */ (await call("GET", `/team-events/${event}`)),
    [event],
  );
  const [changes, setChanges] = useState(0);
  const over = value?.played.filter(({ status }) => status === "over").length ?? 0;
  const live = changesOf(value);
  const { value: standings } = useLoaded(
    async () =>
      over || live ? /** @type {Standings} */ (await call("GET", `/team-events/${event}/standings`)) : undefined,
    [event, over, live, changes],
  );
  useRepeated(again, EVERY_MS);
  useEffect(() => {
    const timer = value?.played.some(({ pending }) => pending) ? setTimeout(again, PENDING_MS) : undefined;
    return () => clearTimeout(timer);
  }, [value]);
  useEffect(() => onAccountEvent(({ type }) => void (NEWS.has(type) && again())), []);
  const changed = () => {
    again();
    setChanges((count) => count + 1);
  };
  return { value, error, standings, changes, changed };
}

/** @param {EventProps} props */
function Event({ event, directs, code }) {
  const { value, error, standings, changes, changed } = useEvent(event);
  if (error instanceof Refused)
    return html`
      <${Refusal} problem=${error.problem} />
    `;
  if (!value)
    return html`
      <p class="loading" role="status">${t("loading")}</p>
    `;
  return html`
    <div class="list team-event">
      <${Head} event=${value} directs=${directs} />
      ${
        directs && value.mine.directs
          ? html`
              <${Directing} event=${value} changes=${changes} onChange=${changed} />
            `
          : html`
              <${Notes} event=${value} onChange=${changed} />
              <${isArena(value) ? MyArena : Mine} event=${value} code=${code} onChange=${changed} />
              <${isArena(value) ? ArenaNow : OpenRound} event=${value} />
              <${Follows} event=${value} />
              <${Places} event=${value} standings=${standings} />
              <${Ways} event=${value} />
              <${PlayedRounds} event=${value} standings=${standings} changes=${changes} />
              <${Teams} event=${value} />
              <${Log} event=${value} changes=${changes} />
              <${ReportEvent} event=${value} />
            `
      }
    </div>
  `;
}

/** How far an event has come. @param {TeamEvent} event */
function stateText(event) {
  if (isPlayed(event)) return say(isArena(event) ? "arena.over" : "played");
  return isArena(event) && event.status === "playing" ? say("arena.now") : teamEventText(event);
}

/**
 * What the event is, with links to its pages for who directs it.
 * @param {{ event: TeamEvent, directs: boolean }} props
 */
function Head({ event, directs }) {
  const { name, ruleset, form = "swiss", rounds, boards, mine, league, round_ms } = event;
  const nameOf = useGameNames();
  const what = {
    game: nameOf(ruleset),
    form: formText(form),
    rounds: say("what.rounds", { count: rounds }),
    boards: say("what.boards", { count: boards }),
  };
  const link = (/** @type {string} */ to, /** @type {"page" | "direct"} */ text, /** @type {boolean} */ here) => html`
    <a class="button" href=${`#/teams/${event.event}${to}`} aria-current=${here ? "page" : undefined}>${say(text)}</a>
  `;
  return html`
    <h2>${name}</h2>
    <p>
      ${
        isArena(event)
          ? say("arena.what", { ...what, minutes: t("create.minutes", { count: Math.round(round_ms / 60_000) }) })
          : say("what", what)
      }
      <br />
      ${
        league &&
        html`
          <span>${say(league === "agreed" ? "league.agreed" : "league.at_once")}</span>
          <br />
        `
      }
      <span class="hint" role="status">${stateText(event)}</span>
    </p>
    ${
      mine.directs &&
      html`
        <nav class="buttons" aria-label=${say("event")}>
          ${link("", "page", !directs)}${link("/direct", "direct", directs)}
        </nav>
      `
    }
  `;
}

/** The teams that were entered. @param {{ event: TeamEvent }} props */
const Teams = ({ event: { entries } }) => html`
  <section>
    <h2>${say("entered")}</h2>
    ${
      entries.length
        ? html`
            <ul class="past">
              ${entries.map(
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
`;

/**
 * Whether all rounds have been played: only what boards count can still change, until the director closes the event.
 * @param {TeamEvent} event
 */
const isPlayed = ({ status, played, rounds }) =>
  status === "playing" && played.length === rounds && played.every((round) => round.status === "over");

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
            <${Select}
              name="reported"
              value=${team}
              options=${[["", event.name], ...teams.map((each) => [each.team, each.name])]}
              onChange=${setTeam}
            />
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

/** @typedef {{ event: TeamEvent, code?: string, onChange: () => void }} MineProps */

/** The player's next step: play, agree, or enter a team. @param {MineProps} props */
function Mine({ event, code, onChange }) {
  const { mine, status } = event;
  const team = myTeam(event);
  if (status === "over" || isPlayed(event)) return null;
  if (!team && takesEntries(event) && event.by_link && !code && !mine.directs)
    return html`
      <p class="hint">${say("link.needed")}</p>
    `;
  if (!team)
    return takesEntries(event)
      ? html`
          <${Own} event=${event} code=${code} open=${!mine.directs} onChange=${onChange} />
        `
      : html`
          <p class="hint">${say("closed")}</p>
        `;
  if (team.withdrawn)
    return html`
      <${Gone} event=${event} team=${team} onChange=${onChange} />
    `;
  return html`
    <${MyTeam} event=${event} team=${team} onChange=${onChange} />
    <${Fixture} event=${event} onChange=${onChange} />
    ${
      !mine.confirmed &&
      status === "entries" &&
      html`
        <${Own} event=${event} code=${code} onChange=${onChange} />
      `
    }
  `;
}

/** Enters a team of one's own. @param {MineProps & { open?: boolean }} props */
const Own = ({ event, code, open, onChange }) => html`
  <details class="box" open=${open}>
    <summary>${enterText(event, true)}</summary>
    <${Late} event=${event} />
    <${TeamForm} event=${event} code=${code} onDone=${onChange} />
  </details>
`;

/** @typedef {MineProps & { team: import("../types").TeamOfEvent }} TeamProps */

/** The team of the player, whether or not they have agreed. @param {TeamProps} props */
function MyTeam({ event, team, onChange }) {
  const { attempt, busy, problem } = useAttempt();
  const [opened, setOpened] = useState("");
  const { mine } = event;
  /** @type {TeamButtonsProps["change"]} */
  const change = (method, part = "") =>
    attempt(async () => {
      await call(method, `/team-events/${event.event}/teams/${team.team}${part}`, undefined, { once: true });
      setOpened("");
      changeNews({ entered: theNews().entered.filter((each) => each.event !== event.event) });
    }).finally(onChange);
  const done = () => {
    setOpened("");
    onChange();
  };
  const waits = lacking(team);
  return html`
    <section class=${`box${mine.table || !mine.confirmed ? " arrival" : ""}`}>
      <p role="status">
        <b>${say(mine.confirmed ? "mine" : "asked", { team: team.name })}</b>
        ${mine.confirmed && waits.length > 0 ? ` ${say("waits", { names: enumerated(waits) })}` : ""}
      </p>
      <${MySlip} event=${event} />
      <${Refusal} problem=${problem && withNames(problem, event)} />
      <${TeamButtons} event=${event} team=${team} busy=${busy} change=${change} opened=${opened} onOpen=${setOpened} />
      ${
        opened === "change" &&
        html`
          <${TeamForm} event=${event} team=${team} onDone=${done} />
        `
      }
    </section>
  `;
}

/**
 * @typedef {object} TeamButtonsProps
 * @property {TeamEvent} event
 * @property {import("../types").TeamOfEvent} team
 * @property {boolean} busy
 * @property {(method: "PUT" | "DELETE", part?: string) => Promise<unknown>} change
 * @property {string} opened
 * @property {(opened: string) => void} onOpen
 */

/** What a member, or the captain, can do. @param {TeamButtonsProps} props */
const TeamButtons = (props) => html`
  <div class="buttons">
    ${
      props.event.mine.table &&
      html`
        <a class="button main" href=${`#/table/${props.event.mine.table}?from=teams/${props.event.event}`}>
          ${t("event.play")}
        </a>
      `
    }
    ${
      !props.event.mine.confirmed &&
      html`
        <button type="button" class="main" disabled=${props.busy} onClick=${() => props.change("PUT", "/confirmation")}>
          ${t("teams.agree")}
        </button>
      `
    }
    ${
      props.team.captain === theAccount().player
        ? html`
            <${CaptainButtons} ...${props} />
          `
        : props.event.status === "entries" &&
          html`
            <button type="button" disabled=${props.busy} onClick=${() => props.change("DELETE", "/confirmation")}>
              ${say(props.event.mine.confirmed ? "leave" : "decline")}
            </button>
          `
    }
  </div>
`;

/** @param {TeamButtonsProps} props */
const CaptainButtons = ({ event, team, busy, change, opened, onOpen }) => html`
  ${
    event.status === "entries" &&
    html`
      <button
        type="button"
        aria-expanded=${opened === "change" ? "true" : "false"}
        onClick=${() => onOpen(opened === "change" ? "" : "change")}
      >
        ${say("change")}
      </button>
    `
  }
  ${
    opened === "withdraw"
      ? html`
          <button type="button" class="danger" disabled=${busy} onClick=${() => change("DELETE")}>
            ${say("withdraw.sure", { team: team.name })}
          </button>
        `
      : html`
          <button type="button" onClick=${() => onOpen("withdraw")}>${say("withdraw")}</button>
        `
  }
`;

/** Of a team that has withdrawn: its captain may bring it back. @param {TeamProps} props */
function Gone({ event, team, onChange }) {
  const { attempt, busy, problem } = useAttempt();
  const members = team.members.map(({ player, level }) => (level ? { level } : { player }));
  const back = () =>
    attempt(() =>
      call("POST", `/team-events/${event.event}/teams`, { teams: [{ name: team.name, members }] }).then(onChange),
    );
  return html`
    <section class="box">
      <p class="hint">${team.put_out ? say("put_out") : say("gone", { team: team.name })}</p>
      <${Refusal} problem=${problem && withNames(problem, event)} />
      ${
        team.captain === theAccount().player &&
        !team.put_out &&
        html`
          <div class="buttons"><button type="button" disabled=${busy} onClick=${back}>${say("back")}</button></div>
        `
      }
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
            <${Player} player=${member.player} name=${member.name || say("nobody")} />
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
