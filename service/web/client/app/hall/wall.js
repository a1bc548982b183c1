/**
 * A screen for the wall of the room where an event is played: who sits where, the clock of the round, the ranks.
 * Nobody touches it: it follows the event, turns its pages and comes back after a lost connection by itself.
 *
 * @typedef {import("../types").TeamEvent} TeamEvent
 * @typedef {import("../types").TeamStandings} Standings
 * @typedef {import("../types").RoundOfEvent} Round
 */
import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { call, Refused } from "../api/client.js";
import { wait } from "../api/network.js";
import { isArena } from "../teams/arena.js";
import { teamNamed } from "../teams/entries.js";
import { criterionText, formText, takesEntries } from "../teams/forms.js";
import { sidesOf } from "../teams/matches.js";
import { useGameNames } from "../games/hooks.js";
import { sharedLink } from "../texts/links.js";
import { enumerated, soonText, t } from "../texts/texts.js";
import { useOnline, useTicks } from "../ui/hooks.js";
import { Qr } from "../ui/qr.js";
import { Refusal } from "../ui/refusal.js";
import { Pages } from "./pages.js";
import { say } from "./words.js";

/** How often the event is read, ms. */
const EVERY_MS = 5_000;

/**
 * @typedef {object} Shown
 * @property {TeamEvent} [event]
 * @property {number} [readAt] when it was read, on the clock of the page
 * @property {Standings} [standings] after the rounds that are over
 * @property {import("../types").Problem} [problem]
 */

/** An event, read again and again; what was read stays while there is no answer. @param {string} id @returns {Shown} */
function useWall(id) {
  const [shown, set] = useState(/** @type {Shown} */ ({}));
  useEffect(() => {
    const over = new AbortController();
    const { signal } = over;
    (async () => {
      while (!signal.aborted) {
        try {
          const event = /** @type {TeamEvent} */ (await call("GET", `/team-events/${id}`, undefined, { signal }));
          const readAt = performance.now();
          const isPlayed = event.played.some(({ status }) => status === "over" || isArena(event));
          const standings = isPlayed
            ? await call("GET", `/team-events/${id}/standings`, undefined, { signal })
            : undefined;
          set({ event, readAt, standings });
        } catch (error) {
          if (error instanceof Refused) set((before) => ({ ...before, problem: error.problem }));
        }
        await wait(EVERY_MS, signal).catch(() => {});
      }
    })();
    return () => over.abort();
  }, [id]);
  return shown;
}

/** Keep the screen from going dark, where the browser can; it lets go when the page is hidden. */
function useLight() {
  useEffect(() => {
    const keep = () => document.visibilityState === "visible" && navigator.wakeLock?.request("screen").catch(() => {});
    keep();
    document.addEventListener("visibilitychange", keep);
    return () => document.removeEventListener("visibilitychange", keep);
  }, []);
}

/** @param {{ id: string }} props */
export function Wall({ id }) {
  const { event, readAt = 0, standings, problem } = useWall(id);
  const online = useOnline();
  useLight();
  if (!event)
    return html`
      <main class="page">
        ${
          problem
            ? html`
                <${Refusal} problem=${problem} />
              `
            : html`
                <p class="loading" role="status">${t("loading")}</p>
              `
        }
      </main>
    `;
  const open = event.played.find(({ status }) => status === "open");
  return html`
    <main class="wall" aria-label=${say("wall")}>
      <${Head} event=${event} open=${open} readAt=${readAt} />
      <${Left} event=${event} open=${open} standings=${standings} />
      <${Right} event=${event} open=${open} standings=${standings} />
      ${
        !online &&
        html`
          <p class="offline" role="status">${say("offline")}</p>
        `
      }
    </main>
  `;
}

/** How far the event is. @param {TeamEvent} event @param {Round | undefined} open */
function stateText(event, open) {
  const { status, round, rounds, teams, form } = event;
  if (status === "over") return say("state.over");
  if (status === "entries") return say("state.entries", { count: teams });
  if (isArena({ form }) && !open) return say("state.over");
  if (isArena({ form }) && !takesEntries(event)) return say("state.last");
  if (isArena({ form })) return say("state.arena", { count: open?.waiting.length ?? 0 });
  if (open?.pending?.what === "results") return say("state.results", { round });
  if (open) return say("state.round", { round, rounds });
  return round === rounds ? say("state.played") : say("state.between", { round, rounds });
}

