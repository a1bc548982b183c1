/** Between the cloth and the hand: what the table waits for, and what is shown while others decide. */
import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { Cards } from "../cards/card.js";
import { NEWS_MS, newsText } from "../live/news.js";
import { Clock } from "../seats/clock.js";
import { t, wonText } from "../texts/texts.js";
import { waitingFor } from "./explain.js";
import { OrdersLink } from "./orders.js";
import { isDealOpen } from "./panel.js";

/** @typedef {import("../live/session.js").FailedThrow | null} Failed */
/** @typedef {import("../types").View} View */

/**
 * What the table waits for, with the remaining time; or the outcome of a throw in this trick.
 * @param {{
 *   session: import("../live/session.js").Session | undefined,
 *   view: import("../types").View,
 *   failed: Failed | undefined,
 *   asked: boolean,
 *   orders: import("../types").StandingOrders | undefined,
 * }} props
 */
export function Strip({ session, view, failed, asked, orders }) {
  const news = useNews(session?.state.news ?? null);
  const status = !session
    ? ""
    : news
      ? news
      : view.phase === "scored"
        ? t("status.scored")
        : asked && !isDealOpen(view)
          ? t("status.you")
          : waitingFor(view);
  return html`
    <div class=${`strip${news ? " news" : ""}`}>
      <p class="status" role="status" aria-live="polite">${status}</p>
      ${
        (asked || !session) &&
        failed &&
        html`
          <${FailedText} failed=${failed} view=${view} />
        `
      }
      ${
        session &&
        isTimed(view, asked) &&
        html`
          <${Clock} decision=${view.decision} now=${() => session.now()} seconds />
        `
      }
      <${OrdersLink} table=${view.id} orders=${orders} />
    </div>
  `;
}

/** Whether the time is shown; over days also that of others. @param {View} view @param {boolean} asked */
const isTimed = (view, asked) => view.decision && (asked || view.clock.correspondence);

/** What has just happened, for as long as it is shown. @param {import("../live/news.js").News | null} news */
function useNews(news) {
  const [over, setOver] = useState(/** @type {import("../live/news.js").News | null} */ (news));
  useEffect(() => {
    if (!news || news === over) return;
    const timer = setTimeout(() => setOver(news), NEWS_MS);
    return () => clearTimeout(timer);
  }, [news]);
  return news && news !== over ? newsText(news) : "";
}

/** @param {{ failed: import("../live/session.js").FailedThrow, view: import("../types").View }} props */
const FailedText = ({ failed, view }) => html`
  <div class="lead failed">
    <p>${t("throw.failed", { who: view.seats[failed.seat].occupant?.name ?? "" })}</p>
    <${Cards} cards=${failed.cards} size="tiny" />
    ${
      failed.ends_round
        ? html`
            <p>${t("score.stopped")}</p>
          `
        : html`
            <p>${t("throw.forced")}</p>
            <${Cards} cards=${failed.forced} size="tiny" />
          `
    }
    ${
      failed.penalty > 0 &&
      html`
        <p>${t("throw.penalty", { count: failed.penalty })}</p>
      `
    }
    ${
      failed.levels !== undefined &&
      html`
        <p>${t("throw.levels", { count: failed.levels })}</p>
      `
    }
  </div>
`;

/**
 * While others decide: the outcome of a throw, the previous trick unless it is shown beside the table, or the cards
 * that the viewer has buried.
 * @param {{ view: import("../types").View, failed: Failed | undefined, sided: boolean }} props
 */
export function Waits({ view, failed, sided }) {
  const { last_trick: last } = /** @type {import("../types").Round} */ (view.round);
  const discard = view.my?.discard;
  const late = view.settings.spectators === "open" ? 0 : Math.round(view.settings.spectator_delay_ms / 1000);
  const name = (/** @type {number} */ seat) => view.seats[seat].occupant?.name ?? "";
  if (failed)
    return html`
      <div class="waits"><${FailedText} failed=${failed} view=${view} /></div>
    `;
  if (last && !sided)
    return html`
      <div class="waits">
        <p class="heading">
          <span>${!view.my && late > 0 ? t("watch.late", { count: late }) : t("trick.last")}</span>
          <span>${wonText(last, name(/** @type {number} */ (last.winner)))}</span>
        </p>
        <ol class="trick" aria-label=${t("trick.last")} key=${last.number} style=${{ "--plays": last.plays.length }}>
          ${last.plays.map(
            (play) => html`
              <li class=${play.seat === last.winner ? "won" : ""}>
                <span>${name(play.seat)}</span>
                <${Cards} cards=${play.cards} size="tiny" />
              </li>
            `,
          )}
        </ol>
      </div>
    `;
  if (discard)
    return html`
      <div class="waits">
        <p class="heading"><span>${t("kitty.mine")}</span></p>
        <${Cards} cards=${discard} size="tiny" />
      </div>
    `;
  return html`
    <div class="waits">
      ${
        !view.my &&
        late > 0 &&
        html`
          <p>${t("watch.late", { count: late })}</p>
        `
      }
    </div>
  `;
}
