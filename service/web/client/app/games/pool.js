/** What lists of ratings share: of which games they are, and the head of their table. */
import { html } from "../../vendor/preact-htm.js";
import { ofCatalogue, t } from "../texts/texts.js";
import { Check, Select } from "../ui/fields.js";
import { useLoaded } from "../ui/hooks.js";
import { DAYS } from "./hooks.js";
import { rulesets } from "./rules.js";

/**
 * @param {{ pool: string, onChange: (pool: string) => void }} props
 *   `pool`: a ruleset, with `DAYS` behind it for games that take days
 */
export function PoolChoice({ pool, onChange }) {
  const { value: games = [] } = useLoaded(rulesets, []);
  const days = pool.endsWith(DAYS);
  const chosen = days ? pool.slice(0, -DAYS.length) : pool;
  const show = (/** @type {string} */ game, /** @type {boolean} */ ofDays) => onChange(`${game}${ofDays ? DAYS : ""}`);
  return html`
    <label>
      ${t("lobby.game")}
      <${Select}
        name="ruleset"
        value=${chosen}
        options=${games.map(({ id, names }) => [id, ofCatalogue(names)])}
        onChange=${(/** @type {string} */ game) => show(game, days)}
      />
    </label>
    <${Check}
      text=${t("lobby.days")}
      checked=${days}
      onChange=${(/** @type {boolean} */ ofDays) => show(chosen, ofDays)}
    />
  `;
}

export const RatingsHead = () => html`
  <thead>
    <tr>
      <th scope="col" class="number">${t("leaderboard.place")}</th>
      <th scope="col">${t("player")}</th>
      <th scope="col" class="number">${t("results.games")}</th>
      <th scope="col" class="number">${t("results.wins")}</th>
      <th scope="col" class="number">${t("rating")}</th>
    </tr>
  </thead>
`;
