/**
 * Team events: the latest ones, creating one, and the page of one. This file is loaded when one of these screens is
 * opened.
 */
import { html, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { PersonDialog } from "../people/persondialog.js";
import { rulesetOf, rulesets } from "../games/rules.js";
import { clockOf, TIMES, timeText, USUAL } from "../games/setup.js";
import { TeamEventList } from "./events.js";
import { useAttempt, useLoaded } from "../ui/hooks.js";
import { HouseRules } from "../games/houserules.js";
import { Refusal } from "../ui/refusal.js";
import { PlayersPage } from "../account/signin.js";
import { say } from "./words.js";
import { ofCatalogue, t } from "../texts/texts.js";
import { TeamEventScreen } from "./teamevent.js";

/** How long a round may last, minutes. */
const ROUND_MINUTES = [15, 30, 45, 60, 90, 120, 180, 24 * 60, 3 * 24 * 60, 7 * 24 * 60];

/** Options that the board determines. */
const OF_BOARDS = ["deal_pace", "misdeal", "start_level"];

/** @param {number} minutes */
const roundText = (minutes) =>
  minutes < 180
    ? t("create.minutes", { count: minutes })
    : minutes < 24 * 60
      ? say("hours", { count: minutes / 60 })
      : say("days", { count: minutes / (24 * 60) });

/**
 * The screen of `#/teams`, `#/teams/new`, `#/teams/<event>` and `#/teams/<event>/direct`.
 * @param {import("../routes.js").Address} address
 */
export function teamsScreen({ rest: [event, part] }) {
  if (!event)
    return html`
      <${TeamsScreen} />
    `;
  if (event === "new")
    return html`
      <${NewTeamEventScreen} />
    `;
  return html`
    <${TeamEventScreen} key=${event} event=${event} directs=${part === "direct"} />
    <${PersonDialog} />
  `;
}

const TeamsScreen = () => html`
  <${PlayersPage} title=${t("teams")}>
    <p class="hint">${say("about")}</p>
    <${TeamEventList} />
    <div class="buttons"><a class="button" href="#/teams/new">${say("make")}</a></div>
  <//>
`;

const NewTeamEventScreen = () => html`
  <${PlayersPage} title=${say("make")} from="#/teams"><${ChosenGame} /><//>
`;

function ChosenGame() {
  const [ruleset, setRuleset] = useState("shengji");
  const { value: games = [] } = useLoaded(rulesets, []);
  const { value: rules } = useLoaded(() => rulesetOf(ruleset), [ruleset]);
  return html`
    <p class="hint">${say("make.how")}</p>
    <label>
      ${t("lobby.game")}
      <select name="ruleset" value=${ruleset} onChange=${(/** @type {any} */ event) => setRuleset(event.target.value)}>
        ${games
          .filter(({ teams }) => teams !== "friends")
          .map(
            (game) => html`
              <option value=${game.id}>${ofCatalogue(game.names)}</option>
            `,
          )}
      </select>
    </label>
    ${
      rules?.id === ruleset &&
      html`
        <${Form} key=${ruleset} rules=${rules} />
      `
    }
  `;
}

/** @param {{ rules: import("../types").Ruleset }} props */
function Form({ rules }) {
  const players = rules.players[0];
  const [name, setName] = useState("");
  const [rounds, setRounds] = useState(5);
  const [boards, setBoards] = useState(4);
  const [minutes, setMinutes] = useState(60);
  const [seconds, setSeconds] = useState(USUAL);
  const [listed, setListed] = useState(true);
  const [options, setOptions] = useState(/** @type {Record<string, any>} */ ({}));
  const { attempt, busy, problem } = useAttempt();
  const submit = (/** @type {Event} */ submitted) => {
    submitted.preventDefault();
    attempt(async () => {
      const spec = {
        name: name.trim(),
        ruleset: rules.id,
        players,
        rounds,
        boards,
        round_ms: minutes * 60_000,
        options,
        clock: clockOf(seconds),
        listed,
      };
      const { event } = await call("POST", "/team-events", spec);
      location.hash = `#/teams/${event}/direct`;
    });
  };
  const number = (/** @type {(value: number) => void} */ set) => (/** @type {any} */ event) =>
    set(Number(event.target.value));
  return html`
    <form class="create" onSubmit=${submit}>
      <label>
        ${say("event.name")}
        <input
          type="text"
          name="event"
          required
          maxlength="60"
          autocomplete="off"
          value=${name}
          onInput=${(/** @type {any} */ event) => setName(event.target.value)}
        />
      </label>
      <div class="halves">
        <label>
          ${say("rounds")}
          <input type="number" name="rounds" required min="1" max="15" value=${rounds} onInput=${number(setRounds)} />
        </label>
        <label>
          ${say("boards")}
          <input type="number" name="boards" required min="1" max="16" value=${boards} onInput=${number(setBoards)} />
        </label>
        <label>
          ${say("minutes")}
          <select value=${minutes} onChange=${number(setMinutes)}>
            ${ROUND_MINUTES.map(
              (each) => html`
                <option value=${each}>${roundText(each)}</option>
              `,
            )}
          </select>
        </label>
        <label>
          ${t("create.time")}
          <select value=${seconds} onChange=${number(setSeconds)}>
            ${TIMES.map(
              (each) => html`
                <option value=${each}>${timeText(each)}</option>
              `,
            )}
          </select>
        </label>
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked=${listed}
          onChange=${(/** @type {any} */ event) => setListed(event.target.checked)}
        />
        ${say("listed")}
      </label>
      <${HouseRules}
        rules=${{ ...rules, options: rules.options.filter(({ name }) => !OF_BOARDS.includes(name)) }}
        given=${/** @type {any} */ (rules.games[players]?.options ?? {})}
        options=${options}
        onChange=${setOptions}
      />
      ${
        problem &&
        html`
          <${Refusal} problem=${problem} />
        `
      }
      <div class="buttons"><button type="submit" class="main" disabled=${busy}>${say("make")}</button></div>
    </form>
  `;
}
