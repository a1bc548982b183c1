/** The players with a rating in a game, best first. */
import { html, useState } from "../../vendor/preact-htm.js";
import { PoolChoice, RatingsHead } from "../games/pool.js";
import { Events } from "./events.js";
import { useAccount, usePages } from "../ui/hooks.js";
import { Icon } from "../ui/icon.js";
import { Player } from "../people/player.js";
import { Refusal } from "../ui/refusal.js";
import { PlayersPage } from "../account/signin.js";
import { named, ratingText, t } from "../texts/texts.js";
import { Check } from "../ui/fields.js";

const SHOWN = 50;
const KINDS = /** @type {const} */ (["provisional", "inactive"]);
/** Kept while the page is open: whoever comes back from a profile finds the same players. */
let chosen = { provisional: true, inactive: true };

/** @param {{ ruleset?: string }} props */
export const LeaderboardScreen = ({ ruleset = "shengji" }) => html`
  <${PlayersPage} title=${t("leaderboard")}>
    <${Leaderboard} ruleset=${ruleset} />
    <${Events} bots />
  <//>
`;

/** @param {{ ruleset: string }} props */
function Leaderboard({ ruleset }) {
  const [hides, setHides] = useState(chosen);
  const hidden = KINDS.filter((kind) => hides[kind]).map((kind) => `&${kind}=hide`);
  const {
    items: leaders,
    page,
    more,
    problem,
  } = /** @type {ReturnType<typeof usePages<import("../types").Leader>>} */ (
    usePages(`/leaderboard?ruleset=${encodeURIComponent(ruleset)}&limit=${SHOWN}${hidden.join("")}`)
  );
  const rows = leaders && withLevels(leaders, page?.ai_ratings ?? {}, !more);
  return html`
    <${PoolChoice}
      pool=${ruleset}
      onChange=${(/** @type {string} */ pool) => void (location.hash = `#/leaderboard/${pool}`)}
    />
    ${KINDS.map(
      (kind) => html`
        <${Check}
          text=${t(`leaderboard.${kind}`)}
          name=${kind}
          checked=${!hides[kind]}
          onChange=${(/** @type {boolean} */ on) => setHides((chosen = { ...hides, [kind]: !on }))}
        />
      `,
    )}
    <${Refusal} problem=${problem} />
    ${
      !rows &&
      !problem &&
      html`
        <p class="loading" role="status">${t("loading")}</p>
      `
    }
    ${
      leaders &&
      !leaders.length &&
      !more &&
      html`
        <p class="hint">${t(hidden.length ? "leaderboard.nobody" : "leaderboard.empty")}</p>
      `
    }
    ${
      rows &&
      rows.length > 0 &&
      html`
        <${Places} rows=${rows} />
      `
    }
    ${
      more &&
      html`
        <div class="buttons"><button type="button" onClick=${more}>${t("more")}</button></div>
      `
    }
  `;
}

/**
 * A level of AI players, or a player.
 * @typedef {{ level?: string, leader?: import("../types").Leader, rating: number }} Row
 */

/** @param {{ rows: Row[] }} props */
const Places = ({ rows }) => html`
  <table class="results" aria-label=${t("leaderboard")}>
    <${RatingsHead} />
    <tbody>
      ${rows.map(({ level = "", leader, rating }) =>
        leader
          ? html`
              <${LeaderRow} key=${leader.player} leader=${leader} rating=${rating} />
            `
          : html`
              <${LevelRow} key=${level} level=${level} rating=${rating} />
            `,
      )}
    </tbody>
  </table>
  <p class="hint">${t("leaderboard.how")}${t("gap")}${t("rating.absence")}${t("gap")}${t("leaderboard.ai")}</p>
`;

/** @param {{ leader: import("../types").Leader, rating: number }} props */
function LeaderRow({ leader: { place, player, name, face, result }, rating }) {
  const { player: me } = useAccount();
  return html`
    <tr class=${player === me ? "me" : ""}>
      <td class="number">${place}</td>
      <th scope="row">
        <${Player} player=${player} name=${name} face=${face ?? null}>
          ${KINDS.map(
            (kind) =>
              result[kind] &&
              html`
                <span class="hint">${t(`rating.${kind}`)}</span>
              `,
          )}
        <//>
      </th>
      <td class="number">${result.games}</td>
      <td class="number">${result.wins}</td>
      <td class="number">${ratingText(rating)}</td>
    </tr>
  `;
}

/** @param {{ level: string, rating: number }} props */
const LevelRow = ({ level, rating }) => html`
  <tr class="ai">
    <td class="number">–</td>
    <th scope="row">
      <${Icon} name="robot" />
      ${t("ai.short")} ${named("level.of", level)}
    </th>
    <td class="number">–</td>
    <td class="number">–</td>
    <td class="number">${ratingText(rating)}</td>
  </tr>
`;

/**
 * Rows of players and, in their places, of the levels of AI players; levels below the last row appear once all players
 * are listed.
 * @param {import("../types").Leader[]} leaders
 * @param {Record<string, number>} ratings level -> rating
 * @param {boolean} whole whether all players are listed
 */
function withLevels(leaders, ratings, whole) {
  /** @type {Row[]} */
  const people = leaders.map((leader) => ({ leader, rating: leader.result.rating ?? 0 }));
  /** @type {Row[]} */
  const levels = Object.entries(ratings).map(([level, rating]) => ({ level, rating }));
  const least = people.at(-1)?.rating ?? Infinity;
  return [...people, ...levels.filter(({ rating }) => whole || rating >= least)].sort((a, b) => b.rating - a.rating);
}
