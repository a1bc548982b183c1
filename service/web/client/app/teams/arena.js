/**
 * An arena: entering it, waiting for a table, a break, and what is played just now.
 *
 * @typedef {import("../types").TeamEvent} TeamEvent
 * @typedef {import("../types").RoundOfEvent} Round
 */
import { html, useEffect, useRef } from "../../vendor/preact-htm.js";
import { theAccount } from "../api/account.js";
import { call } from "../api/client.js";
import { momentText, t } from "../texts/texts.js";
import { useAttempt } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { myTeam, withNames } from "./entries.js";
import { takesEntries } from "./forms.js";
import { matchText } from "./matches.js";
import { say } from "./words.js";

/** Whether an event is an arena. @param {{ form?: string }} event */
export const isArena = ({ form }) => form === "arena";

/** The round of an arena that goes on. @param {TeamEvent} event @returns {Round | undefined} */
const openRound = ({ played }) => played.find(({ status }) => status === "open");

/** What changes when a table begins or ends, so that the ranks are read again. @param {TeamEvent | undefined} event */
export const changesOf = (event) =>
  event && isArena(event) ? event.played.map(({ tables, matches }) => `${tables}-${matches.length}`).join() : "";

/**
 * Goes to the next table of the player as it begins, if the page is open then; not back to one that was left.
 * @param {TeamEvent} event
 */
function useNextTable({ event, mine }) {
  const { table } = mine;
  const before = useRef(/** @type {string | null | undefined} */ (undefined));
  useEffect(() => {
    const isNew = before.current !== undefined && table && table !== before.current;
    before.current = table;
    if (isNew) location.hash = `#/table/${table}?from=teams/${event}`;
  }, [table]);
}

/** Where the player is: at a table, waiting, in a break, or not entered. @param {TeamEvent} event */
function stateText(event) {
  const round = openRound(event);
  const team = myTeam(event);
  const begins = takesEntries(event);
  if (team?.put_out) return say("put_out");
  if (team?.withdrawn && begins) return say("arena.break.now");
  if (event.mine.table) return say("arena.plays");
  if (!begins) return say("arena.last");
  if (!team) return say("arena.enter.how");
  if (!event.mine.confirmed) return say("asked", { team: team.name });
  if (!round) return say("arena.entered");
  if (!round.waiting?.includes(team.team)) return say("arena.comes");
  return say("arena.waits", { count: round.waiting.length, size: event.players });
}

/** Whether nobody can play in it any more. @param {TeamEvent} event */
const isOver = ({ status, played }) => status === "over" || played.some((round) => round.status === "over");

/** Whether the player may enter or come back. @param {TeamEvent} event */
function mayCome(event) {
  const team = myTeam(event);
  return takesEntries(event) && (!team || (team.withdrawn && !team.put_out));
}

/**
 * The player's part in an arena.
 * @param {{ event: TeamEvent, code?: string, onChange: () => void }} props `code`: of the link by which they have come
 */
export function MyArena({ event, code, onChange }) {
  const { attempt, busy, problem } = useAttempt();
  useNextTable(event);
  const team = myTeam(event);
  if (isOver(event)) return null;
  const path = `/team-events/${event.event}/teams`;
  const send = (/** @type {() => Promise<unknown>} */ sent) => attempt(sent).finally(onChange);
  const entry = { teams: [{ members: [{ player: theAccount().player }] }], ...(code && { code }) };
  const enter = () => send(() => call("POST", path, entry));
  const agree = () => send(() => call("PUT", `${path}/${team?.team}/confirmation`, undefined, { once: true }));
  const rest = () => send(() => call("DELETE", `${path}/${team?.team}`, undefined, { once: true }));
  const isIn = team && !team.withdrawn;
  return html`
    <section class=${`box${event.mine.table || !isIn ? " arrival" : ""}`}>
      <p role="status">${stateText(event)}</p>
      <${Refusal} problem=${problem && withNames(problem, event)} />
      <div class="buttons">
        ${
          event.mine.table &&
          html`
            <a class="button main" href=${`#/table/${event.mine.table}?from=teams/${event.event}`}>
              ${t("event.play")}
            </a>
          `
        }
        ${
          mayCome(event) &&
          html`
            <button type="button" class="main" disabled=${busy} onClick=${enter}>
              ${say(team ? "arena.back" : "enter.own.player")}
            </button>
          `
        }
        ${
          isIn &&
          !event.mine.confirmed &&
          html`
            <button type="button" class="main" disabled=${busy} onClick=${agree}>${t("teams.agree")}</button>
          `
        }
        ${
          isIn &&
          event.mine.confirmed &&
          html`
            <button type="button" disabled=${busy} onClick=${rest}>
              ${say(event.played.length ? "arena.break" : "withdraw")}
            </button>
          `
        }
      </div>
    </section>
  `;
}

/** The tables where people play now, and until when new ones begin. @param {{ event: TeamEvent }} props */
export function ArenaNow({ event }) {
  const round = openRound(event);
  if (!round) return null;
  return html`
    <section>
      <h2>${say("arena.now")}</h2>
      <p class="hint">
        ${takesEntries(event) ? `${untilText(round)} ${say("arena.waiting", { count: round.waiting?.length ?? 0 })}` : say("arena.last")}
      </p>
      <ul class="pairs">
        ${round.matches.map(
          (each) => html`
            <li key=${each.match} class=${each.teams.includes(event.mine.team ?? "") ? "me" : ""}>
              ${matchText(event, each)}
            </li>
          `,
        )}
      </ul>
    </section>
  `;
}

/** Until when tables begin. @param {Round} round */
export const untilText = (round) =>
  say("arena.until", { until: momentText(round.last_table_at ?? round.closes_at), end: momentText(round.closes_at) });
