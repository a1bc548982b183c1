/** The ways to look back at a finished round. */
import { html } from "../../vendor/preact-htm.js";
import { isInPage } from "../api/alone.js";
import { SendDeal } from "../games/senddeal.js";
import { t } from "../texts/texts.js";

/**
 * Whether the viewer plays against AI players only: then each round can be analysed once it is over.
 * @param {import("../types").View} view
 */
const isAlone = ({ seats, my }) => seats.every(({ seat, occupant }) => seat === my?.seat || occupant?.kind === "ai");

/** @param {{ view: import("../types").View, round: number | undefined }} props */
export function LookBack({ view, round }) {
  const { game, my, status } = view;
  // The cards of a board are sealed until its event is over; what was played without a network is kept on a page apart.
  if (!game || !round || game.ended === "one_round" || isInPage(view.id)) return null;
  const to = `#/replay/${game.id}/${round}`;
  return html`
    <a class="button" href=${to + (my ? `?seat=${my.seat}` : "")}>${t("replay")}</a>
    ${
      my &&
      (status === "finished" || isAlone(view)) &&
      html`
        <a class="button" href=${`${to}?seat=${my.seat}&analysis=1`}>${t("analysis.mine")}</a>
      `
    }
    <a class="button" href=${`#/dealt/${game.id}/${round}`}>${t("dealt")}</a>
    ${
      my &&
      !view.practice?.sandbox &&
      html`
        <${SendDeal} key=${`${game.id} ${round}`} game=${game.id} round=${round} />
      `
    }
  `;
}
