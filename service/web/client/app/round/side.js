/**
 * The panel beside the table on wide screens: the score ladder, the last trick, the cards still out, the rounds so far,
 * and the chat.
 */
import { html, useEffect } from "../../vendor/preact-htm.js";
import { givesHints } from "./suggest.js";
import { Talk } from "./chat.js";
import { TrickList } from "./trick.js";
import { left } from "../cards/left.js";
import { RANKS, shownRank, SUITS } from "../cards/cards.js";
import { worth, worthText } from "../games/rules.js";
import { t } from "../texts/texts.js";
import { Suit } from "../cards/card.js";

/**
 * The media query for the panel: the cloth beside it must stay wide enough for the seats.
 * @param {number | undefined} players
 */
export const sidedAt = (players = 4) => `(min-width: ${players > 12 ? 1800 : 1200}px) and (min-height: 640px)`;

/**
 * @param {{
 *   session: import("../live/session.js").Session,
 *   view: import("../types").View,
 *   rules: import("../games/rules.js").TableRules | undefined,
 * }} props
 */
export function Side({ session, view, rules }) {
  useEffect(() => void session.recall(), []);
  const last = view.round?.last_trick;
  return html`
    <aside class="side" aria-label=${t("side.label")}>
      <${Ladder} view=${view} rules=${rules} />
      <section class="side-trick">
        <h2>${t("trick.last")}</h2>
        ${
          last
            ? html`
                <${TrickList} view=${view} trick=${last} />
              `
            : html`
                <p class="hint">${t("side.no_trick")}</p>
              `
        }
      </section>
      ${
        givesHints(view) &&
        html`
          <${Out} view=${view} rules=${rules} />
        `
      }
      <${Rounds} view=${view} />
      <section class="chat">
        <h2>${t("chat")}</h2>
        <${Talk} session=${session} view=${view} messages=${session.state.chat} />
      </section>
    </aside>
  `;
}

/**
 * The thresholds and what they are worth; the one reached is marked.
 * @param {{ view: import("../types").View, rules: import("../games/rules.js").TableRules | undefined }} props
 */
function Ladder({ view, rules }) {
  const points = view.round?.attackers_points ?? null;
  const bands = rules?.game.scores ?? [];
  if (points === null || !bands.length) return null;
  const now = bands.findLastIndex((band) => band.points <= points);
  return html`
    <section class="ladder">
      <h2>${t("side.ladder")}</h2>
      <ol>
        ${bands.map(
          (band, at) => html`
            <li class=${at === now ? "now" : at < now ? "passed" : ""} aria-current=${at === now ? "step" : undefined}>
              <span class="number">${band.points}</span>
              <span>
                ${worthText(/** @type {any} */ (worth(rules, view, band.points)))}${band.every && t("rules.every", { points: band.every })}
              </span>
            </li>
          `,
        )}
      </ol>
    </section>
  `;
}

/**
 * How many of each card others still hold, as far as this seat can tell: not played, and not in the viewer's hand.
 * @param {{ view: import("../types").View, rules: import("../games/rules.js").TableRules | undefined }} props
 */
function Out({ view, rules }) {
  const counts = left(view, rules);
  if (!counts) return null;
  const cell = (/** @type {string} */ card) => html`
    <td class=${counts[card] ? "" : "gone"}>${counts[card] ?? "·"}</td>
  `;
  const ranks = [...RANKS].reverse();
  return html`
    <table class="out">
      <caption>${t("side.out")}</caption>
      <thead>
        <tr>
          <td></td>
          ${ranks.map(
            (rank) => html`
              <th scope="col">${shownRank(rank)}</th>
            `,
          )}
        </tr>
      </thead>
      <tbody>
        ${SUITS.map(
          (suit) => html`
            <tr>
              <th scope="row" aria-label=${t(/** @type {any} */ (`suit.${suit}`))}><${Suit} suit=${suit} /></th>
              ${ranks.map((rank) => cell(rank + suit))}
            </tr>
          `,
        )}
        <tr>
          <th scope="row" colspan="5">${t("card.BJ")}</th>
          ${cell("BJ")}
          <th scope="row" colspan="5">${t("card.LJ")}</th>
          ${cell("LJ")}
          <td colspan="2"></td>
        </tr>
      </tbody>
    </table>
  `;
}

/** The last rounds of the game. @param {{ view: import("../types").View }} props */
function Rounds({ view }) {
  const results = view.game?.results ?? [];
  return html`
    <section class="rounds">
      <h2>${t("side.rounds")}</h2>
      ${
        results.length
          ? html`
              <ol>
                ${results.map(
                  (each) => html`
                    <li>
                      <b>${each.round}</b>
                      ${" "}${resultText(each)}
                    </li>
                  `,
                )}
              </ol>
            `
          : html`
              <p class="hint">${t("side.no_round")}</p>
            `
      }
    </section>
  `;
}

/** @param {NonNullable<import("../types").View["game"]>["results"][number]} result */
const resultText = ({ points, side = null, levels = 0, scores }) =>
  scores ? scores.join(" : ") : `${t("seat.points", { count: points ?? 0 })} · ${worthText({ side, levels })}`;
