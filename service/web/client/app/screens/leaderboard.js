/** The players with a rating in a game, best first. */
import { html } from "../../vendor/preact-htm.js";
import { rulesets } from "../game/rules.js";
import { useAccount, useLoaded, usePages } from "../parts/hooks.js";
import { PlayerName } from "../parts/player.js";
import { Refusal } from "../parts/refusal.js";
import { PlayersPage } from "../parts/signin.js";
import { ofCatalogue, ratingText, t } from "../texts/texts.js";

const SHOWN = 50;

/** @param {{ ruleset?: string }} props */
export const LeaderboardScreen = ({ ruleset = "shengji" }) =>
  html`<${PlayersPage} title=${t("leaderboard")}><${Leaderboard} ruleset=${ruleset} /></${PlayersPage}>`;

/** @param {{ ruleset: string }} props */
function Leaderboard({ ruleset }) {
  const { player: me } = useAccount();
  const { value: games = [] } = useLoaded(rulesets, []);
  const { items: rows, more, problem } = /** @type {ReturnType<typeof usePages<import("../types").Leader>>} */ (usePages(`/leaderboard?ruleset=${encodeURIComponent(ruleset)}&limit=${SHOWN}`));
  const choose = (/** @type {any} */ event) => void (location.hash = `#/leaderboard/${event.target.value}`);
  return html`<label>${t("lobby.game")}<select name="ruleset" value=${ruleset} onChange=${choose}>
      ${games.map(({ id, names }) => html`<option value=${id}>${ofCatalogue(names)}</option>`)}
    </select></label>
    ${problem && html`<${Refusal} problem=${problem} />`}
    ${!rows && !problem && html`<p class="loading" role="status">${t("loading")}</p>`}
    ${rows && !rows.length && html`<p class="hint">${t("leaderboard.empty")}</p>`}
    ${rows &&
    rows.length > 0 &&
    html`<table class="results">
      <thead><tr><th scope="col" class="number">${t("leaderboard.place")}</th><th scope="col">${t("player")}</th><th scope="col" class="number">${t("results.games")}</th><th scope="col" class="number">${t("results.wins")}</th><th scope="col" class="number">${t("rating")}</th></tr></thead>
      <tbody>${rows.map(
        ({ place, player, name, result }) => html`<tr key=${player} class=${player === me ? "me" : ""}>
          <td class="number">${place}</td><th scope="row"><${PlayerName} player=${player} name=${name} /></th><td class="number">${result.games}</td><td class="number">${result.wins}</td><td class="number">${ratingText(result.rating)}</td>
        </tr>`,
      )}</tbody>
    </table>
    <p class="hint">${t("leaderboard.how")}</p>`}
    ${more && html`<div class="buttons"><button type="button" onClick=${more}>${t("more")}</button></div>`}`;
}
