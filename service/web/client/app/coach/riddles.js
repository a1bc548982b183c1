/** The riddles of the day: what a seat saw, the plays among which to choose, and then what each of them is worth. */
import { html, useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { PlayersPage } from "../account/signin.js";
import { call } from "../api/client.js";
import { Cards } from "../cards/card.js";
import { SIGNS, shownRank } from "../cards/cards.js";
import { useGameNames } from "../games/hooks.js";
import { decimal, t } from "../texts/texts.js";
import { useAttempt, useLoaded } from "../ui/hooks.js";
import { Loading } from "../ui/loading.js";
import { Refusal } from "../ui/refusal.js";
import { say, seatText } from "./words.js";

/**
 * @typedef {import("../types").Riddle} Riddle
 * @typedef {Riddle["position"]} Position
 * @typedef {Position["trick"]} Plays
 */

export const riddlesScreen = () => html`
  <${PlayersPage} title=${say("riddles")}><${Today} /><//>
`;

function Today() {
  const { value, error, again } = useLoaded(
    async () => /** @type {Riddle[]} */ ((await call("GET", "/me/riddles")).items),
    [],
  );
  if (!value)
    return html`
      <${Loading} error=${error} />
    `;
  if (!value.length)
    return html`
      <p class="hint">${say("riddles_none")}</p>
    `;
  return html`
    <p class="hint">${say("riddles_how")}</p>
    ${value.map(
      (each, at) => html`
        <${OneRiddle} key=${each.riddle} riddle=${each} number=${at + 1} onAnswered=${again} />
      `,
    )}
    ${
      value.every((each) => each.solution) &&
      html`
        <p role="status">${say("riddles_done")}</p>
      `
    }
  `;
}

/** @typedef {{ riddle: Riddle, number: number, onAnswered: () => void }} RiddleProps */

/** @param {RiddleProps} props */
function OneRiddle({ riddle, number, onAnswered }) {
  const { position, solution } = riddle;
  const id = `riddle-${number}`;
  const { attempt, busy, problem } = useAttempt();
  const [isFresh, setFresh] = useState(false);
  const choose = (/** @type {number} */ choice) =>
    attempt(async () => {
      await call("PUT", `/me/riddles/${riddle.riddle}/answer`, { choice });
      setFresh(true);
      onAnswered();
    });
  return html`
    <section class="box" aria-labelledby=${id}>
      <h2 id=${id}>${say("riddle", { number })}</h2>
      <${Seen} position=${position} />
      ${
        solution
          ? html`
              <${Solution} riddle=${riddle} isFresh=${isFresh} />
            `
          : html`
              <div role="group" aria-label=${say("ask")}>
                <h3>${say("ask")}</h3>
                <div class="buttons">
                  ${riddle.choices.map(
                    ({ cards }, choice) => html`
                      <button type="button" disabled=${busy} onClick=${() => choose(choice)}>
                        <${Cards} cards=${cards} />
                      </button>
                    `,
                  )}
                </div>
              </div>
            `
      }
      <${Refusal} problem=${problem} />
    </section>
  `;
}

/** What the seat saw. @param {{ position: Position }} props */
function Seen({ position }) {
  const { players, hand, buried, declared, tricks, trick } = position;
  const nameOf = useGameNames();
  return html`
    <p>${nameOf(position.ruleset)} · ${factsOf(position).join(" · ")}</p>
    <h3>${say("table")}</h3>
    ${
      trick.length
        ? html`
            <${Played} plays=${trick} players=${players} />
          `
        : html`
            <p>${say("you_lead")}</p>
          `
    }
    <h3>${say("hand")}</h3>
    <p><${Cards} cards=${hand} /></p>
    ${
      buried &&
      html`
        <h3>${say("buried")}</h3>
        <p><${Cards} cards=${buried} size="tiny" /></p>
      `
    }
    <details>
      <summary>${say("earlier")}</summary>
      ${
        declared.length > 0 &&
        html`
          <h3>${say("declared")}</h3>
          <${Played} plays=${declared} players=${players} size="tiny" />
        `
      }
      ${tricks.map(
        (plays, at) => html`
          <h3>${say("trick", { number: at + 1 })}</h3>
          <${Played} plays=${plays} players=${players} size="tiny" />
        `,
      )}
    </details>
  `;
}

/** Level, trumps, points and sides in words. @param {Position} position */
function factsOf({ level, trump, points, declarer, declarers, players }) {
  const suit = trump.suit ? SIGNS[trump.suit] : say("no_trump");
  const side =
    declarer === 0
      ? say("you_declare")
      : declarers.includes(0)
        ? say("with_declarer")
        : say("against", { who: seatText(declarer, players) });
  return [
    level && say("level", { level: shownRank(level) }),
    say("trumps", { trumps: [suit, trump.rank && shownRank(trump.rank)].filter(Boolean).join(" ") }),
    side,
    say("attackers_have", { points }),
  ].filter(Boolean);
}

/** @param {{ plays: Plays, players: number, size?: "small" | "tiny" }} props */
const Played = ({ plays, players, size }) => html`
  <ol class="names">
    ${plays.map(
      ({ seat, cards }) => html`
        <li>
          ${seatText(seat, players)}${t("colon")}
          <${Cards} cards=${cards} size=${size} />
        </li>
      `,
    )}
  </ol>
`;

/**
 * What each play is worth, and how many have chosen it.
 * @param {{ riddle: Riddle, isFresh: boolean }} props `isFresh`: it has just been answered
 */
function Solution({ riddle: { solution, answer }, isFresh }) {
  const verdict = useRef(/** @type {HTMLElement | null} */ (null));
  const plays = solution ?? [];
  const mine = plays[answer ?? -1];
  // The button that had the focus is gone.
  useEffect(() => void (isFresh && verdict.current?.focus({ preventScroll: true })), []);
  return html`
    <p role="status" tabindex="-1" ref=${verdict}>
      <b>${mine?.best ? say("right") : say("wrong", { cost: decimal(mine?.cost ?? 0, 2) })}</b>
    </p>
    <table class="results" aria-label=${say("ask")}>
      <thead>
        <tr>
          <th scope="col">${say("play")}</th>
          <th scope="col">${say("value")}</th>
          <th scope="col" class="number">${say("chosen")}</th>
        </tr>
      </thead>
      <tbody>
        ${plays.map(
          ({ cards, best, cost, chosen }, at) => html`
            <tr class=${at === answer ? "me" : ""}>
              <th scope="row">
                <${Cards} cards=${cards} size="tiny" />
                ${at === answer && ` ${say("yours")}`}
              </th>
              <td>${best ? say("best") : say("cost", { cost: decimal(cost, 2) })}</td>
              <td class="number">${chosen}</td>
            </tr>
          `,
        )}
      </tbody>
    </table>
  `;
}
