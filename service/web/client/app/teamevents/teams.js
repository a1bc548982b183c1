/**
 * Team events: the latest ones, creating one, and the page of one. This file is loaded when one of these screens is
 * opened.
 */
import { html, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { PersonDialog } from "../people/persondialog.js";
import { rulesetOf, rulesets } from "../games/rules.js";
import { clockOf, DAYS, TIMES, timeText, USUAL } from "../games/setup.js";
import { TeamEventList } from "../events/events.js";
import { useAttempt, useLoaded } from "../ui/hooks.js";
import { HouseRules } from "../games/houserules.js";
import { Refusal } from "../ui/refusal.js";
import { Sheet } from "../ui/pagebar.js";
import { PlayersPage } from "../account/signin.js";
import { say } from "../teams/words.js";
import { ofCatalogue, t } from "../texts/texts.js";
import { TeamEventScreen } from "./teamevent.js";
import { Check, Field, Select } from "../ui/fields.js";
import { FormFields, mostRounds, TEMPLATES, usual } from "../teams/forms.js";

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
export function teamsScreen({ rest: [event, part], asked: { club, code } }) {
  if (!event)
    return html`
      <${TeamsScreen} />
    `;
  if (event === "new")
    return html`
      <${Sheet} name="hall" />
      <${NewTeamEventScreen} club=${club} />
    `;
  return html`
    <${Sheet} name="hall" />
    <${TeamEventScreen} key=${event} event=${event} directs=${part === "direct"} code=${code} />
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

/** @typedef {{ club?: string }} ForClub `club`: the one (id) whose members alone may enter */

/** @param {ForClub} props */
const NewTeamEventScreen = ({ club }) => html`
  <${PlayersPage} title=${say("make")} from="#/teams"><${ChosenGame} club=${club} /><//>
`;

/**
 * @typedef {object} TemplatesProps
 * @property {string} chosen
 * @property {(template: (typeof TEMPLATES)[number], title: string) => void} onChoose
 * @property {boolean} onlyArena whether no other form is possible
 */

/** Events to begin with, one tap each. @param {TemplatesProps} props */
const Templates = ({ chosen, onChoose, onlyArena }) => html`
  <fieldset class="templates">
    <legend>${say("template")}</legend>
    ${TEMPLATES.filter(({ form }) => !onlyArena || form === "arena").map((each) => {
      const title = say(/** @type {any} */ (`template.${each.id}`));
      return html`
        <button
          type="button"
          key=${each.id}
          aria-pressed=${each.id === chosen ? "true" : "false"}
          onClick=${() => onChoose(each, title)}
        >
          <b>${title}</b>
          <span class="hint">${say(/** @type {any} */ (`template.${each.id}.how`))}</span>
        </button>
      `;
    })}
  </fieldset>
`;

/** @param {ForClub} props */
function ChosenGame({ club }) {
  const [ruleset, setRuleset] = useState("shengji");
  const { value: games = [] } = useLoaded(rulesets, []);
  const { value: rules } = useLoaded(() => rulesetOf(ruleset), [ruleset]);
  return html`
    <p class="hint">${say("make.how")}</p>
    <label>
      ${t("lobby.game")}
      <${Select}
        name="ruleset"
        value=${ruleset}
        options=${games.map(({ id, names }) => [id, ofCatalogue(names)])}
        onChange=${setRuleset}
      />
    </label>
    ${
      rules?.id === ruleset &&
      html`
        <${Form} key=${ruleset} rules=${rules} club=${club} />
      `
    }
  `;
}

/** How long a fixture of a league may last, days. */
const FIXTURE_DAYS = [1, 2, 3, 7, 14, 28];

/** How much is played, and how much time there is: for a round, minutes; for a play, seconds; for a fixture, days. */
const SIZES = { rounds: 5, boards: 4, minutes: 60, seconds: USUAL, days: 7, hand: DAYS[1] };

/**
 * @typedef {object} SizesProps
 * @property {typeof SIZES} sizes
 * @property {number} rounds most
 * @property {import("../teams/forms.js").Choice} choice
 * @property {(sizes: typeof SIZES) => void} onChange
 */

/** @param {SizesProps} props */
function Sizes({ sizes, rounds, choice: { league, form }, onChange }) {
  const inArena = form === "arena";
  const lengths = ROUND_MINUTES.filter((each) => !inArena || each <= 240);
  const set = (/** @type {keyof typeof SIZES} */ name) => (/** @type {string} */ text) =>
    onChange({ ...sizes, [name]: Number(text) });
  const count = (/** @type {"rounds" | "boards"} */ name, /** @type {number} */ most) => html`
    <${Field}
      label=${say(inArena ? "arena.boards" : name)}
      type="number"
      name=${name}
      required
      min="1"
      max=${most}
      value=${sizes[name]}
      onChange=${set(name)}
    />
  `;
  return html`
    <div class="halves">
      ${rounds > 0 && count("rounds", rounds)}${count("boards", inArena ? 4 : 16)}
      ${
        league
          ? html`
              <label>
                ${say("period")}
                <${Select}
                  name="days"
                  value=${sizes.days}
                  options=${FIXTURE_DAYS.map((count) => [count, say("days", { count })])}
                  onChange=${set("days")}
                />
              </label>
            `
          : html`
              <label>
                ${say(inArena ? "arena.minutes" : "minutes")}
                <${Select}
                  value=${sizes.minutes}
                  options=${lengths.map((each) => [each, roundText(each)])}
                  onChange=${set("minutes")}
                />
              </label>
            `
      }
      <label>
        ${t("create.time")}
        <${Select}
          value=${sizes[league === "at_once" ? "hand" : "seconds"]}
          options=${(league === "at_once" ? DAYS : TIMES).map((each) => [each, timeText(each)])}
          onChange=${set(league === "at_once" ? "hand" : "seconds")}
        />
      </label>
    </div>
  `;
}

/**
 * How many sit at a table where friends are found.
 * @param {{ rules: import("../types").Ruleset, players: number, onChange: (players: number) => void }} props
 */
const Seats = ({ rules, players, onChange }) => html`
  <label>
    ${say("arena.seats")}
    <${Select}
      name="players"
      value=${players}
      options=${rules.players.filter((count) => count <= 8).map((count) => [count, `${count}`])}
      onChange=${(/** @type {string} */ count) => onChange(Number(count))}
    />
  </label>
`;

/** @param {{ rules: import("../types").Ruleset } & ForClub} props */
function Form({ rules, club }) {
  const onlyArena = rules.teams === "friends";
  const [players, setPlayers] = useState(rules.players[0]);
  const [name, setName] = useState("");
  const [sizes, setSizes] = useState(onlyArena ? { ...SIZES, boards: 1, minutes: 45 } : SIZES);
  const [choice, setChoice] = useState(usual(onlyArena ? "arena" : "swiss"));
  const [listed, setListed] = useState(true);
  const [options, setOptions] = useState(/** @type {Record<string, any>} */ ({}));
  const [template, setTemplate] = useState("");
  /** @type {TemplatesProps["onChoose"]} */
  const choose = ({ id, form, rounds, boards, minutes }, called) => {
    setTemplate(id);
    setName(called);
    setChoice(usual(form));
    setSizes({ ...sizes, rounds, boards, minutes });
  };
  const { attempt, busy, problem } = useAttempt();
  const submit = (/** @type {Event} */ submitted) => {
    submitted.preventDefault();
    const { rounds, boards, minutes, seconds, days, hand } = sizes;
    const clock = clockOf(choice.league === "at_once" ? hand : seconds);
    const round_ms = (choice.league ? days * 24 * 60 : minutes) * 60_000;
    const game = { ruleset: rules.id, players, options, clock, ...(club && { club }) };
    const spec = { name: name.trim(), ...game, ...choice, rounds, boards, round_ms, listed };
    attempt(async () => {
      const { event } = await call("POST", "/team-events", spec);
      location.hash = `#/teams/${event}/direct`;
    });
  };
  return html`
    <form class="create" onSubmit=${submit}>
      <${Templates} chosen=${template} onlyArena=${onlyArena} onChoose=${choose} />
      <${Field}
        label=${say("event.name")}
        name="event"
        required
        maxlength="60"
        autocomplete="off"
        value=${name}
        onChange=${setName}
      />
      <${FormFields} choice=${choice} forms=${onlyArena ? ["arena"] : undefined} onChange=${setChoice} />
      ${
        onlyArena &&
        html`
          <${Seats} rules=${rules} players=${players} onChange=${setPlayers} />
        `
      }
      <${Sizes} sizes=${sizes} rounds=${mostRounds(choice.form)} choice=${choice} onChange=${setSizes} />
      <${Check} text=${say("listed")} checked=${listed} onChange=${setListed} />
      <${HouseRules}
        rules=${{ ...rules, options: rules.options.filter(({ name }) => !OF_BOARDS.includes(name)) }}
        given=${/** @type {any} */ (rules.games[players]?.options ?? {})}
        options=${options}
        onChange=${setOptions}
      />
      <${Refusal} problem=${problem} />
      <div class="buttons"><button type="submit" class="main" disabled=${busy}>${say("make")}</button></div>
    </form>
  `;
}
