/** A new table: the game, a preset, and every option that the catalogue of the API has, phase by phase. */
import { html, useState } from "../../vendor/preact-htm.js";
import { Refused } from "../api/client.js";
import { rulesetOf, rulesets } from "../games/rules.js";
import { aiLevels, clockOf, makeTable, QUICK_DEAL, TIMES, timeText, USUAL } from "../games/setup.js";
import { useAccount, useLoaded } from "../ui/hooks.js";
import { HouseRules } from "../games/houserules.js";
import { PageBar } from "../ui/pagebar.js";
import { Refusal } from "../ui/refusal.js";
import { SignIn } from "../account/signin.js";
import { ofCatalogue, t } from "../texts/texts.js";

/** How long a game can be paused in all, if it can be paused, ms. */
const PAUSE_LIMIT = 600_000;

/**
 * Shortest delay of open hands, ms: about the length of a round, so that spectators see it at the pace at which it was
 * played.
 */
const OPEN_DELAY = 600_000;

/** @param {{ ruleset?: string }} props */
export function CreateScreen({ ruleset: asked = "shengji" }) {
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
                <select value=${ruleset} onChange=${(/** @type {any} */ event) => setRuleset(event.target.value)}>
                  ${games.map(
                    (game) => html`
                      <option value=${game.id}>${ofCatalogue(game.names)}</option>
                    `,
                  )}
                </select>
              </label>
              ${
                rules?.id === ruleset &&
                html`
                  <${TableForm} key=${ruleset} rules=${rules} />
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

/** @param {{ rules: import("../types").Ruleset }} props */
function TableForm({ rules }) {
  const [players, setPlayers] = useState(rules.players[0]);
  const [preset, setPreset] = useState(rules.presets[0]?.id ?? "");
  const [options, setOptions] = useState(/** @type {Record<string, unknown>} */ ({}));
  /** null: the service's default, which is no limit for a person with AI players only. */
  const [seconds, setSeconds] = useState(/** @type {number | null} */ (null));
  const [ai, setAi] = useState("");
  const [flags, setFlags] = useState({
    public: false,
    spectators: false,
    open: false,
    chat: true,
    take_back: true,
    random_seats: false,
    pauses: false,
    claims: false,
  });
  const { value: levels = [] } = useLoaded(aiLevels, []);
  const level = levels.find((each) => each.id === ai);
  const [problem, setProblem] = useState(/** @type {import("../types").Problem | null} */ (null));
  const presets = rules.presets.filter((each) => each.players.includes(players));
  const chosen = presets.find((each) => each.id === preset) ?? presets[0];
  const value = (/** @type {any} */ event) => event.target.value;
  const own = /** @type {Record<string, unknown>} */ (rules.games[players]?.options ?? {});

  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setProblem(null);
    try {
      /** @type {Partial<import("../types").NewTable>} */
      const spec = {
        ruleset: /** @type {any} */ (rules.id),
        players,
        ...(chosen && { preset: chosen.id }),
        options,
        clock: { ...(seconds ? clockOf(seconds) : ai && { ...QUICK_DEAL, alone: /** @type {const} */ ("unlimited") }) },
        visibility: flags.public ? "public" : "private",
        spectators: flags.open ? "open" : flags.spectators ? "delayed" : "off",
        ...(flags.open && { spectator_delay_ms: OPEN_DELAY }),
        chat: flags.chat,
        take_back: flags.take_back,
        ...(flags.random_seats && { random_seats: true }),
        claims: flags.claims,
        pause_limit_ms: flags.pauses ? PAUSE_LIMIT : 0,
      };
      location.hash = `#/table/${await makeTable(spec, ai ? { ai } : {})}`;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      setProblem(error.problem);
    }
  };
  return html`
    <form class="create" onSubmit=${submit}>
      <div class="pair">
        <label>
          ${t("create.players")}
          <select value=${players} onChange=${(/** @type {Event} */ event) => setPlayers(Number(value(event)))}>
            ${rules.players.map(
              (count) => html`
                <option value=${count}>${count}</option>
              `,
            )}
          </select>
        </label>
        <label>
          ${t("create.others")}
          <select value=${ai} onChange=${(/** @type {Event} */ event) => setAi(value(event))}>
            <option value="">${t("create.people")}</option>
            ${levels.map(
              ({ id, title }) => html`
                <option value=${id}>${t("create.ai", { level: ofCatalogue(title) })}</option>
              `,
            )}
          </select>
        </label>
      </div>
      ${
        level &&
        html`
          <p class="hint">${ofCatalogue(level.meaning)}</p>
        `
      }
      <label>
        ${t("create.preset")}
        <select value=${chosen?.id ?? ""} onChange=${(/** @type {Event} */ event) => setPreset(value(event))}>
          ${presets.map(
            (each) => html`
              <option value=${each.id}>${ofCatalogue(each.title)}</option>
            `,
          )}
        </select>
      </label>
      ${
        chosen &&
        html`
          <p class="hint">${ofCatalogue(chosen.meaning)}</p>
        `
      }
      <label>
        ${t("create.time")}
        <select
          value=${seconds ?? (ai ? 0 : USUAL)}
          onChange=${(/** @type {Event} */ event) => setSeconds(Number(value(event)))}
        >
          ${[...(ai ? [0] : []), ...TIMES].map(
            (time) => html`
              <option value=${time}>${timeText(time)}</option>
            `,
          )}
        </select>
      </label>
      <div class="flags">
        ${
          /** @type {(keyof typeof flags)[]} */ (Object.keys(flags)).map(
            (flag) => html`
              <label class="check">
                <input
                  type="checkbox"
                  checked=${flags[flag]}
                  onChange=${(/** @type {any} */ event) => setFlags({ ...flags, [flag]: event.target.checked })}
                />
                ${t(`create.${flag}`)}
              </label>
            `,
          )
        }
      </div>
      <${HouseRules} rules=${rules} given=${{ ...own, ...chosen?.options }} options=${options} onChange=${setOptions} />
      ${
        problem &&
        html`
          <${Refusal} problem=${problem} onClose=${() => setProblem(null)} />
        `
      }
      <div class="buttons"><button type="submit" class="main">${t(ai ? "create.start" : "create.button")}</button></div>
    </form>
  `;
}
