/**
 * Who sits where in a round, and the slip that tells a member: the table, the partners, the opponents, the time.
 *
 * @typedef {import("../types").TeamEvent} TeamEvent
 * @typedef {import("../types").RoundOfEvent} Round
 * @typedef {import("../types").TeamOfEvent["members"][number] | undefined} Member
 * @typedef {{ table: string, sides: [Member[], Member[]] }} Table
 */
import { html } from "../../vendor/preact-htm.js";
import { theAccount } from "../api/account.js";
import { shownName } from "../people/aiplayer.js";
import { enumerated, soonText } from "../texts/texts.js";
import { hasSides } from "./entries.js";
import { say } from "./words.js";

/**
 * The tables of a match, with who sits there, seated as the service seats them: those who meet take turns around the
 * table, and half of a team plays at each of its two tables.
 * @param {TeamEvent} event
 * @param {import("../types").MatchOfRound} match
 * @returns {Table[]}
 */
export function tablesOf({ ruleset, players, size = players, entries }, { match, teams }) {
  const number = match.split("-")[1];
  const half = players / 2;
  const at = (/** @type {number} */ which) => (/** @type {number} */ seat) =>
    entries.find(({ team }) => team === teams[(seat + which) % teams.length])?.members[
      which * half + Math.floor(seat / teams.length)
    ];
  const seats = Array.from({ length: players }, (_, seat) => seat);
  if (!hasSides(ruleset)) return [{ table: number, sides: [[], seats.map(at(0))] }];
  return (size === players ? ["A", "B"] : [""]).map((room, which) => ({
    table: number + room,
    sides: [seats.filter((seat) => seat % 2 === 0).map(at(which)), seats.filter((seat) => seat % 2).map(at(which))],
  }));
}

/** Names in a sentence. @param {Member[]} members */
const namesOf = (members) => enumerated(members.map((each) => shownName(each?.name ?? "") || say("nobody")));

/**
 * @typedef {object} Part where somebody plays in a round
 * @property {string} table
 * @property {string} name
 * @property {string} partners
 * @property {string} opponents
 */

/**
 * Where people play in a round, table by table.
 * @param {TeamEvent} event
 * @param {Round} round
 * @returns {(Part & { player: string })[]}
 */
export const partsOf = (event, round) =>
  round.matches
    .flatMap((match) => tablesOf(event, match))
    .flatMap(({ table, sides }) =>
      sides.flatMap((side, at) =>
        side.flatMap((member) =>
          member?.player
            ? [
                {
                  table,
                  player: member.player,
                  name: member.name,
                  partners: sides[0].length ? namesOf(side.filter((each) => each !== member)) : "",
                  opponents: namesOf(sides[0].length ? sides[1 - at] : side.filter((each) => each !== member)),
                },
              ]
            : [],
        ),
      ),
    );

/** @param {{ round: Round, part: Part, named?: boolean }} props `named`: with the name of whom it is for */
export const Slip = ({ round, part, named = false }) => html`
  <section class="slip" aria-label=${say("slip", { round: round.round })}>
    <p class="place">
      <span>${say("slip.table")}</span>
      ${" "}
      <b>${part.table}</b>
    </p>
    <div class="who">
      ${
        named &&
        html`
          <h3>${part.name}</h3>
        `
      }
      ${
        part.partners &&
        html`
          <p>
            ${say("slip.with")}${" "}
            <b>${part.partners}</b>
          </p>
        `
      }
      <p>
        ${say("slip.against")}${" "}
        <b>${part.opponents}</b>
      </p>
      <p class="hint">
        ${say("slip.at", { round: round.round, from: soonText(round.opened_at, false), until: soonText(round.closes_at, false) })}
      </p>
    </div>
  </section>
`;

/**
 * The slip of the reader while a round is open; without a match, that they sit out.
 * @param {{ event: TeamEvent }} props
 */
export function MySlip({ event }) {
  const round = event.played.find(({ status }) => status === "open");
  const { team, confirmed } = event.mine;
  if (!round || !team || !confirmed) return null;
  if (round.byes?.includes(team))
    return html`
      <p role="status">${say("slip.out", { round: round.round })}</p>
    `;
  const own = partsOf(event, round).find(({ player }) => player === theAccount().player);
  return (
    own &&
    html`
      <${Slip} round=${round} part=${own} />
    `
  );
}
