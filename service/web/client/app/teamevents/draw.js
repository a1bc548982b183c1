/** The order of the draw, before the first round of a form that draws once. */
import { html } from "../../vendor/preact-htm.js";
import { say } from "../teams/words.js";

/**
 * The teams in an order, then those left out as they entered.
 * @param {import("../types").TeamEvent} event
 * @param {string[]} order
 */
const inOrder = ({ entries }, order) => {
  const complete = entries.filter(({ complete, withdrawn, house }) => complete && !withdrawn && !house);
  const place = (/** @type {string} */ team) => (order.includes(team) ? order.indexOf(team) : order.length);
  return complete.sort((one, other) => place(one.team) - place(other.team));
};

/**
 * @typedef {object} DrawProps
 * @property {import("../types").TeamEvent} event
 * @property {string[]} order the teams in their order; empty: as they entered
 * @property {(order: string[]) => void} onChange
 */

/** @param {DrawProps} props */
export function Draw({ event, order, onChange }) {
  const teams = inOrder(event, order);
  const up = (/** @type {number} */ at) => {
    const names = teams.map(({ team }) => team);
    [names[at - 1], names[at]] = [names[at], names[at - 1]];
    onChange(names);
  };
  return html`
    <p class="hint">${say("begin.draws")}</p>
    <details>
      <summary>${say("draw")}</summary>
      <ol aria-label=${say("draw")}>
        ${teams.map(
          ({ team, name }, at) => html`
            <li key=${team}>
              ${name}${" "}${
                at > 0 &&
                html`
                  <button type="button" aria-label=${say("draw.up.of", { team: name })} onClick=${() => up(at)}>
                    ${say("draw.up")}
                  </button>
                `
              }
            </li>
          `,
        )}
      </ol>
    </details>
  `;
}
