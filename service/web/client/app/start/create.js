/** A new table: the game, a preset, and every option that the catalogue of the API has, phase by phase. */
import { html, useState } from "../../vendor/preact-htm.js";
import { Refused } from "../api/client.js";
import { rulesetOf, rulesets } from "../games/rules.js";
import { aiLevels, clockOf, DAYS, makeTable, QUICK_DEAL, TIMES, timeText, USUAL } from "../games/setup.js";
import { useAccount, useLoaded } from "../ui/hooks.js";
import { Allowed, Preset } from "../games/choices.js";
import { LengthField } from "../games/length.js";
import { HouseRules } from "../games/houserules.js";
import { PageBar } from "../ui/pagebar.js";
import { Refusal } from "../ui/refusal.js";
import { SignIn } from "../account/signin.js";
import { ofCatalogue, t } from "../texts/texts.js";
import { Check, Select } from "../ui/fields.js";

/** How long a game can be paused in all, if it can be paused, ms. */
const PAUSE_LIMIT = 600_000;

/**
 * Shortest delay of open hands, ms: about the length of a round, so that spectators see it at the pace at which it was
 * played.
 */
const OPEN_DELAY = 600_000;

/** @param {{ ruleset?: string, club?: string }} props `club`: the one (id) whose members alone sit down */
export function CreateScreen({ ruleset: asked = "shengji", club }) {
  const { token } = useAccount();
  const [ruleset, setRuleset] = useState(asked);
  const { value: games = [] } = useLoaded(rulesets, []);
  const { value: rules } = useLoaded(() => rulesetOf(ruleset), [ruleset]);
  return html`
    <main class="page create">
      <${PageBar} title=${t("create")} />
      ${
        token
          ? html`
              <label>
                ${t("lobby.game")}
                <${Select}
                  value=${ruleset}
                  options=${games.map(({ id, names }) => [id, ofCatalogue(names)])}
                  onChange=${setRuleset}
                />
              </label>
              ${
                rules?.id === ruleset &&
                html`
                  <${TableForm} key=${ruleset} rules=${rules} club=${club} />
                `
              }
            `
          : html`
              <${SignIn} />
            `
      }
    </main>
  `;
}

/** What may be allowed at a table, and whether it is at first. */
const FLAGS = {
  public: false,
  spectators: false,
  open: false,
  chat: true,
  take_back: true,
  random_seats: false,
  pauses: false,
  claims: false,
};

/** @typedef {typeof FLAGS} Flags */

/**
 * The time for decisions. Without a choice, it is that of the service, which is no limit for a person with AI players
 * only.
 * @param {number | null} seconds the choice
 * @param {boolean} alone whether all others are AI players
 * @param {import("../games/setup.js").OfDays} days
 */
function timesFor(seconds, alone, days) {
  if (seconds) return clockOf(seconds, days);
  return alone ? { ...QUICK_DEAL, alone: /** @type {const} */ ("unlimited") } : {};
}

/** What a table allows, as the API takes it. @param {Flags} flags @returns {Partial<import("../types").NewTable>} */
const settingsOf = (flags) => ({
  visibility: flags.public ? "public" : "private",
  spectators: flags.open ? "open" : flags.spectators ? "delayed" : "off",
  ...(flags.open && { spectator_delay_ms: OPEN_DELAY }),
  chat: flags.chat,
  take_back: flags.take_back,
  ...(flags.random_seats && { random_seats: true }),
  claims: flags.claims,
  pause_limit_ms: flags.pauses ? PAUSE_LIMIT : 0,
});

/** @typedef {{ rules: import("../types").Ruleset, club?: string }} FormProps */

