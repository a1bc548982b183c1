/** At a table where a decision takes days: the way to one's calendar, and more time for others. */
import { html } from "../../vendor/preact-htm.js";
import { aiLevel } from "../table/model.js";
import { text } from "../texts/both.js";
import { language, said } from "../texts/texts.js";

const TEXTS = {
  calendar: text("Quiet hours and holidays", "休息时间和假期"),
  give: text("Give {who} a day more", "给 {who} 加一天"),
};

/** Like `t`. @param {keyof typeof TEXTS} key @param {Record<string, string>} [values] */
const say = (key, values) => said(TEXTS[key][language()], values);

/** The games in which sides are found in each round; in the others, every second seat is a partner. */
const WITH_FRIENDS = ["zhaopengyou", "zhaopengyou_80", "finding_friends"];

/** What is given at once, hours. */
const DAY = 24;

/** The seats that may be given more time. @param {import("../types").View} view */
function opponentsAsked({ decision, my, ruleset, seats }) {
  if (!my || !decision?.deadline_at) return [];
  const isOpponent = (/** @type {number} */ seat) =>
    WITH_FRIENDS.includes(ruleset) ? seat !== my.seat : (seat - my.seat) % 2 !== 0;
  return decision.seats.filter((seat) => isOpponent(seat) && !aiLevel(seats[seat]));
}

/** @param {{ session: import("../live/session.js").Session, view: import("../types").View }} props */
export const Days = ({ session, view }) =>
  view.my &&
  view.clock.correspondence &&
  html`
    <div class="buttons">
      <a class="button" href=${`#/calendar/${view.id}`}>${say("calendar")}</a>
      ${opponentsAsked(view).map(
        (seat) => html`
          <button type="button" onClick=${() => session.send("POST", `/seats/${seat}/time`, { hours: DAY }, "time")}>
            ${say("give", { who: view.seats[seat].occupant?.name ?? "" })}
          </button>
        `,
      )}
    </div>
  `;
