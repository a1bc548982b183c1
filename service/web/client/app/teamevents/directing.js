/**
 * What the director of a team event does: rounds, entries, rulings, exports.
 *
 * @typedef {import("../types").TeamEvent} TeamEvent
 * @typedef {{ event: TeamEvent, changes: number, onChange: () => void }} Props
 */
import { html, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { say } from "../teams/words.js";
import { enumerated, listed, momentText, t } from "../texts/texts.js";
import { shownName } from "../people/aiplayer.js";
import { download } from "../ui/download.js";
import { useAttempt } from "../ui/hooks.js";
import { isArena, untilText } from "../teams/arena.js";
import { Bulk } from "./bulk.js";
import { Directors } from "./directors.js";
import { Draw } from "./draw.js";
import { Late, drawsOnce, takesEntries } from "../teams/forms.js";
import { Follows, Pending } from "../teams/matches.js";
import { Refusal } from "../ui/refusal.js";
import { Link } from "./link.js";
import { Log } from "./log.js";
import { Notes } from "./notes.js";
import { Pairing, usePairing } from "./pairing.js";
import { Penalty, Ruling, takesPenalties } from "./ruling.js";
import { TeamForm } from "../teams/teamform.js";
import { enterText, lacking, withNames } from "../teams/entries.js";

/** By how many minutes a round is extended. */
const LONGER = [5, 15, 60];
/** Those of a fixture of a league: at most a day less an hour. */
const DAY_LONGER = [60, 12 * 60, 23 * 60];

/**
 * A time this many minutes later, expressed as the same time of day in a time zone that much further west.
 * @param {string} time RFC 3339, in UTC
 * @param {number} minutes
 */
const later = (time, minutes) =>
  time.replace("Z", `-${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`);

/** Makes changes to an event and then calls `onChange`; refusals name teams and players. @param {Props} props */
function useChange({ event, onChange }) {
  const { attempt, busy, problem } = useAttempt();
  const change = (/** @type {string} */ method, /** @type {string} */ path, /** @type {object} */ body = {}) =>
    attempt(() => call(method, `/team-events/${event.event}${path}`, body, { once: true })).finally(onChange);
  return {
    change,
    busy,
    refusal:
      problem &&
      html`
        <${Refusal} problem=${withNames(problem, event)} />
      `,
  };
}

/** @param {Props} props */
export const Directing = (props) => html`
  <${Rounds} ...${props} />
  <p class="ways">
    <a href=${`#/hall/${props.event.event}`}>${say("wall")}</a>
    ${" "}
    ${
      !isArena(props.event) &&
      html`
        <a href=${`#/hall/${props.event.event}/watch`}>${say("show")}</a>
      `
    }
  </p>
  <${Notes} event=${props.event} onChange=${props.onChange} directs=${true} />
  <${Link} event=${props.event} onChange=${props.onChange} />
  <${Teams} ...${props} />
  ${
    takesEntries(props.event) &&
    html`
      <details class="box">
        <summary>${say("bulk")}</summary>
        <${Bulk} ...${props} />
      </details>
    `
  }
  ${
    props.event.played.length > 0 &&
    props.event.status !== "over" &&
    !isArena(props.event) &&
    html`
      <details class="box">
        <summary>${say("rule")}</summary>
        <${Ruling} ...${props} />
      </details>
    `
  }
  ${
    props.event.entries.length > 0 &&
    props.event.status !== "over" &&
    takesPenalties(props.event) &&
    html`
      <details class="box">
        <summary>${say("penalty")}</summary>
        <${Penalty} ...${props} />
      </details>
    `
  }
  <${Directors} event=${props.event} onChange=${props.onChange} />
  <${Log} ...${props} onChange=${props.event.status === "over" ? undefined : props.onChange} />
  <${Exports} event=${props.event} />
  <${Closing} ...${props} />
`;

/** A button that asks first. @param {{ text: string, sure: string, busy: boolean, onClick: () => unknown }} props */
function Sure({ text, sure, busy, onClick }) {
  const [asked, setAsked] = useState(false);
  const go = () => {
    setAsked(false);
    onClick();
  };
  if (!asked)
    return html`
      <button type="button" onClick=${() => setAsked(true)}>${text}</button>
    `;
  return html`
    <button type="button" class="danger" disabled=${busy} onClick=${go}>${sure}</button>
    <button type="button" onClick=${() => setAsked(false)}>${t("cancel")}</button>
  `;
}

/** Begins the next round, or extends or ends the current one. @param {Props} props */
function Rounds(props) {
  const { event } = props;
  const { change, busy, refusal } = useChange(props);
  const last = event.played.at(-1);
  if (event.status === "over") return null;
  const until = (/** @type {string} */ closes_at) => change("PATCH", `/rounds/${event.round}`, { closes_at });
  if (last?.status === "open" && last.pending?.what === "results")
    return html`
      <section class="box">
        <h2>${say("round", { round: last.round })}</h2>
        <${Pending} round=${last} />
      </section>
    `;
  if (last?.status === "open")
    return html`
      <section class="box">
        <h2>${isArena(event) ? say("arena.now") : say("round", { round: last.round })}</h2>
        <p>${isArena(event) ? untilText(last) : say("until", { until: momentText(last.closes_at) })}</p>
        <${Follows} event=${event} />
        <${Pending} round=${last} />
        ${refusal}
        <div class="buttons">
          ${(event.league ? DAY_LONGER : LONGER).map(
            (minutes) => html`
              <button
                type="button"
                key=${minutes}
                disabled=${busy}
                onClick=${() => until(later(last.closes_at, minutes))}
              >
                ${minutes > 60 ? say("longer.hours", { hours: minutes / 60 }) : say("longer", { minutes })}
              </button>
            `,
          )}
          <${Sure}
            text=${say(isArena(event) ? "arena.end" : "end")}
            sure=${isArena(event) ? say("arena.end.sure") : say("end.sure", { round: last.round })}
            busy=${busy}
            onClick=${() => until(last.opened_at)}
          />
          <a class="button" href=${`#/hall/${event.event}/slips`}>${say("slips")}</a>
        </div>
      </section>
    `;
  if (event.round === event.rounds)
    return html`
      <p class="box" role="status">${say(isArena(event) ? "arena.over" : "all_played")}</p>
    `;
  return html`
    <${Next} ...${props} />
  `;
}

/** Begins the next round. @param {Props} props */
function Next(props) {
  const { event } = props;
  const { change, busy, refusal } = useChange(props);
  const [order, setOrder] = useState(/** @type {string[]} */ ([]));
  const round = event.round + 1;
  const isDrawn = round === 1 && drawsOnce(event.form);
  const drawn = isDrawn ? order : [];
  const draft = usePairing(event, props.changes, drawn);
  const begin = () =>
    change("POST", "/rounds", {
      round,
      ...(drawn.length ? { order } : {}),
      ...(draft.pairing ? { pairing: draft.pairing.pairing } : {}),
    });
  return html`
    <section class="box">
      <h2>${say("round", { round })}</h2>
      <${Follows} event=${event} />
      <p class="hint">
        ${say(isArena(event) ? "arena.begin.how" : event.league === "agreed" ? "begin.agreed" : "begin.how")}
      </p>
      ${
        isDrawn &&
        html`
          <${Draw} event=${event} order=${order} onChange=${setOrder} />
        `
      }
      ${
        // Services before 0.4 know neither.
        "takes_entries" in event &&
        !isArena(event) &&
        html`
          <${Pairing} event=${event} of=${draft} />
        `
      }
      ${refusal}
      <div class="buttons">
        <button type="button" class="main" disabled=${busy} onClick=${begin}>
          ${isArena(event) ? say("arena.begin") : say("begin", { round })}
        </button>
      </div>
    </section>
  `;
}

/** The teams, with buttons to change or withdraw each. @param {Props} props */
function Teams(props) {
  const { event, onChange } = props;
  const { change, busy, refusal } = useChange(props);
  const [opened, setOpened] = useState("");
  const done = () => {
    setOpened("");
    onChange();
  };
  return html`
    <section>
      <h2>${say("entered")} (${event.teams})</h2>
      ${refusal}
      ${
        takesEntries(event) &&
        (opened === "new"
          ? html`
              <div class="box">
                <${Late} event=${event} />
                <${TeamForm} event=${event} onDone=${done} />
              </div>
            `
          : html`
              <div class="buttons">
                <button type="button" onClick=${() => setOpened("new")}>${enterText(event)}</button>
              </div>
            `)
      }
      <ul class="devices">
        ${event.entries.map(
          (team) => html`
            <${Entered}
              key=${team.team}
              event=${event}
              team=${team}
              isOpen=${opened === team.team}
              onOpen=${() => setOpened(opened === team.team ? "" : team.team)}
              busy=${busy}
              onWithdraw=${() => change("DELETE", `/teams/${team.team}`)}
              onDone=${done}
            />
          `,
        )}
      </ul>
    </section>
  `;
}

/**
 * @typedef {object} EnteredProps
 * @property {TeamEvent} event
 * @property {import("../types").TeamOfEvent} team
 * @property {boolean} isOpen whether its form is open
 * @property {() => void} onOpen opens or closes it
 * @property {boolean} busy
 * @property {() => void} onWithdraw
 * @property {() => void} onDone
 */

/** A team, with buttons to change or withdraw it. @param {EnteredProps} props */
const Entered = ({ event, team, isOpen, onOpen, busy, onWithdraw, onDone }) => html`
  <li>
    <${About} team=${team} />
    ${
      event.status !== "over" &&
      !team.house &&
      html`
        <div class="buttons">
          ${
            // In an arena, a place stays that of its player.
            (team.withdrawn || !isArena(event)) &&
            html`
              <button
                type="button"
                aria-expanded=${isOpen ? "true" : "false"}
                aria-label=${say("change.of", { team: team.name })}
                onClick=${onOpen}
              >
                ${say(team.withdrawn ? "back" : "change")}
              </button>
            `
          }
          ${
            // Who takes a break may be kept from coming back.
            (!team.withdrawn || (isArena(event) && !team.put_out)) &&
            html`
              <${Sure}
                text=${say("withdraw")}
                sure=${say("withdraw.sure", { team: team.name })}
                busy=${busy}
                onClick=${onWithdraw}
              />
            `
          }
        </div>
      `
    }
    ${
      isOpen &&
      html`
        ${
          event.played.length > 0 &&
          html`
            <p class="hint">${say("change.how")}</p>
          `
        }
        <${TeamForm} event=${event} team=${team} onDone=${onDone} />
      `
    }
  </li>
`;

/** A team: its members, and what it lacks. @param {{ team: import("../types").TeamOfEvent }} props */
function About({ team }) {
  const waits = lacking(team);
  return html`
    <div class="device">
      <b>${team.name}</b>
      <span class="hint">${listed(team.members.map(({ name }) => shownName(name) || say("nobody")))}</span>
      ${
        team.withdrawn
          ? html`
              <span class="hint">${say("withdrawn")}</span>
            `
          : waits.length > 0 &&
            html`
              <span class="hint bad">${say("waits", { names: enumerated(waits) })}</span>
            `
      }
    </div>
  `;
}

/** Results as files. @param {{ event: TeamEvent }} props */
function Exports({ event }) {
  const { attempt, busy, problem } = useAttempt();
  const save = (/** @type {"csv" | "json"} */ kind) =>
    attempt(async () => {
      const type = kind === "csv" ? "text/csv" : "application/json";
      const text = await call("GET", `/team-events/${event.event}/results`, undefined, {
        once: true,
        asText: true,
        headers: { Accept: type },
      });
      // Reading as text drops the byte order mark, which Excel needs.
      download(kind === "csv" ? `\ufeff${text}` : text, type, `${event.name}.${kind}`);
    });
  return html`
    <section class="box">
      <h2>${say("export")}</h2>
      <p class="hint">${say("export.how")}</p>
      <${Refusal} problem=${problem} />
      <div class="buttons">
        <button type="button" disabled=${busy} onClick=${() => save("csv")}>${say("export.csv")}</button>
        <button type="button" disabled=${busy} onClick=${() => save("json")}>JSON</button>
      </div>
    </section>
  `;
}

/** @param {Props} props */
function Closing(props) {
  const { change, busy, refusal } = useChange(props);
  if (props.event.status === "over") return null;
  return html`
    <section>
      ${refusal}
      <div class="buttons">
        <${Sure}
          text=${say("close")}
          sure=${say("close.sure")}
          busy=${busy}
          onClick=${() => change("POST", "/closing")}
        />
      </div>
    </section>
  `;
}
