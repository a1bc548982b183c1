/** Past rounds, latest first; each leads to its replay and to its analysis. */
import { html } from "../../vendor/preact-htm.js";
import { useGameNames } from "../games/hooks.js";
import { momentText, named, t } from "../texts/texts.js";
import { usePages } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { say } from "./words.js";

/** @typedef {import("../types").PastRound} PastRound */

/** How many rounds are listed at a time. */
const SHOWN = 5;

export function Rounds() {
  const { items, more, problem } = /** @type {ReturnType<typeof usePages<PastRound>>} */ (
    usePages(`/me/rounds?limit=${SHOWN}`)
  );
  const nameOf = useGameNames();
  return html`
    <h2 id="past-rounds">${say("rounds")}</h2>
    <p class="hint">${items && !items.length ? say("rounds_none") : say("rounds_how")}</p>
    <${Refusal} problem=${problem} />
    ${
      !items &&
      !problem &&
      html`
        <p class="loading" role="status">${t("loading")}</p>
      `
    }
    <ol class="past" aria-labelledby="past-rounds">
      ${items?.map(
        (each) => html`
          <${Round} key=${`${each.game} ${each.round}`} played=${each} title=${nameOf(each.ruleset)} />
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

/** What has come of a round. @param {PastRound} played */
function factsOf({ at, round, points, side, scores, practice }) {
  return [
    momentText(at),
    t("round.number", { number: round }),
    side && say(side === "declarers" ? "declarers" : "attackers"),
    points !== null && say("points", { points }),
    scores && say("scores", { one: scores[0], other: scores[1] }),
    practice && say("practice"),
  ].filter(Boolean);
}

/** @param {{ played: PastRound, title: string }} props */
function Round({ played, title }) {
  const { game, round, seat, result } = played;
  return html`
    <li>
      <h3>${title}</h3>
      <span class=${`result ${result ?? ""}`}>${named("result", result ?? "none")}</span>
      <p class="hint">${factsOf(played).join(" · ")}</p>
      ${
        played.replay
          ? html`
              <div class="buttons">
                <a class="button" href=${`#/replay/${game}/${round}?seat=${seat}`}>${say("replay")}</a>
                ${
                  played.analysed &&
                  html`
                    <a class="button" href=${`#/replay/${game}/${round}?seat=${seat}&analysis=1`}>${say("analysis")}</a>
                  `
                }
              </div>
            `
          : html`
              <p class="hint">${say("no_replay")}</p>
            `
      }
    </li>
  `;
}
