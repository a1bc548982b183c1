/** Past games, latest first; each leads to its replay and to the AI's analysis. */
import { html, useEffect } from "../../vendor/preact-htm.js";
import { rulesets } from "../games/rules.js";
import { momentText, named, ofCatalogue, t } from "../texts/texts.js";
import { useLoaded, usePages } from "../ui/hooks.js";
import { Player } from "./player.js";
import { Refusal } from "../ui/refusal.js";

/** @typedef {import("../types").PastGame} PastGame */

/**
 * @param {{
 *   path: string,
 *   empty: string,
 *   onItems?: (items: PastGame[]) => void,
 * }} props `path`: of the list, with a query
 */
export function PastGames({ path, empty, onItems }) {
  const { items: games, more, problem } = /** @type {ReturnType<typeof usePages<PastGame>>} */ (usePages(path));
  // Leave out lessons and other practice without a finished round.
  const items = games?.filter(({ practice, rounds }) => !practice || rounds > 0);
  const { value: rules = [] } = useLoaded(rulesets, []);
  const titles = Object.fromEntries(rules.map(({ id, names }) => [id, ofCatalogue(names)]));
  useEffect(() => void (games && onItems?.(games)), [games]);
  return html`
    ${
      !items &&
      !problem &&
      html`
        <p class="loading" role="status">${t("loading")}</p>
      `
    }
    <${Refusal} problem=${problem} />
    ${
      items &&
      !items.length &&
      !more &&
      html`
        <p class="hint">${empty}</p>
      `
    }
    <ol class="past" aria-label=${t("player.games")}>
      ${items?.map(
        (game) => html`
          <${Item} key=${game.game} game=${game} title=${titles[game.ruleset] ?? game.ruleset} />
        `,
      )}
    </ol>
    ${
      more &&
      html`
        <div class="buttons"><button type="button" onClick=${more}>${t("more")}</button></div>
      `
    }
  `;
}

/** @param {{ game: PastGame, title: string }} props */
function Item({ game, title }) {
  const replay = (/** @type {number} */ round, more = "") => `#/replay/${game.game}/${round}?seat=${game.seat}${more}`;
  const early = ["abandoned", "ended_early", "forfeited", "rounds_played", "time_up"].includes(game.ended);
  const facts = [
    momentText(game.ended_at),
    t("past.rounds", { count: game.rounds }),
    early && named("ended", game.ended),
    game.rated && t("past.rated"),
    game.practice && t("past.practice"),
  ];
  return html`
    <li>
      <h3>${title}</h3>
      <span class=${`result ${game.result ?? ""}`}>${named("result", game.result ?? "none")}</span>
      <p class="hint">${facts.filter(Boolean).join(" · ")}</p>
      <ul class="names">
        ${game.seats.map(
          ({ seat, occupant }) => html`
            <li class=${game.winners.includes(seat) ? "winner" : ""}>
              <${Player} player=${occupant.player} name=${occupant.name} kind=${occupant.kind} />
            </li>
          `,
        )}
      </ul>
      ${
        game.rounds > 0 &&
        html`
          <div class="buttons">
            <a class="button" href=${replay(1)}>${t("replay")}</a>
            ${
              game.analysed.length
                ? game.analysed.map(
                    (round) => html`
                      <a class="button" href=${replay(round, "&analysis=1")}>
                        ${t("past.analysed", { number: round })}
                      </a>
                    `,
                  )
                : html`
                    <a class="button" href=${replay(1, "&analysis=1")}>${t("past.analysis")}</a>
                  `
            }
          </div>
        `
      }
    </li>
  `;
}
