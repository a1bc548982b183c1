/** The players with a rating in a game, best first. */
import { html, useState } from "../../vendor/preact-htm.js";
import { rulesets } from "../games/rules.js";
import { Events } from "./events.js";
import { SmallFace } from "../people/face.js";
import { useAccount, useLoaded, usePages } from "../ui/hooks.js";
import { Icon } from "../ui/icon.js";
import { PlayerName } from "../people/player.js";
import { Refusal } from "../ui/refusal.js";
import { PlayersPage } from "../account/signin.js";
import { named, ofCatalogue, ratingText, t } from "../texts/texts.js";

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
  const { player: me } = useAccount();
  const { value: games = [] } = useLoaded(rulesets, []);
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
  const choose = (/** @type {any} */ event) => void (location.hash = `#/leaderboard/${event.target.value}`);
  return html`
    <label>
      ${t("lobby.game")}
      <select name="ruleset" value=${ruleset} onChange=${choose}>
        ${games.map(
          ({ id, names }) => html`
            <option value=${id}>${ofCatalogue(names)}</option>
          `,
        )}
      </select>
    </label>
    ${KINDS.map(
      (kind) => html`
        <label class="check">
          <input
            type="checkbox"
            name=${kind}
            checked=${!hides[kind]}
            onChange=${(/** @type {any} */ event) => setHides((chosen = { ...hides, [kind]: !event.target.checked }))}
          />
          ${t(`leaderboard.${kind}`)}
        </label>
      `,
    )}
    ${
      problem &&
      html`
        <${Refusal} problem=${problem} />
      `
    }
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
        <table class="results">
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
            ${rows.map(({ level, leader, rating }) =>
              leader
                ? html`
                    <tr key=${leader.player} class=${leader.player === me ? "me" : ""}>
                      <td class="number">${leader.place}</td>
                      <th scope="row">
                        <${SmallFace} player=${leader.player} face=${leader.face} />
                        <${PlayerName} player=${leader.player} name=${leader.name} />
                        ${KINDS.map(
                          (kind) =>
                            leader.result[kind] &&
                            html`
                              <span class="hint">${t(`rating.${kind}`)}</span>
                            `,
                        )}
                      </th>
                      <td class="number">${leader.result.games}</td>
                      <td class="number">${leader.result.wins}</td>
                      <td class="number">${ratingText(rating)}</td>
                    </tr>
                  `
                : html`
                    <tr key=${level} class="ai">
                      <td class="number">–</td>
                      <th scope="row">
                        <${Icon} name="robot" />
                        ${t("ai.short")} ${named("level.of", level ?? "")}
                      </th>
                      <td class="number">–</td>
                      <td class="number">–</td>
                      <td class="number">${ratingText(rating)}</td>
                    </tr>
                  `,
            )}
          </tbody>
        </table>
        <p class="hint">${t("leaderboard.how")}${t("gap")}${t("rating.absence")}${t("gap")}${t("leaderboard.ai")}</p>
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
 * Rows of players and, in their places, of the levels of AI players; levels below the last row appear once all players
 * are listed.
 * @param {import("../types").Leader[]} leaders
 * @param {Record<string, number>} ratings level -> rating
 * @param {boolean} whole whether all players are listed
 */
function withLevels(leaders, ratings, whole) {
  /** @type {{ level?: string, leader?: import("../types").Leader, rating: number }[]} */
  const people = leaders.map((leader) => ({ leader, rating: leader.result.rating ?? 0 }));
  /** @type {typeof people} */
  const levels = Object.entries(ratings).map(([level, rating]) => ({ level, rating }));
  const least = people.at(-1)?.rating ?? Infinity;
  return [...people, ...levels.filter(({ rating }) => whole || rating >= least)].sort((a, b) => b.rating - a.rating);
}
