/** The members of a club, by their ratings in a game. */
import { html, useState } from "../../vendor/preact-htm.js";
import { PlayersPage } from "../account/signin.js";
import { call } from "../api/client.js";
import { PoolChoice, RatingsHead } from "../games/pool.js";
import { Player } from "../people/player.js";
import { ratingText } from "../texts/texts.js";
import { useAccount, useLoaded } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { say } from "./words.js";

/** @typedef {import("../types").ClubRank} ClubRank */

/** @param {{ club: string }} props */
export function RankingScreen({ club }) {
  const { token } = useAccount();
  const [pool, setPool] = useState("shengji");
  const { value, error } = useLoaded(
    async () =>
      token
        ? /** @type {ClubRank[]} */ ((await call("GET", `/clubs/${club}/ranking?ruleset=${pool}`)).items)
        : undefined,
    [club, pool, token],
  );
  return html`
    <${PlayersPage} title=${say("ranking")} from=${`#/club/${club}`}>
      <${PoolChoice} pool=${pool} onChange=${setPool} />
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
      <${RatingsHead} />
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
