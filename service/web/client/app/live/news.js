/** Sentences about what happens to people and to deals, shown for a moment in the line above the controls. */
import { cardText } from "../cards/cards.js";
import { nameIn } from "../people/aiplayer.js";
import { t } from "../texts/texts.js";

/**
 * @typedef {import("../types").View} View
 * @typedef {import("../types").Event} Event
 * @typedef {{ event: Event, before: View, after: View }} News an event, and the view before and after it
 */

/** How long it is shown, ms. */
export const NEWS_MS = 5000;

/**
 * @type {{
 *   [Type in Event["type"]]?: (
 *     data: import("../types").EventOf<Type>["data"], who: (seat: number) => string, news: News
 *   ) => string
 * }}
 */
const TEXTS = {
  seat_taken: ({ seat }, who) => t("news.sat", { who: who(seat) }),
  seat_left: ({ seat, autopilot }, _, { before }) =>
    t(autopilot === null ? "news.left" : "news.left.ai", { who: before.seats[seat].occupant?.name ?? "" }),
  seat_taken_over: ({ seat }, who) => t("news.ai", { who: who(seat) }),
  seat_resumed: ({ seat }, who) => t("news.back", { who: who(seat) }),
  host_changed: ({ host }, _, { after }) =>
    t("news.host", { who: after.seats.find(({ occupant }) => occupant?.player === host)?.occupant?.name ?? "" }),
  redealt: ({ reason, seat }, who) =>
    reason === "misdeal" && seat !== null ? t("news.misdeal", { who: who(seat) }) : t("news.redealt"),
  trump_fixed: ({ declarer, how }, who) =>
    [how === "declared" ? "" : t("news.undeclared"), t("news.declarer", { who: who(declarer) })]
      .filter(Boolean)
      .join(t("gap")),
  kitty_overcalled: ({ seat }, who) => t("news.overcalled", { who: who(seat) }),
  friend_joined: ({ seat, friend }, who) => t(friend ? "news.friend" : "news.friend.none", { who: who(seat) }),
  discarded: ({ seat }, who, { event }) => (event.by === "timeout" ? t("news.late.discard", { who: who(seat) }) : ""),
  friends_called: (_, who, { event, after }) =>
    event.by === "timeout" ? t("news.late.call", { who: who(Number(after.round?.declarer)) }) : "",
  played: ({ seat, cards }, who, { event }) =>
    event.by === "timeout" ? t("news.late.play", { who: who(seat), cards: cards.map(cardText).join(" ") }) : "",
};

/** The sentence about an event for people at the table; empty: none. @param {News} news */
export function newsText(news) {
  const { event, after } = news;
  const said = /** @type {((data: any, who: (seat: number) => string, news: News) => string) | undefined} */ (
    TEXTS[event.type]
  );
  return said ? said(event.data, nameIn(after), news) : "";
}
