/**
 * An event of equal deals: its boards and, once it is over, the standings and what others made of the same cards.
 *
 * @typedef {import("../types").BoardOfEvent} Board
 * @typedef {import("../types").ComparedResult} Compared
 */
import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { call, Refused } from "../api/client.js";
import { onAccountEvent } from "../api/news.js";
import { boardText, resultText } from "./boardresult.js";
import { useLoaded } from "../ui/hooks.js";
import { useGameNames } from "../games/hooks.js";
import { Player } from "../people/player.js";
import { Refusal } from "../ui/refusal.js";
import { PlayersPage } from "../account/signin.js";
import { sharedLink } from "../texts/links.js";
import { ShareLink } from "../ui/sharelink.js";
import { dayText, decimal, momentText, signed, t } from "../texts/texts.js";

/** @param {{ event: string }} props */
export const EventScreen = ({ event }) => html`
  <${PlayersPage} title=${t("event.title")}><${Event} event=${event} /><//>
`;

/** @param {{ event: string }} props */
function Event({ event }) {
  const { value, error, again } = useLoaded(
    async () => /** @type {import("../types").EqualDealEvent} */ (await call("GET", `/events/${event}`)),
    [event],
  );
  const nameOf = useGameNames();
  // The result of a board is stored a moment after its last card.
  useEffect(() => onAccountEvent(({ type }) => void (type === "game_kept" && again())), []);
  const [problem, setProblem] = useState(/** @type {import("../types").Problem | null} */ (null));
  if (error instanceof Refused)
    return html`
      <${Refusal} problem=${error.problem} />
    `;
  if (!value)
    return html`
      <p class="loading" role="status">${t("loading")}</p>
    `;
  const play = async (/** @type {number} */ number) => {
    try {
      if (!value.entered) await call("POST", `/events/${event}/entries`);
      const { table } = await call("POST", `/events/${event}/boards/${number}/table`);
      location.hash = `#/table/${table}?from=event/${event}`;
    } catch (refused) {
      if (!(refused instanceof Refused)) throw refused;
      setProblem(refused.problem);
    }
  };
  const open = value.status === "open";
  return html`
    <p>
      <b>${nameOf(value.ruleset)}</b>
      ${" · "}${dayText(value.opens_at)}
    </p>
    <p class="hint">${open ? t("event.open", { until: momentText(value.closes_at) }) : t("event.over")}</p>
    <${Refusal} problem=${problem} onClose=${() => setProblem(null)} />
    ${
      !open &&
      html`
        <${Standings} event=${event} />
      `
    }
    <ol class="boards of-day" aria-label=${t("event.title")}>
      ${value.items.map(
        (board) => html`
          <${BoardItem} key=${board.number} board=${board} event=${value} play=${() => play(board.number)} />
        `,
      )}
    </ol>
    <details>
      <summary>${t("invite.share")}</summary>
      <${ShareLink}
        link=${sharedLink("event", `#/event/${event}`)}
        about=${t("event.title")}
        label=${t("event.link")}
      />
    </details>
  `;
}

/**
 * @typedef {object} BoardProps
 * @property {Board} board
 * @property {import("../types").EqualDealEvent} event
 * @property {() => void} play
 */

/**
 * A board: its result, or a button to play it; once the event is over, what others made of it.
 * @param {BoardProps} props
 */
function BoardItem({ board, event, play }) {
  const { result, number } = board;
  const open = event.status === "open";
  return html`
    <li>
      <h3>${boardText(board)}</h3>
      ${
        result &&
        html`
          <p>${resultText(result)}${result.counts ? "" : ` ${t("event.adjusted")}`}</p>
        `
      }
      ${
        open &&
        event.for !== "bots" &&
        !result &&
        html`
          <button type="button" class="main" onClick=${play}>${t("event.play")}</button>
        `
      }
      ${
        (!open || result) &&
        html`
          <${Comparison} event=${event.event} number=${number} sealed=${open} />
        `
      }
    </li>
  `;
}

/** @param {{ event: string }} props */
function Standings({ event }) {
  const { value, again } = useLoaded(
    async () =>
      /** @type {import("../types").EventStandings} */ (await call("GET", `/events/${event}/standings?limit=50`)),
    [event],
  );
  if (!value) return null;
  if (value.status === "working")
    return html`
      <p class="hint" role="status">
        ${t("event.counting")}${" "}
        <button type="button" class="plain" onClick=${again}>${t("event.again")}</button>
      </p>
    `;
  const inSteps = value.items.some((row) => row.steps !== null);
  const mine = value.mine && !value.items.some((row) => row.me) ? [value.mine] : [];
  return html`
    <h2>${t("event.standings")}</h2>
    ${
      value.items.length === 0 &&
      html`
        <p class="hint">${t("event.nobody")}</p>
      `
    }
    ${
      value.items.length > 0 &&
      html`
        <table class="results" aria-label=${t("event.standings")}>
          <thead>
            <tr>
              <th scope="col" class="number">${t("leaderboard.place")}</th>
              <th scope="col">${t("player")}</th>
              <th scope="col" class="number">${inSteps ? t("event.steps") : "%"}</th>
            </tr>
          </thead>
          <tbody>
            ${[...value.items, ...mine].map(
              (row) => html`
                <tr key=${row.player} class=${row.me ? "me" : ""}>
                  <td class="number">${row.rank}</td>
                  <th scope="row"><${Player} player=${row.player} name=${row.name} /></th>
                  <td class="number">${row.steps === null ? decimal(row.percent, 1) : signed(row.steps)}</td>
                </tr>
              `,
            )}
          </tbody>
        </table>
      `
    }
  `;
}

/**
 * Everybody's results of a deal on a scale, with mine and the mean of the AI players marked; and the replays.
 * @param {{ event: string, number: number, sealed: boolean }} props `sealed`: whether others may still play the board
 */
function Comparison({ event, number, sealed }) {
  const { value } = useLoaded(
    async () => /** @type {import("../types").PlayedBoard} */ (await call("GET", `/events/${event}/boards/${number}`)),
    [event, number],
  );
  if (!value?.results.length) return null;
  const mean = value.field.length ? value.field.reduce((sum, each) => sum + each, 0) / value.field.length : null;
  const mine = value.results.find((each) => each.me);
  const about = [
    t("event.compared", { count: value.results.length }),
    mine?.value != null && t("event.compared.me", { me: signed(mine.value) }),
    mean !== null && t("event.compared.ai", { ai: signed(Math.round(mean)) }),
  ]
    .filter(Boolean)
    .join(t("gap"));
  return html`
    <${Line} results=${value.results} mean=${mean} about=${about} />
    <p>${about}</p>
    <details>
      <summary>${t("event.others")}</summary>
      <ul>
        ${value.results.map(
          (each) => html`
            <li key=${each.player} class=${each.me ? "me" : ""}>
              ${each.name}${t("colon")}${resultText(each)}${" · "}${decimal(each.percent, 0)}${" %"}
              ${
                !sealed &&
                html`
                  ${" · "}
                  <a href=${`#/replay/${each.game}/1?seat=0`}>${t("replay")}</a>
                `
              }
            </li>
          `,
        )}
      </ul>
    </details>
  `;
}

/** @param {{ results: Compared[], mean: number | null, about: string }} props */
function Line({ results, mean, about }) {
  const values = results.flatMap((each) => (each.value === null ? [] : [each.value]));
  const all = mean === null ? values : [...values, mean];
  if (!all.length) return null;
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const at = (/** @type {number} */ value) => 7 + (186 * (value - least)) / (most - least || 1);
  return html`
    <svg class="line" viewBox="0 0 200 24" role="img" aria-label=${about}>
      <line x1="7" y1="14" x2="193" y2="14" />
      ${
        mean !== null &&
        html`
          <path d=${`M${at(mean)} 4v20`} class="mean" />
        `
      }
      ${results.map(
        (each) =>
          each.value !== null &&
          html`
            <circle cx=${at(each.value)} cy="14" r=${each.me ? 5 : 3} class=${each.me ? "me" : ""} />
          `,
      )}
    </svg>
  `;
}
