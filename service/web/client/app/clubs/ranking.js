/** The members of a club, by their ratings in a game. */
import { html, useState } from "../../vendor/preact-htm.js";
import { PlayersPage } from "../account/signin.js";
import { call } from "../api/client.js";
import { DAYS } from "../games/hooks.js";
import { rulesets } from "../games/rules.js";
import { Player } from "../people/player.js";
import { ofCatalogue, ratingText, t } from "../texts/texts.js";
import { Check, Select } from "../ui/fields.js";
import { useAccount, useLoaded } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { say } from "./words.js";

/** @typedef {import("../types").ClubRank} ClubRank */

/** @param {{ club: string }} props */
export function RankingScreen({ club }) {
  const { token } = useAccount();
  const [game, setGame] = useState("shengji");
  const [ofDays, setOfDays] = useState(false);
  const { value: games = [] } = useLoaded(rulesets, []);
  const pool = game + (ofDays ? DAYS : "");
  const { value, error } = useLoaded(
    async () =>
      token
        ? /** @type {ClubRank[]} */ ((await call("GET", `/clubs/${club}/ranking?ruleset=${pool}`)).items)
        : undefined,
    [club, pool, token],
  );
  return html`
    <${PlayersPage} title=${say("ranking")} from=${`#/club/${club}`}>
      <label>
        ${t("lobby.game")}
        <${Select}
          name="ruleset"
          value=${game}
          options=${games.map(({ id, names }) => [id, ofCatalogue(names)])}
          onChange=${setGame}
        />
      </label>
      <${Check} text=${t("lobby.days")} checked=${ofDays} onChange=${setOfDays} />
      <${Refusal} problem=${error?.problem} />
      ${
        value &&
        (value.length
          ? html`
              <${Table} rows=${value} />
            `
          : html`
              <p class="hint">${say("ranking_none")}</p>
            `)
      }
    <//>
  `;
}

/** @param {{ rows: ClubRank[] }} props */
function Table({ rows }) {
  const { player: me } = useAccount();
  return html`
    <table class="results" aria-label=${say("ranking")}>
      <thead>
        <tr>
          <th scope="col" class="number">${t("leaderboard.place")}</th>
          <th scope="col">${t("player")}</th>
          <th scope="col" class="number">${t("results.games")}</th>
          <th scope="col" class="number">${t("results.wins")}</th>
          <th scope="col" class="number">${t("rating")}</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ place, player, name, face, result }) => html`
            <tr key=${player} class=${player === me ? "me" : ""}>
              <td class="number">${place ?? "–"}</td>
              <th scope="row"><${Player} player=${player} name=${name} face=${face ?? null} /></th>
              <td class="number">${result.games}</td>
              <td class="number">${result.wins}</td>
              <td class="number">${ratingText(result.rating)}</td>
            </tr>
          `,
        )}
      </tbody>
    </table>
    <p class="hint">${say("ranking_how")}</p>
  `;
}
