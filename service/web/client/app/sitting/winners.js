/** Who has won a game, and why it is over if its length has ended it. */
import { html } from "../../vendor/preact-htm.js";
import { text } from "../texts/both.js";
import { enumerated, language, said, t } from "../texts/texts.js";

/** @typedef {import("../types").View} View */

const TEXTS = {
  nobody: text("Nobody has won.", "没有胜者。"),
  draw: text("A draw: nothing tells the sides apart.", "平局：双方不分高下。"),
  rounds_played: text("The agreed rounds are played.", "约定的局数已打完。"),
  time_up: text("The time of the game is up.", "约定的时间已到。"),
  time_up_dropped: text(
    "The time of the game is up; the round that had begun does not count.",
    "约定的时间已到，未打完的一局作废。",
  ),
  level: text("The higher level has decided.", "级别较高者胜。"),
  office: text("On the same level: whoever declares next has won.", "级别相同，下局庄家方胜。"),
  gained: text("Whoever has gained more levels has won.", "升级总数多者胜。"),
  points: text("All else equal: whoever has taken more points has won.", "其余相同，得分多者胜。"),
  score: text("The higher total has decided.", "总分高者胜。"),
};

/** Like `t`. @param {string} key */
const say = (key) => {
  const known = TEXTS[/** @type {keyof typeof TEXTS} */ (key)];
  return known ? said(known[language()]) : "";
};

/** Why a game is over. @param {View} view */
function whyOver({ game, round }) {
  const isDropped = game?.ended === "time_up" && round && !round.result;
  return [say(isDropped ? "time_up_dropped" : (game?.ended ?? "")), say(game?.decided_by ?? "")];
}

/** Who has won the game, if it is over. @param {{ view: View }} props */
export function Winners({ view }) {
  const winners = view.game?.winners;
  if (view.status !== "finished" || !winners) return null;
  const names = enumerated(winners.map((seat) => view.seats[seat].occupant?.name ?? ""));
  const isMine = view.my && winners.includes(view.my.seat);
  const isDraw = view.game?.decided_by === "draw";
  return html`
    <p class="winners">
      ${isMine ? t("game.won") : winners.length ? t("game.winners", { names }) : say(isDraw ? "draw" : "nobody")}
    </p>
    ${whyOver(view)
      .filter((each) => each && !(isDraw && each === say("draw")))
      .map(
        (each) => html`
          <p class="hint">${each}</p>
        `,
      )}
  `;
}
