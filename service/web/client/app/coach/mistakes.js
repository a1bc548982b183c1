/** The player's mistakes by theme, with what they cost, and the way to the worst of them. */
import { html, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { decimal } from "../texts/texts.js";
import { useLoaded } from "../ui/hooks.js";
import { Loading } from "../ui/loading.js";
import { say, themeText } from "./words.js";

/**
 * @typedef {import("../types").Mistakes} Found
 * @typedef {import("../types").MistakesOfTheme} Theme
 */

/** Read when they are opened: it takes many analyses. */
export function Mistakes() {
  const [open, setOpen] = useState(false);
  return html`
    <details class="box" onToggle=${(/** @type {any} */ toggled) => setOpen(toggled.target.open)}>
      <summary>${say("mistakes")}</summary>
      ${
        open &&
        html`
          <${Themes} />
        `
      }
    </details>
  `;
}

function Themes() {
  const { value, error } = useLoaded(async () => /** @type {Found} */ (await call("GET", "/me/mistakes")), []);
  if (!value)
    return html`
      <${Loading} error=${error} />
    `;
  if (!value.rounds)
    return html`
      <p class="hint">${say("mistakes_none")}</p>
    `;
  return html`
    <p class="hint">${say("mistakes_from", { count: value.rounds })}</p>
    ${
      value.items.length
        ? html`
            <table class="results" aria-label=${say("mistakes")}>
              <thead>
                <tr>
                  <th scope="col">${say("theme")}</th>
                  <th scope="col" class="number">${say("count")}</th>
                  <th scope="col" class="number">${say("cost_a_round")}</th>
                  <th scope="col">${say("worst")}</th>
                </tr>
              </thead>
              <tbody>
                ${value.items.map(
                  (each) => html`
                    <${Row} key=${each.theme} of=${each} />
                  `,
                )}
              </tbody>
            </table>
          `
        : html`
            <p>${say("mistakes_perfect")}</p>
          `
    }
  `;
}

/** @param {{ of: Theme }} props */
const Row = ({ of: { theme, count, cost_a_round, worst } }) => html`
  <tr>
    <th scope="row">${themeText(theme)}</th>
    <td class="number">${count}</td>
    <td class="number">${decimal(cost_a_round, 2)}</td>
    <td>
      ${worst.map(
        ({ game, round, seat, seq, cost, replay }) => html`
          ${
            replay
              ? html`
                  <a href=${`#/replay/${game}/${round}?seat=${seat}&seq=${seq}&analysis=1`}>
                    ${say("cost", { cost: decimal(cost, 2) })}
                  </a>
                `
              : say("cost", { cost: decimal(cost, 2) })
          }
          ${" "}
        `,
      )}
    </td>
  </tr>
`;
