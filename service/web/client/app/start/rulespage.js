/**
 * The rules of a game, made from the catalogue of the API: cards, scores, options, with pictures of what can be led.
 */
import { html, useState } from "../../vendor/preact-htm.js";
import { nameOf, rulesAt, rulesetOf, rulesets, worthText } from "../games/rules.js";
import { valueText } from "../games/setup.js";
import { Cards } from "../cards/card.js";
import { useLoaded } from "../ui/hooks.js";
import { PageBar } from "../ui/pagebar.js";
import { Refusal } from "../ui/refusal.js";
import { Linked, linked } from "../ui/terms.js";
import { proseOf } from "../texts/prose.js";
import { aboutGame, ofCatalogue, t } from "../texts/texts.js";
import { playersText } from "../games/offered.js";
import { Select, titled } from "../ui/fields.js";

/**
 * Example leads, with hearts as trumps and 2 as the trump rank.
 * @type {[import("../texts/texts.js").Key, string[]][]}
 */
const LEADS = [
  ["picture.single", ["AS"]],
  ["picture.pair", ["KS", "KS"]],
  ["picture.tractor", ["9C", "9C", "8C", "8C"]],
  ["picture.trumps", ["2H", "2H", "AH", "AH"]],
  ["picture.throw", ["AD", "KD", "KD"]],
];
const ORDER = ["BJ", "LJ", "2H", "2S", "2C", "2D", "AH", "KH", "QH", "3H"];

