/** The open hands and the kitty of a finished round, for spectators who see all hands with a delay. */
import { html } from "../../vendor/preact-htm.js";
import { sorted } from "./cards.js";
import { t } from "../texts/texts.js";
import { Cards } from "./card.js";

/** @param {{ view: import("../types").View, rules: import("../games/rules.js").TableRules | undefined }} props */
export function OpenHands({ view, rules }) {
  const { rank = null, suit = null } = view.round?.trump ?? {};
  const { twos_always_trump, red_fives } = /** @type {Record<string, boolean | undefined>} */ (
    rules?.game.options ?? {}
  );
  const trump = { rank, suit, twos: twos_always_trump, red_fives };
  const hands = (view.hands ?? []).map((hand) =>
    Object.entries(hand).flatMap(([card, count]) => /** @type {string[]} */ (Array(count).fill(card))),
  );
  const kitty = view.round?.kitty?.cards;
  if (!hands.some((hand) => hand.length))
    return html`
      <section class="open-hands"><p>${t("open.wait")}</p></section>
    `;
  return html`
    <section class="open-hands" tabindex="0" aria-label=${t("open.title")}>
      <dl>
        ${hands.map(
          (hand, seat) => html`
            <dt>${view.seats[seat].occupant?.name ?? ""}</dt>
            <dd data-hand=${seat}><${Cards} cards=${sorted(hand, trump)} size="tiny" /></dd>
          `,
        )}
        ${
          kitty &&
          html`
            <dt>${t("kitty")}</dt>
            <dd data-hand="kitty"><${Cards} cards=${sorted(kitty, trump)} size="tiny" /></dd>
          `
        }
      </dl>
    </section>
  `;
}
