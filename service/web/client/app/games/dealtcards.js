/** How the cards of all finished games were dealt, beside what chance gives: docs/shuffle.md says what is counted. */
import { html, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { ofCatalogue, t } from "../texts/texts.js";
import { useLoaded } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { playersText } from "./offered.js";
import { rulesets } from "./rules.js";
import { say } from "./words.js";

/**
 * @typedef {import("../types").DealDistribution} Distribution
 * @typedef {Distribution["seats"][number]} Hands
 */

const MEASURES = /** @type {const} */ (["pairs", "jokers", "longest"]);
/** Further from the mean than this many standard deviations, chance alone is unlikely: one time in 400. */
const FAR = 3;

/** @param {number[]} weights of the values from 0 up */
const sum = (weights) => weights.reduce((total, each) => total + each, 0);
/** @param {number[]} weights */
const mean = (weights) => sum(weights.map((each, value) => each * value)) / sum(weights);

/**
 * How far the mean of the counted hands is from what chance gives, in standard deviations of such a mean.
 * @param {number[]} counts
 * @param {number[]} chance
 */
function distance(counts, chance) {
  const expected = mean(chance);
  const variance = sum(chance.map((each, value) => each * (value - expected) ** 2));
  return variance ? (mean(counts) - expected) / Math.sqrt(variance / sum(counts)) : 0;
}

/** @param {Hands} row */
const whose = ({ seat, kind }) =>
  typeof seat === "number" ? t("seat.number", { number: seat + 1 }) : say(/** @type {"human"} */ (kind));

/**
 * The means of each seat and kind of players, and whether any is far from chance.
 * @param {{ told: Distribution, measure: typeof MEASURES[number] }} props
 */
function Measure({ told, measure }) {
  const chance = told.chance[measure];
  const rows = [...told.seats, ...told.kinds].filter(({ hands }) => hands);
  const far = rows.filter((row) => Math.abs(distance(row[measure], chance)) > FAR);
  return html`
    <h3>${say(measure)}</h3>
    <p>${far.length ? say("far", { who: far.map(whose).join(t("list.comma")) }) : say("near")}</p>
    <table class="score">
      <thead>
        <tr>
          <td></td>
          <th scope="col" class="number">${say("hands")}</th>
          <th scope="col" class="number">${say("mean")}</th>
          <th scope="col" class="number">${say("off")}</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) => html`
            <tr>
              <th scope="row">${whose(row)}</th>
              <td class="number">${row.hands}</td>
              <td class="number">${mean(row[measure]).toFixed(2)}</td>
              <td class="number">${distance(row[measure], chance).toFixed(1)}</td>
            </tr>
          `,
        )}
        <tr class="total">
          <th scope="row">${say("chance")}</th>
          <td></td>
          <td class="number">${mean(chance).toFixed(2)}</td>
          <td></td>
        </tr>
      </tbody>
    </table>
    <${Spread} told=${told} measure=${measure} />
  `;
}

/**
 * How often each value came, of all hands.
 * @param {{ told: Distribution, measure: typeof MEASURES[number] }} props
 */
function Spread({ told, measure }) {
  const hands = sum(told.seats.map((row) => row.hands));
  const values = told.chance[measure].map((chance, value) => ({
    value,
    chance: chance * hands,
    count: sum(told.seats.map((row) => row[measure][value])),
  }));
  return html`
    <details>
      <summary>${say("spread")}</summary>
      <table class="score">
        <thead>
          <tr>
            <th scope="col">${say(measure)}</th>
            <th scope="col" class="number">${say("hands")}</th>
            <th scope="col" class="number">${say("chance")}</th>
          </tr>
        </thead>
        <tbody>
          ${values
            .filter(({ count, chance }) => count || chance >= 0.1)
            .map(
              ({ value, count, chance }) => html`
                <tr>
                  <th scope="row">${value}</th>
                  <td class="number">${count}</td>
                  <td class="number">${chance.toFixed(1)}</td>
                </tr>
              `,
            )}
        </tbody>
      </table>
    </details>
  `;
}

/** The distribution of a game, which can be chosen. @param {{ first?: string }} props `first`: the game at first */
export function DealtCards({ first = "shengji 4" }) {
  const [chosen, choose] = useState(first);
  const [ruleset, players] = chosen.split(" ");
  const { value: games = [] } = useLoaded(rulesets, []);
  const { value: told, error } = useLoaded(
    async () => /** @type {Distribution} */ (await call("GET", `/rulesets/${ruleset}/deals/${players}`)),
    [chosen],
  );
  return html`
    <section class="dealt">
      <h2>${say("all")}</h2>
      <p class="hint">${say("all.how")}</p>
      <label>
        ${t("lobby.game")}
        <select value=${chosen} onChange=${(/** @type {any} */ event) => choose(event.target.value)}>
          ${games.flatMap(({ id, names, players: numbers }) =>
            numbers.map(
              (number) => html`
                <option value=${`${id} ${number}`}>${ofCatalogue(names)} · ${playersText([number])}</option>
              `,
            ),
          )}
        </select>
      </label>
      ${
        error?.problem &&
        html`
          <${Refusal} problem=${error.problem} />
        `
      }
      ${
        told &&
        (told.deals
          ? MEASURES.map(
              (measure) => html`
                <${Measure} key=${measure} told=${told} measure=${measure} />
              `,
            )
          : html`
              <p role="status">${say("none")}</p>
            `)
      }
    </section>
  `;
}
