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
import { proseOf } from "../texts/prose.js";
import { aboutGame, ofCatalogue, t } from "../texts/texts.js";
import { playersText } from "../games/offered.js";

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
      ${
        error?.problem &&
        html`
          <${Refusal} problem=${error.problem} />
        `
      }
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

/** @param {{ rules: import("../types").Ruleset, asked: Record<string, string> }} props */
function Rules({ rules, asked }) {
  const [players, setPlayers] = useState(Number(asked.players ?? rules.players[0]));
  const [preset, setPreset] = useState(asked.options ? "table" : (rules.presets[0]?.id ?? ""));
  const presets = rules.presets.filter((each) => each.players.includes(players));
  const chosen = preset === "table" ? undefined : (presets.find((each) => each.id === preset) ?? presets[0]);
  const changes = /** @type {Record<string, unknown>} */ (
    preset === "table" ? parsed(asked.options) : (chosen?.options ?? {})
  );
  const { value } = useLoaded(() => rulesAt({ ruleset: rules.id, players, options: changes }), [players, chosen?.id]);
  const given = (/** @type {any} */ event) => event.target.value;
  if (!value) return null;
  const { composition: cards, options, scores } = value.game;
  return html`
    <div>
      <p>${aboutGame(rules.id)}</p>
      <p class="hint">${playersText(rules.players)}${" · "}${rules.source}</p>
    </div>
    <div class="prose">
      ${proseOf(rules).map(
        ({ title, text }) => html`
          <h2>${ofCatalogue(title)}</h2>
          <p>${ofCatalogue(text)}</p>
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
    <div class="pair">
      <label>
        ${t("create.players")}
        <select value=${players} onChange=${(/** @type {Event} */ event) => setPlayers(Number(given(event)))}>
          ${rules.players.map(
            (count) => html`
              <option value=${count}>${count}</option>
            `,
          )}
        </select>
      </label>
      <label>
        ${t("create.preset")}
        <select value=${chosen?.id ?? preset} onChange=${(/** @type {Event} */ event) => setPreset(given(event))}>
          ${
            asked.options &&
            html`
              <option value="table">${t("rules.table")}</option>
            `
          }
          ${presets.map(
            (each) => html`
              <option value=${each.id}>${ofCatalogue(each.title)}</option>
            `,
          )}
        </select>
      </label>
    </div>
    ${
      chosen &&
      html`
        <p class="hint">${ofCatalogue(chosen.meaning)}</p>
      `
    }
    ${
      cards &&
      html`
        <section>
          <h2>${t("rules.cards")}</h2>
          <p>
            ${t(cards.kitty ? "rules.deal" : "rules.deal.bare", { decks: cards.decks, hand: cards.hand, kitty: cards.kitty })}${" "}
            ${cards.calls ? t("rules.calls", { count: cards.calls, most: cards.declarers_max ?? 0 }) : ""}
          </p>
        </section>
      `
    }
    ${
      rules.family === "shengji" &&
      html`
        <section>
          <h2>${t("rules.trumps.title")}</h2>
          <p>${t("rules.trumps")}</p>
          <p class="picture"><${Cards} cards=${ORDER} /></p>
        </section>
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
      `
    }
    ${
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
      `
    }
    ${
      rules.family === "arms_length" &&
      html`
        <section>
          <h2>${t("rules.play")}</h2>
          <p>${t("rules.arms")}</p>
          <p>${t("arms.how")}</p>
        </section>
      `
    }
    ${rules.phases.map((phase) => {
      // Leave out what is the same at every table of this game, such as how friends are called in a game without
      // friends.
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
                  <dt class=${option.name in changes ? "changed" : ""}>${ofCatalogue(option.title)}</dt>
                  <dd>${valueText(option, options[option.name])}</dd>
                `,
              )}
            </dl>
          </section>
        `
      );
    })}
    <p><a class="button" href=${`#/new?ruleset=${rules.id}`}>${t("create")}</a></p>
  `;
}

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

/** @param {string | undefined} text */
function parsed(text) {
  try {
    return JSON.parse(text ?? "{}");
  } catch {
    return {};
  }
}
