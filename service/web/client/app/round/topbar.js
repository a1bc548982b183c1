/** The bar that is always visible: the game, the trumps, the points with the next threshold, the called cards. */
import { callText } from "./call.js";
import { trumpText } from "./explain.js";
import { html } from "../../vendor/preact-htm.js";
import { isJoker, shownRank, SIGNS, suitOf } from "../cards/cards.js";
import { worth, worthText } from "../games/rules.js";
import { text } from "../texts/both.js";
import { language, ofCatalogue, said, t } from "../texts/texts.js";
import { useTicks } from "../ui/hooks.js";
import { Face } from "../cards/card.js";
import { Icon } from "../ui/icon.js";

/**
 * @typedef {import("../types").View} View
 * @typedef {import("../types").Round} Round
 * @typedef {object} TopBarProps
 * @property {View} view
 * @property {import("../games/rules.js").TableRules | undefined} rules
 * @property {() => number} [now] the time of the service, ms; where the game is being played
 * @property {boolean} [unread] whether there are messages that were not shown yet
 * @property {string} [table] the table to which "back" leads, if not home
 * @property {string} [from] the address of another page to which it leads
 * @property {(what: "menu" | "chat") => void} [onOpen]
 */

/** @param {TopBarProps} props */
export const TopBar = ({ view, rules, now, unread = false, table, from, onOpen }) => html`
  <header class="topbar">
    <a
      class="plain"
      href=${from ?? (table ? `#/table/${table}` : "#/")}
      aria-label=${t(from ? "learn.all" : table ? "back.table" : "home")}
    >
      <${Icon} name="back" />
    </a>
    <div class="game">
      <h1>${ofCatalogue(rules?.names)}</h1>
      ${
        view.round &&
        html`
          <p><${Progress} view=${view} now=${now} /></p>
        `
      }
    </div>
    ${
      view.round &&
      html`
        <${Trumps} round=${view.round} />
        <${Points} view=${view} rules=${rules} />
      `
    }
    ${
      view.game?.scores &&
      html`
        <p class="points"><b>${view.game.scores.join(" : ")}</b></p>
      `
    }
    ${
      onOpen &&
      html`
        <${Openers} unread=${unread} onOpen=${onOpen} />
      `
    }
    <${Calls} view=${view} />
  </header>
`;

const TEXTS = {
  of: text("Round {number} of {count}", "第 {number} 局，共 {count} 局"),
  left: text("{count} min left", "剩 {count} 分钟"),
  up: text("last round: time is up", "时间到，打完本局"),
  stands: text("time stands still", "计时暂停"),
};

/** Like `t`. @param {keyof typeof TEXTS} key @param {Record<string, number>} [values] */
const say = (key, values) => said(TEXTS[key][language()], values);

/** Which round it is, of how many, and how many minutes are left. @param {Pick<TopBarProps, "view" | "now">} props */
function Progress({ view: { game, round, settings }, now }) {
  const { rounds, levels, minutes } = settings.length ?? {};
  const count = levels?.length ?? rounds;
  const number = round?.number ?? 0;
  return html`
    ${count ? say("of", { number, count }) : t("round.number", { number })}
    ${
      now &&
      minutes &&
      game &&
      !game.ended &&
      html`
        <br />
        <${Minutes} until=${game.ends_at ?? null} now=${now} />
      `
    }
  `;
}

/** @typedef {{ until: string | null, now: () => number }} MinutesProps */

/** The minutes that are left of a game, which is paused without `until`. @param {MinutesProps} props */
function Minutes({ until, now }) {
  useTicks(until !== null, 5_000);
  if (until === null) return say("stands");
  const left = Math.ceil((Date.parse(until) - now()) / 60_000);
  return left > 0 ? say("left", { count: left }) : say("up");
}

/** Buttons that open the chat and the menu. @param {Required<Pick<TopBarProps, "unread" | "onOpen">>} props */
const Openers = ({ unread, onOpen }) => html`
  <button
    type="button"
    class=${`plain${unread ? " unread" : ""}`}
    aria-label=${t(unread ? "chat.unread" : "chat")}
    onClick=${() => onOpen("chat")}
  >
    <${Icon} name="chat" />
  </button>
  <button type="button" class="plain" aria-label=${t("menu")} onClick=${() => onOpen("menu")}>
    <${Icon} name="menu" />
  </button>
`;

/**
 * The suit of the trumps, and their text; until they are fixed, their rank and what has been declared so far.
 * @param {Round} round
 */
function trumpsOf({ level, declarations, trump }) {
  if (trump) return { suit: trump.suit, text: trumpText(trump) };
  const shown = declarations?.at(-1)?.cards[0];
  const rank = /^[2-9TJQKA]/.exec(level ?? "")?.[0];
  const suit = shown && !isJoker(shown) ? suitOf(shown) : null;
  const declared = shown ? t("trump.none") : "?";
  return { suit, text: [rank && shownRank(rank), suit ? SIGNS[suit] : declared].filter(Boolean).join(" ") };
}

/** The trumps. @param {{ round: Round }} props */
function Trumps({ round }) {
  const { suit, text } = trumpsOf(round);
  const none = round.trump !== null && !round.trump.suit;
  return html`
    <p class=${`trump suit-${suit ?? "none"}`} data-about="trumps" title=${none ? t("trump.none.long") : t("trumps")}>
      <span class="label">${t("trumps")}</span>
      <b>${text}</b>
      ${
        none &&
        html`
          <span class="visually-hidden">${t("trump.none.long")}</span>
        `
      }
    </p>
  `;
}

/** The attackers' points, and what they would be worth now. @param {Pick<TopBarProps, "view" | "rules">} props */
function Points({ view, rules }) {
  const points = view.round?.attackers_points ?? null;
  if (points === null) return null;
  const now = worth(rules, view, points);
  const marks = now?.marks ?? [];
  const top = Math.max((marks.at(-1) ?? 100) * 1.25, points);
  const meaning = now && worthText(now);
  return html`
    <details class="points" data-about="attackers">
      <summary>
        <span class="label">${t("points.attackers")}</span>
        <b>${points}</b>
        ${
          now?.next &&
          html`
            <span class="next">/ ${now.next}</span>
          `
        }
        ${
          marks.length > 0 &&
          html`
            <span class="meter" aria-hidden="true">
              <span class="bar" style=${{ scale: `${points / top} 1` }}></span>
              ${marks.map(
                (mark) => html`
                  <i style=${{ left: `${(100 * mark) / top}%` }} class=${mark <= points ? "reached" : ""}></i>
                `,
              )}
            </span>
          `
        }
      </summary>
      ${
        meaning &&
        html`
          <p class="meaning">
            ${t("points.now", { points, meaning })}${
              now.next &&
              html`
                <br />
                ${t("points.next", { points: now.next })}
              `
            }
          </p>
        `
      }
    </details>
  `;
}

/** The called cards, and who has joined by playing them. @param {{ view: View }} props */
function Calls({ view: { round, seats } }) {
  if (!round?.calls) return null;
  if (!round.calls.length)
    return html`
      <p class="called">${t("called.none")}</p>
    `;
  return html`
    <ul class="called" data-about="called" tabindex="0" aria-label=${t("called")}>
      ${round.calls.map(
        (call) => html`
          <li class=${call.filled_by === null ? "" : "filled"}>
            <span class="cards tiny">
              <span class="card"><${Face} card=${call.card} /></span>
            </span>
            <span>${callText(call)}</span>
            <b>${call.filled_by === null ? "?" : seats[call.filled_by].occupant?.name}</b>
          </li>
        `,
      )}
    </ul>
  `;
}
