/**
 * What is printed: the slips of a round, and the results board by board, which are read on phones as well.
 *
 * @typedef {import("../types").TeamEvent} TeamEvent
 * @typedef {import("../types").TeamMatch} Match
 * @typedef {import("../types").BoardOfMatch} Board
 */
import { html } from "../../vendor/preact-htm.js";
import { PlayersPage } from "../account/signin.js";
import { call, Refused } from "../api/client.js";
import { boardText, resultText } from "../events/boardresult.js";
import { sidesOf } from "../teams/matches.js";
import { partsOf, Slip } from "../teams/slip.js";
import { signed, t } from "../texts/texts.js";
import { useLoaded } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { say } from "./words.js";

const Printing = () => html`
  <div class="buttons"><button type="button" class="main" onClick=${() => print()}>${say("print")}</button></div>
`;

/** What is loaded, or why it is not. @param {{ error?: any }} props */
const Instead = ({ error }) =>
  error instanceof Refused
    ? html`
        <${Refusal} problem=${error.problem} />
      `
    : html`
        <p class="loading" role="status">${t("loading")}</p>
      `;

/** @param {{ id: string }} props */
export const SlipsScreen = ({ id }) => html`
  <${PlayersPage} title=${say("slips.title")} from=${`#/teams/${id}`}><${Slips} id=${id} /><//>
`;

/** The slips of the round that is played. @param {{ id: string }} props */
function Slips({ id }) {
  const { value: event, error } = useLoaded(
    async () => /** @type {TeamEvent} */ (await call("GET", `/team-events/${id}`)),
    [id],
  );
  if (!event)
    return html`
      <${Instead} error=${error} />
    `;
  const round = event.played.find(({ status }) => status === "open");
  return html`
    <h2>${event.name}</h2>
    ${
      round
        ? html`
            <p>${say("slips", { round: round.round })}</p>
            <${Printing} />
            <div class="slips">
              ${partsOf(event, round).map(
                (part) => html`
                  <${Slip} key=${part.player} round=${round} part=${part} named />
                `,
              )}
            </div>
          `
        : html`
            <p class="hint">${say("slips.none")}</p>
          `
    }
  `;
}

/** @param {{ id: string }} props */
export const BoardsScreen = ({ id }) => html`
  <${PlayersPage} title=${say("boards")} from=${`#/teams/${id}`}><${Boards} id=${id} /><//>
`;

/** @typedef {{ match: Match, board: Board }} Played */

/** Board -> what has been made of it at each table. @param {Match[]} matches @returns {Map<number, Played[]>} */
function byBoard(matches) {
  const boards = new Map();
  for (const match of matches)
    for (const board of match.boards) boards.set(board.number, [...(boards.get(board.number) ?? []), { match, board }]);
  return boards;
}

/** All boards of the rounds that are over, the latest round first. @param {{ id: string }} props */
function Boards({ id }) {
  const { value, error } = useLoaded(
    async () => /** @type {import("../types").TeamResults} */ (await call("GET", `/team-events/${id}/results`)),
    [id],
  );
  if (!value)
    return html`
      <${Instead} error=${error} />
    `;
  const rounds = [...new Set(value.matches.map(({ round }) => round))].reverse();
  return html`
    <h2>${value.event.name}</h2>
    ${
      rounds.length
        ? html`
            <${Printing} />
          `
        : html`
            <p class="hint">${say("boards.none")}</p>
          `
    }
    ${rounds.map(
      (round) => html`
        <section key=${round} class="by-board">
          <h2>${say("round", { round })}</h2>
          ${[...byBoard(value.matches.filter((match) => match.round === round))].map(
            ([number, played]) => html`
              <${OfBoard} key=${number} event=${value.event} played=${played} />
            `,
          )}
        </section>
      `,
    )}
  `;
}

/**
 * A board: what each table has made of it, the best first.
 * @param {{ event: import("../types").TeamResults["event"], played: Played[] }} props
 */
function OfBoard({ event, played }) {
  const best = [...played].sort((one, other) => won(other.board) - won(one.board));
  const title = boardText(played[0].board);
  return html`
    <section class="box">
      <h3>${title}</h3>
      <ul aria-label=${title}>
        ${best.map(({ match, board }) => {
          const [first, second] = sidesOf(event, match.names);
          const [one, other] = countedText(board);
          return html`
            <li key=${match.match}>
              <b class="table">${match.match.split("-")[1]}</b>
              <span>${first}</span>
              <b class="number">${one}</b>
              <span>${second}</span>
              <b class="number">${other}</b>
              <span class="hint">
                ${board.rooms.map((room) => (room ? resultText(room) : say("late"))).join(" | ")}
              </span>
            </li>
          `;
        })}
      </ul>
    </section>
  `;
}

/** What a board counts for the first side. @param {Board} board */
const won = ({ shares, steps }) => (shares ? shares[0].percent : steps);

/** What a board counts for both sides. @param {Board} board @returns {[string, string]} */
const countedText = ({ shares, steps }) =>
  shares ? [`${shares[0].percent}%`, `${shares[1].percent}%`] : [signed(steps), signed(-steps)];