/** @param {FormProps} props */
function TableForm({ rules, club }) {
  const [players, setPlayers] = useState(rules.players[0]);
  const [preset, setPreset] = useState(rules.presets[0]?.id ?? "");
  const [options, setOptions] = useState(/** @type {Record<string, unknown>} */ ({}));
  const [seconds, setSeconds] = useState(/** @type {number | null} */ (null));
  const [days, setDays] = useState(/** @type {import("../games/setup.js").OfDays} */ ({}));
  const [ai, setAi] = useState("");
  const [flags, setFlags] = useState(FLAGS);
  const [length, setLength] = useState(/** @type {import("../types").GameLength | undefined} */ (undefined));
  const [problem, setProblem] = useState(/** @type {import("../types").Problem | null} */ (null));
  const presets = rules.presets.filter((each) => each.players.includes(players));
  const chosen = presets.find((each) => each.id === preset) ?? presets[0];
  const own = /** @type {Record<string, unknown>} */ (rules.games[players]?.options ?? {});
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setProblem(null);
    try {
      const game = { ruleset: /** @type {any} */ (rules.id), players, ...(chosen && { preset: chosen.id }), options };
      const limits = { ...(length && { length: /** @type {any} */ (length) }), ...(club && { club }) };
      const more = { ...settingsOf(flags), ...limits };
      const spec = { ...game, clock: timesFor(seconds, Boolean(ai), days), ...more };
      location.hash = `#/table/${await makeTable(spec, ai ? { ai } : {})}`;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      setProblem(error.problem);
    }
  };
  return html`
    <form class="create" onSubmit=${submit}>
      <${Company} players=${players} onPlayers=${setPlayers} counts=${rules.players} ai=${ai} onAi=${setAi} />
      <${LengthField} ruleset=${rules.id} length=${length} onChange=${setLength} />
      <${Preset} presets=${presets} chosen=${chosen} onChange=${setPreset} />
      <label>
        ${t("create.time")}
        <${Select}
          value=${seconds ?? (ai ? 0 : USUAL)}
          options=${[...(ai ? [0] : []), ...TIMES, ...(ai ? [] : DAYS)].map((time) => [time, timeText(time)])}
          onChange=${(/** @type {string} */ time) => setSeconds(Number(time))}
        />
      </label>
      ${
        (seconds ?? 0) >= DAYS[0] &&
        html`
          <p class="hint">${t("create.days.hint")}</p>
          <${OfDays} days=${days} onChange=${setDays} />
        `
      }
      <${Allowed} flags=${flags} onChange=${setFlags} />
      <${HouseRules} rules=${rules} given=${{ ...own, ...chosen?.options }} options=${options} onChange=${setOptions} />
      <${Refusal} problem=${problem} onClose=${() => setProblem(null)} />
      <div class="buttons"><button type="submit" class="main">${t(ai ? "create.start" : "create.button")}</button></div>
    </form>
  `;
}

/**
 * What else is chosen for a game that takes days.
 * @typedef {import("../games/setup.js").OfDays} DaysChosen
 * @param {{ days: DaysChosen, onChange: (days: DaysChosen) => void }} props
 */
const OfDays = ({ days, onChange }) => html`
  <div class="flags">
    ${
      /** @type {const} */ (["weekends_off", "remind"]).map(
        (name) => html`
          <${Check}
            text=${t(`create.${name}`)}
            checked=${Boolean(days[name])}
            onChange=${(/** @type {boolean} */ on) => onChange({ ...days, [name]: on })}
          />
        `,
      )
    }
  </div>
  <p class="hint">${t(days.remind ? "days.remind" : "days.late")}</p>
`;

/**
 * @typedef {object} CompanyProps
 * @property {number} players
 * @property {(players: number) => void} onPlayers
 * @property {number[]} counts possible numbers of players
 * @property {string} ai level of the other players; "": they are people
 * @property {(ai: string) => void} onAi
 */

/** How many players, and who the others are. @param {CompanyProps} props */
function Company({ players, onPlayers, counts, ai, onAi }) {
  const { value: levels = [] } = useLoaded(aiLevels, []);
  const level = levels.find((each) => each.id === ai);
  return html`
    <div class="pair">
      <label>
        ${t("create.players")}
        <${Select}
          value=${players}
          options=${counts.map((count) => [count, count])}
          onChange=${(/** @type {string} */ count) => onPlayers(Number(count))}
        />
      </label>
      <label>
        ${t("create.others")}
        <${Select}
          value=${ai}
          options=${[
            ["", t("create.people")],
            ...levels.map(({ id, title }) => [id, t("create.ai", { level: ofCatalogue(title) })]),
          ]}
          onChange=${onAi}
        />
      </label>
    </div>
    ${
      level &&
      html`
        <p class="hint">${ofCatalogue(level.meaning)}</p>
      `
    }
  `;
}
