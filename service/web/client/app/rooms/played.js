/** What a room has played: levels that go on, tallies by person and pair, and the last rounds. */
import { html } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { enumerated, listed, momentText } from "../texts/texts.js";
import { useLoaded } from "../ui/hooks.js";
import { say } from "./words.js";

/**
 * @typedef {import("../types").Room} Room
 * @typedef {import("../types").RoomHistory} History
 */

/** How many rounds are listed at first. */
const SHOWN = 10;

/** @param {{ room: Room }} props */
export function Played({ room }) {
  const { value } = useLoaded(
    async () => /** @type {History} */ (await call("GET", `/rooms/${room.room}/history`)),
    [room.room, room.table?.version],
  );
  if (!value) return null;
  const nameOf = (/** @type {string | null} */ player) =>
    room.people.find((each) => each.player === player)?.name ?? say("ai");
  return html`
    <section aria-label=${say("played")}>
      <h2>${say("played")}</h2>
      ${
        value.rounds.length
          ? html`
              <${Levels} past=${value} nameOf=${nameOf} />
              <${Tallies}
                title=${say("persons")}
                rows=${value.people.map(({ player, ...tally }) => ({ who: nameOf(player), ...tally }))}
              />
              <${Tallies}
                title=${say("pairs")}
                rows=${value.pairs.map(({ players, ...tally }) => ({ who: enumerated(players.map(nameOf)), ...tally }))}
              />
              <${Rounds} rounds=${value.rounds} nameOf=${nameOf} />
            `
          : html`
              <p class="hint">${say("none_played")}</p>
            `
      }
    </section>
  `;
}

/** @typedef {{ past: History, nameOf: (player: string | null) => string }} LevelsProps */

/** The levels with which the next table starts: of two sides, or of all seats. @param {LevelsProps} props */
function Levels({ past: { levels, seats }, nameOf }) {
  if (!levels.length) return null;
  const texts = levels.map((level, side) =>
    say("level_of", {
      names: enumerated(seats.filter((_, seat) => seat % levels.length === side).map(nameOf)),
      level,
    }),
  );
  return html`
    <p>${say("levels", { levels: listed(texts) })}</p>
  `;
}

/** @typedef {{ title: string, rows: { who: string, rounds: number, won: number }[] }} TalliesProps */

/** Who has won how often, those who have played most first. @param {TalliesProps} props */
const Tallies = ({ title, rows }) =>
  rows.length > 0 &&
  html`
    <table>
      <caption>${title}</caption>
      <thead>
        <tr>
          <th scope="col">${say("who")}</th>
          <th scope="col" class="number">${say("rounds")}</th>
          <th scope="col" class="number">${say("won")}</th>
        </tr>
      </thead>
      <tbody>
        ${[...rows]
          .sort((one, other) => other.rounds - one.rounds)
          .map(
            ({ who, rounds, won }) => html`
              <tr key=${who}>
                <th scope="row">${who}</th>
                <td class="number">${rounds}</td>
                <td class="number">${won}</td>
              </tr>
            `,
          )}
      </tbody>
    </table>
  `;

/**
 * Who has won a round.
 * @param {History["rounds"][number]} round
 * @param {LevelsProps["nameOf"]} nameOf
 */
function outcome({ seats, won, levels }, nameOf) {
  if (!won.length) return say("won_none");
  const names = enumerated(won.map((seat) => nameOf(seats[seat])));
  return say(levels ? "won_levels" : "won_by", { names, count: levels });
}

/**
 * The last rounds, each with the way to look at it again.
 * @param {{ rounds: History["rounds"], nameOf: LevelsProps["nameOf"] }} props
 */
const Rounds = ({ rounds, nameOf }) => html`
  <details>
    <summary>${say("last_rounds")}</summary>
    <ol class="my-tables">
      ${rounds.slice(0, SHOWN).map(
        (each) => html`
          <li key=${`${each.game} ${each.round}`}>
            <a href=${`#/replay/${each.game}/${each.round}`}>
              <b>${outcome(each, nameOf)}</b>
              <span class="hint">${momentText(each.at)}</span>
            </a>
          </li>
        `,
      )}
    </ol>
  </details>
`;