/** @param {{ event: TeamEvent, open?: Round, readAt: number }} props */
function Head({ event, open, readAt }) {
  const nameOf = useGameNames();
  return html`
    <header>
      <div>
        <h1>${event.name}</h1>
        <p>${say("sub", { game: nameOf(event.ruleset), form: formText(event.form ?? "swiss") })}</p>
      </div>
      <p class="stage" role="status">${stateText(event, open)}</p>
      ${
        open &&
        open.pending?.what !== "results" &&
        html`
          <${Clock} round=${open} readAt=${readAt} begins=${takesEntries(event)} />
        `
      }
    </header>
  `;
}

/**
 * The time that is left of a round.
 * @param {{ round: Round, readAt: number, begins: boolean }} props `begins`: whether new tables of an arena do
 */
function Clock({ round: { remaining_ms, closes_at, last_table_at }, readAt, begins }) {
  useTicks(true, 500);
  // In an arena, what counts is how long new tables begin, and then how long the last ones are played.
  const until = begins ? (last_table_at ?? closes_at) : closes_at;
  const left_ms = remaining_ms - (Date.parse(closes_at) - Date.parse(until));
  const seconds = Math.max(0, Math.ceil((left_ms - (performance.now() - readAt)) / 1000));
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return html`
    <div class=${`left-of-round${seconds <= 300 ? " soon" : ""}`}>
      <b role="timer" aria-label=${say("clock")}>
        ${hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`}
      </b>
      <span>${say("until", { until: soonText(until, false) })}</span>
    </div>
  `;
}

/** @typedef {{ event: TeamEvent, open?: Round, standings?: Standings }} Parts */

/** What most look for: where to sit; between rounds, and in the end, the ranks. @param {Parts} props */
function Left({ event, open, standings }) {
  if (open)
    return html`
      <section>
        <h2>${say("seating")}</h2>
        <${Pages} label=${say("seating")} count=${open.matches.length}>
          ${open.matches.map(
            (match) => html`
              <${Meeting} key=${match.match} event=${event} match=${match} />
            `,
          )}
          ${
            (open.byes ?? []).length > 0 &&
            html`
              <li class="byes">
                ${say("byes")}${" "}
                <b>${enumerated((open.byes ?? []).map((team) => teamNamed(event, team)))}</b>
              </li>
            `
          }
        <//>
      </section>
    `;
  if (standings)
    return html`
      <${Ranks} event=${event} standings=${standings} />
    `;
  const entered = event.entries.filter(({ house }) => !house);
  return html`
    <section>
      <h2>${say("entered")}</h2>
      <${Pages} label=${say("entered")} count=${entered.length}>
        ${entered.map(
          ({ team, name }) => html`
            <li key=${team}><b>${name}</b></li>
          `,
        )}
      <//>
    </section>
  `;
}

/** A table, or a match, and who meets there. @param {{ event: TeamEvent, match: Round["matches"][number] }} props */
function Meeting({ event, match }) {
  const [first, second] = sidesOf(
    event,
    match.teams.map((team) => teamNamed(event, team)),
  );
  return html`
    <li class="meeting">
      <b class="table">${match.match.split("-")[1]}</b>
      <span>${first}</span>
      <span>${second}</span>
    </li>
  `;
}

/** Beside the seating the ranks; otherwise the way to the event on a phone. @param {Parts} props */
const Right = ({ event, open, standings }) => html`
  <aside>
    ${
      open &&
      standings &&
      html`
        <${Ranks} event=${event} standings=${standings} narrow />
      `
    }
    <${Way} event=${event} />
  </aside>
`;

/** @param {{ event: TeamEvent, standings: Standings, narrow?: boolean }} props */
const Ranks = ({ event: { ranks = [], form }, standings, narrow }) => html`
  <section>
    <h2>
      ${say("ranks")}${" "}
      <span>
        ${isArena({ form }) ? say("ranks.so_far") : say("ranks.after", { round: standings.rounds })}${ranks.length > 0 && ` · ${criterionText(ranks[0])}`}
      </span>
    </h2>
    <${Pages} label=${say("ranks")} count=${standings.items.length} narrow=${narrow} ordered>
      ${standings.items.map(
        ({ team, rank, name, line, criteria }) => html`
          <li key=${team} class=${`rank${rank <= 3 ? ` medal-${rank}` : ""}`}>
            <b class="table">${rank}</b>
            <span>${name}${line ? ` (${line})` : ""}</span>
            <b class="number">${criteria?.[0]?.value ?? ""}</b>
          </li>
        `,
      )}
    <//>
  </section>
`;

/** The link as a QR code. @param {{ event: TeamEvent }} props */
function Way({ event }) {
  const link = sharedLink("event", `#/teams/${event.event}`);
  return html`
    <div class="way">
      <${Qr} text=${link} label=${say("qr")} />
      <p>${say(event.status === "entries" ? "scan.enter" : "scan")}</p>
    </div>
  `;
}