/** @param {{ ruleset?: string, asked: Record<string, string> }} props */
export function RulesScreen({ ruleset, asked }) {
  const { value: games = [] } = useLoaded(rulesets, []);
  const { value: rules, error } = useLoaded(async () => (ruleset ? rulesetOf(ruleset) : undefined), [ruleset]);
  if (!ruleset) {
    return html`
      <main class="page">
        <${PageBar} title=${t("rules")} />
        <ul class="my-tables">
          ${games.map(
            (game) => html`
              <li>
                <a href=${`#/rules/${game.id}`}>
                  <b>${ofCatalogue(game.names)}</b>
                  <span class="hint">${aboutGame(game.id)}</span>
                </a>
              </li>
            `,
          )}
        </ul>
      </main>
    `;
  }
  return html`
    <main class="page rules">
      <${PageBar}
        title=${ofCatalogue(rules?.names) || t("rules")}
        from=${asked.table ? `#/table/${encodeURIComponent(asked.table)}` : "#/"}
      />
      ${
        rules &&
        html`
          <${Rules} key=${rules.id} rules=${rules} asked=${asked} />
        `
      }
      <${Refusal} problem=${error?.problem} />
      ${
        !rules &&
        !error &&
        html`
          <p class="loading" role="status">${t("loading")}</p>
        `
      }
    </main>
  `;
}

/**
 * @typedef {import("../types").Ruleset} Ruleset
 * @typedef {Awaited<ReturnType<typeof rulesAt>>["game"]} Game
 * @typedef {object} RulesProps
 * @property {Ruleset} rules
 * @property {Record<string, string>} asked
 */

/** In place of a preset: the rules of a table. */
const OWN = "table";

/**
 * The rules that are shown: those of a preset, or of a table that the address names.
 * @param {RulesProps} props
 * @param {number} players
 */
function usePreset({ rules, asked }, players) {
  const own = asked.options ? [[OWN, t("rules.table")]] : [];
  const [preset, setPreset] = useState(asked.options ? OWN : (rules.presets[0]?.id ?? ""));
  const presets = rules.presets.filter((each) => each.players.includes(players));
  const chosen = preset === OWN ? undefined : (presets.find((each) => each.id === preset) ?? presets[0]);
  const changes = chosen ? chosen.options : changesIn(preset === OWN ? asked.options : undefined);
  return { value: chosen?.id ?? preset, options: [...own, ...titled(presets)], chosen, changes, setPreset };
}

/** @param {RulesProps} props */
function Rules({ rules, asked }) {
  const [players, setPlayers] = useState(Number(asked.players ?? rules.players[0]));
  const { value: preset, options, chosen, changes, setPreset } = usePreset({ rules, asked }, players);
  const { value } = useLoaded(() => rulesAt({ ruleset: rules.id, players, options: changes }), [players, chosen?.id]);
  if (!value) return null;
  return html`
    <${About} rules=${rules} />
    <div class="pair">
      <label>
        ${t("create.players")}
        <${Select}
          value=${players}
          options=${rules.players.map((count) => [count, count])}
          onChange=${(/** @type {string} */ count) => setPlayers(Number(count))}
        />
      </label>
      <label>
        ${t("create.preset")}
        <${Select} value=${preset} options=${options} onChange=${setPreset} />
      </label>
    </div>
    ${
      chosen &&
      html`
        <p class="hint">${ofCatalogue(chosen.meaning)}</p>
      `
    }
    <${Deal} game=${value.game} />
    ${rules.family === "shengji" && tricks(value.game)}
    <${Scores} game=${value.game} />
    ${rules.family === "arms_length" && arms()}
    <${Options} rules=${rules} game=${value.game} changes=${changes} />
    <p><a class="button" href=${`#/new?ruleset=${rules.id}`}>${t("create")}</a></p>
  `;
}

/** The game in a few sentences. @param {{ rules: Ruleset }} props */
function About({ rules }) {
  const prose = proseOf(rules);
  const texts = linked(prose.map(({ text }) => ofCatalogue(text)));
  return html`
    <div>
      <p>${aboutGame(rules.id)}</p>
      <p class="hint">${playersText(rules.players)}${" · "}${rules.source}</p>
    </div>
    <div class="prose">
      ${prose.map(
        ({ title }, at) => html`
          <h2>${ofCatalogue(title)}</h2>
          <p><${Linked} parts=${texts[at]} /></p>
        `,
      )}
      <p class="hint">
        ${t("rules.usual")}${" "}${
          rules.family === "shengji" &&
          html`
            <a href="#/learn">${t("learn.link")}</a>
          `
        }
      </p>
    </div>
  `;
}

/** @typedef {{ game: Game }} GameProps */

/** Which cards are dealt. @param {GameProps} props */
function Deal({ game: { composition: cards } }) {
  if (!cards) return null;
  const { decks, hand, kitty, calls, declarers_max: most } = cards;
  return html`
    <section>
      <h2>${t("rules.cards")}</h2>
      <p>
        ${t(kitty ? "rules.deal" : "rules.deal.bare", { decks, hand, kitty })}${" "}
        ${calls ? t("rules.calls", { count: calls, most: most ?? 0 }) : ""}
      </p>
    </section>
  `;
}

/** The trumps, and what can be led. @param {Game} game */
const tricks = (game) => html`
  <${Trumps} />
  <${Leads} game=${game} />
`;

/** The order of the trumps. */
const Trumps = () => html`
  <section>
    <h2>${t("rules.trumps.title")}</h2>
    <p>${t("rules.trumps")}</p>
    <p class="picture"><${Cards} cards=${ORDER} /></p>
  </section>
`;

/** What can be led. @param {GameProps} props */
const Leads = ({ game: { composition: cards, options } }) => html`
  <section>
    <h2>${t("rules.leads")}</h2>
    <dl class="pictures">
      ${LEADS.filter(([key]) => isPossible(key, cards?.decks ?? 2, options)).map(
        ([key, lead]) => html`
          <dt><${Cards} cards=${lead} /></dt>
          <dd>${t(key)}</dd>
        `,
      )}
    </dl>
  </section>
`;

/** What points are worth. @param {GameProps} props */
const Scores = ({ game: { scores } }) =>
  scores.length > 0 &&
  html`
    <section>
      <h2>${t("rules.points")}</h2>
      <p>${t("rules.counting")}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">${t("rules.from")}</th>
            <th scope="col">${t("rules.gain")}</th>
          </tr>
        </thead>
        <tbody>
          ${scores.map(
            (band, at) => html`
              <tr>
                <td class="number">${band.points}</td>
                <td>
                  ${worthText({ ...band, name: nameOf(scores, at) })}${band.every ? t("rules.every", { points: band.every }) : ""}
                </td>
              </tr>
            `,
          )}
        </tbody>
      </table>
    </section>
  `;

/**
 * @typedef {object} OptionsProps
 * @property {Ruleset} rules
 * @property {Game} game
 * @property {Record<string, unknown>} changes the options that are not those of the game as such
 */

/**
 * The options, phase by phase. What is the same at every table of a game is left out, such as how friends are called in
 * a game without friends.
 * @param {OptionsProps} props
 */
const Options = ({ rules, game, changes }) =>
  rules.phases.map((phase) => {
    const shown = rules.options.filter((option) => option.phase === phase.id && option.changeable);
    return (
      shown.length > 0 &&
      html`
        <section key=${phase.id}>
          <h2>${ofCatalogue(phase.title)}</h2>
          <p class="hint">${ofCatalogue(phase.meaning)}</p>
          <dl class="options">
            ${shown.map(
              (option) => html`
                <dt><${Title} option=${option} changed=${option.name in changes} /></dt>
                <dd>${valueText(option, game.options[option.name])}</dd>
              `,
            )}
          </dl>
        </section>
      `
    );
  });

/**
 * The name of an option, emphasised if it is not that of the game.
 * @param {{ option: import("../types").Option, changed: boolean }} props
 */
const Title = ({ option, changed }) =>
  changed
    ? html`
        <em>${ofCatalogue(option.title)}</em>
      `
    : ofCatalogue(option.title);

/**
 * Whether a lead can happen at a table.
 * @param {string} key
 * @param {number} decks
 * @param {Record<string, unknown>} options
 */
function isPossible(key, decks, options) {
  if (key === "picture.trumps") return decks > 1 && options.trump_tractors !== "suit_only";
  if (key === "picture.throw") return decks > 1 && options.throws !== "none";
  return decks > 1 || key === "picture.single";
}

/** How Arm's Length is played. */
const arms = () => html`
  <section>
    <h2>${t("rules.play")}</h2>
    <p>${t("rules.arms")}</p>
    <p>${t("arms.how")}</p>
  </section>
`;

/** The options in an address. @param {string | undefined} text @returns {Record<string, unknown>} */
function changesIn(text) {
  try {
    return JSON.parse(text ?? "{}");
  } catch {
    return {};
  }
}
