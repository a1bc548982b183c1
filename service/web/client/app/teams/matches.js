/**
 * Rounds of a team event: who meets whom and, once a round is over, the results of both tables on each board.
 *
 * @typedef {import("../types").TeamEvent} TeamEvent
 * @typedef {import("../types").BoardOfMatch} Board
 */
import { html, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { say } from "./words.js";
import { enumerated, momentText, signed, t } from "../texts/texts.js";
import { boardText, resultText } from "../events/boardresult.js";
import { useLoaded } from "../ui/hooks.js";
import { hasSides, teamNamed } from "./entries.js";

/**
 * Names of both sides: of two teams, or of players, every other one of whom is a partner; without sides, one list.
 * @param {{ ruleset: string }} event
 * @param {string[]} names
 */
export const sidesOf = ({ ruleset }, names) => {
  if (names.length === 2) return names;
  if (!hasSides(ruleset)) return [enumerated(names)];
  const side = (/** @type {number} */ first) => {
    const of = names.filter((_, at) => at % 2 === first);
    return of.length === 2 ? say("partners", { one: of[0], other: of[1] }) : enumerated(of);
  };
  return [side(0), side(1)];
};

/**
 * Both names of a match, and what it is for.
 * @param {TeamEvent} event
 * @param {{ teams: string[], place?: number | null }} match
 */
export const matchText = (event, { teams, place }) => {
  const [first, second] = sidesOf(
    event,
    teams.map((team) => teamNamed(event, team)),
  );
  const match = second ? say("match", { first, second }) : first;
  return place ? say("placed", { match, place: say(place === 1 ? "final" : "third.place") }) : match;
};

/** Who has no match in a round. @param {{ event: TeamEvent, round: { byes: string[] } }} props */
export const Byes = ({ event, round: { byes = [] } }) =>
  byes.length > 0 &&
  html`
    <p class="hint">${say("byes.go_on", { names: enumerated(byes.map((team) => teamNamed(event, team))) })}</p>
  `;

/**
 * What the service still does for a round; older ones do not tell.
 * @param {{ round: import("../types").RoundOfEvent }} props
 */
export function Pending({ round: { pending } }) {
  if (!pending) return null;
  const { done, total } = pending;
  return html`
    <p class="hint" role="status">
      ${say(pending.what === "tables" ? "pending.tables" : "pending.results", { since: momentText(pending.since), done: done ?? 0, total: total ?? 0 })}
    </p>
  `;
}

/** What else there is to look at. @param {{ event: TeamEvent }} props */
export const Ways = ({ event: { event, played, showing, form } }) => html`
  <p class="ways">
    <a href=${`#/hall/${event}`}>${say("wall")}</a>
    ${" "}
    ${
      showing &&
      html`
        <a href=${`#/hall/${event}/watch`}>${say("watch")}</a>
        ${" "}
      `
    }
    ${
      form !== "arena" &&
      played.some(({ status }) => status === "over") &&
      html`
        <a href=${`#/hall/${event}/boards`}>${say("by_board")}</a>
      `
    }
  </p>
`;

/** The round in progress. @param {{ event: TeamEvent }} props */
export function OpenRound({ event }) {
  const open = event.played.find(({ status }) => status === "open");
  if (!open) return null;
  return html`
    <section>
      <h2>${say("round", { round: open.round })}</h2>
      ${
        open.pending?.what !== "results" &&
        html`
          <p class="hint">${say("until", { until: momentText(open.closes_at) })}</p>
        `
      }
      <${Pending} round=${open} />
      <ul class="pairs">
        ${open.matches.map(
          (each) => html`
            <li key=${each.match} class=${each.teams.includes(event.mine.team ?? "") ? "me" : ""}>
              ${each.agreed_at ? say("match.at", { match: matchText(event, each), at: momentText(each.agreed_at) }) : matchText(event, each)}
            </li>
          `,
        )}
      </ul>
      <${Byes} event=${event} round=${open} />
    </section>
  `;
}

/** When the next fixture of a league begins. @param {{ event: TeamEvent }} props */
export const Follows = ({ event: { next_round_at, round } }) =>
  next_round_at &&
  html`
    <p class="hint">${say("follows.at", { round: round + 1, at: momentText(next_round_at) })}</p>
  `;

/**
 * The rounds that are over, the latest first.
 * @param {{ event: TeamEvent, standings?: import("../types").TeamStandings, changes: number }} props
 */
export function PlayedRounds({ event, standings, changes }) {
  const over = event.played.filter(({ status }) => status === "over").reverse();
  const points = new Map(
    standings?.items.flatMap((row) =>
      row.matches.map(({ match, victory_points }) => [`${match} ${row.team}`, victory_points]),
    ),
  );
  return over.map(
    (round) => html`
      <section key=${round.round}>
        <h2>${say("round", { round: round.round })}</h2>
        <ul class="played">
          ${round.matches.map(({ match, teams, place }) => {
            const [first, second] = teams.map((team) => points.get(`${match} ${team}`));
            return html`
              <${Played}
                key=${match}
                event=${event}
                match=${match}
                teams=${teams}
                place=${place}
                won=${first === undefined || teams.length > 2 ? "" : `${first} : ${second}`}
                changes=${changes}
              />
            `;
          })}
        </ul>
        <${Byes} event=${event} round=${round} />
      </section>
    `,
  );
}

/**
 * A match; its boards are read when it is opened.
 * @typedef {import("../types").MatchOfRound} Match
 * @param {Match & { event: TeamEvent, won: string, changes: number }} props
 */
function Played({ event, match, teams, place, won, changes }) {
  const [isOpen, setOpen] = useState(false);
  return html`
    <li>
      <details class="box" onToggle=${(/** @type {any} */ toggled) => setOpen(toggled.target.open)}>
        <summary class=${teams.includes(event.mine.team ?? "") ? "me" : ""}>
          ${matchText(event, { teams, place })}${" "}
          <span class="number">${won}</span>
        </summary>
        ${
          isOpen &&
          html`
            <${Boards} event=${event} match=${match} changes=${changes} />
          `
        }
      </details>
    </li>
  `;
}

/** @param {{ event: TeamEvent, match: string, changes: number }} props */
function Boards({ event, match, changes }) {
  const { value } = useLoaded(
    async () =>
      /** @type {import("../types").TeamMatch} */ (await call("GET", `/team-events/${event.event}/matches/${match}`)),
    [event.event, match, changes],
  );
  if (!value)
    return html`
      <p class="hint" role="status">${t("loading")}</p>
    `;
  const [first, second] = sidesOf(event, value.names);
  return html`
    <ol class="boards" aria-label=${t("event.title")}>
      ${value.boards.map(
        (board) => html`
          <li key=${board.number}>
            <h3>${say("board", { board: boardText(board), steps: countedText(board, first, second, value.names) })}</h3>
            ${
              board.counted !== "played" &&
              html`
                <p class="hint">${say(whyText(board), { reason: board.reason ?? "" })}</p>
              `
            }
            ${board.rooms.map(
              (room, at) => html`
                <p key=${at}>
                  ${
                    !board.shares &&
                    !board.seats &&
                    html`
                      <b>${say("table", { number: at + 1, team: value.names[at] })}</b>
                      ${" "}
                    `
                  }${roomText(room)}${" "}${
                    room &&
                    html`
                      <a href=${`#/replay/${room.game}/1?seat=0`}>${t("replay")}</a>
                    `
                  }
                </p>
              `,
            )}
            ${
              board.points !== null &&
              !board.seats &&
              html`
                <p class="hint">${say("difference", { first, points: signed(board.points) })}</p>
              `
            }
          </li>
        `,
      )}
    </ol>
  `;
}

/** @param {Board["rooms"][number]} room */
function roomText(room) {
  if (!room) return say("late");
  return room.value === null && (room.side || room.scores)
    ? `${resultText(room)}${t("gap")}${say("taken")}`
    : resultText(room);
}

/** Why a board counts otherwise. @param {Board} board */
const whyText = ({ counted, shares, seats }) => {
  if (counted === "director") return "counted.director";
  return seats ? "counted.arena" : shares ? "counted.pairs" : "counted.adjusted";
};

/** Who has won a board of an arena. @param {NonNullable<Board["seats"]>} seats @param {string[]} names of the seats */
const wonText = (seats, names) => {
  const winners = names.filter((_, seat) => seats[seat].outcome === "won");
  return winners.length ? say("won", { names: enumerated(winners) }) : say("won.none");
};

/**
 * What a board counts for both sides.
 * @param {Board} board
 * @param {string} first
 * @param {string} second
 * @param {string[]} names
 */
const countedText = ({ shares, steps, split, seats }, first, second, names) =>
  seats
    ? wonText(seats, names)
    : shares
      ? say("shares", { first, second, percent: shares[0].percent, other: shares[1].percent })
      : split
        ? say("split", { first, second, steps: signed(split[0]), other: signed(split[1]) })
        : stepsText(steps, first, second);

/** What a board counts. @param {number} steps @param {string} first @param {string} second */
const stepsText = (steps, first, second) =>
  steps ? say("steps", { team: steps > 0 ? first : second, count: Math.abs(steps) }) : say("even");
