/** The cloth: the seats around it, the trick, and what lies in the middle. */
import { html, useState } from "../../vendor/preact-htm.js";
import { Cards } from "../cards/card.js";
import { pointsOf } from "../cards/cards.js";
import { places } from "../seats/places.js";
import { SeatPlace } from "../seats/seat.js";
import { named, t, wonText } from "../texts/texts.js";
import { useMedia } from "../ui/hooks.js";
import { leadName, passText } from "./explain.js";
import { Say } from "./chat.js";

/** The trick that lies there: the current one, or the one before. @param {import("../types").Round} round */
export const trickOf = (round) => round.trick ?? round.last_trick;

/**
 * @typedef {object} ClothProps
 * @property {import("../live/session.js").Session | undefined} session
 * @property {import("../types").View} view
 * @property {number} bottom the seat drawn at the bottom
 * @property {import("../../vendor/preact-htm.js").Ref<HTMLElement | null>} place
 * @property {() => void} onLookBack
 */

/** @param {ClothProps} props */
export function Cloth({ session, view, bottom, place, onLookBack }) {
  const wide = useMedia("(min-aspect-ratio: 1/1)");
  const round = /** @type {import("../types").Round} */ (view.round);
  const trick = trickOf(round);
  const around = places(view.players, bottom, view.direction, wide);
  const [says, setSays] = useState(false);
  const canSay = session !== undefined && view.settings.chat && !view.closed;
  return html`
    <div class=${`cloth ${crowdOf(view.players)}${round.trick ? "" : " over"}${trick ? "" : " unplayed"}`} ref=${place}>
      ${
        round.last_trick &&
        html`
          <button type="button" class="look-back" aria-label=${t("trick.last")} onClick=${onLookBack}></button>
        `
      }
      ${around.map(
        ({ seat, edge, at, of }) => html`
          <${SeatPlace}
            key=${seat}
            ...${seatOf(session, view, seat)}
            place=${edge}
            style=${{ "--at": (at + 0.5) / of, "--of": of }}
          />
        `,
      )}
      <div class="middle">
        <${LeadText} trick=${trick} view=${view} />
        ${
          !trick &&
          html`
            <${Untouched} view=${view} />
          `
        }
      </div>
      <${SeatPlace}
        ...${seatOf(session, view, bottom)}
        place="bottom"
        style=${{}}
        onSay=${canSay ? () => setSays(true) : undefined}
      />
      ${
        canSay &&
        says &&
        html`
          <${Say} session=${session} onClose=${() => setSays(false)} />
        `
      }
    </div>
  `;
}

/** How close the seats stand. @param {number} players */
function crowdOf(players) {
  if (players > 12) return "crowded packed";
  if (players > 8) return "crowded";
  return players > 4 ? "some" : "few";
}

/**
 * What is drawn at a seat.
 * @param {import("../live/session.js").Session | undefined} session
 * @param {import("../types").View} view
 * @param {number} seat
 */
function seatOf(session, view, seat) {
  const { decision } = view;
  const trick = trickOf(/** @type {import("../types").Round} */ (view.round));
  const play = trick?.plays.find((each) => each.seat === seat);
  return {
    view,
    seat,
    turn: session !== undefined && decision !== null && decision.kind !== "declare" && decision.seats.includes(seat),
    play,
    winning: trick !== null && (trick.winner ?? trick.winning) === seat && play !== undefined,
    now: () => session?.now() ?? 0,
    bubble: bubbleOf(view, seat),
    said: session?.state.said[seat],
    talks: session?.state.talking.includes(seat),
    led: trick !== null && trick.plays.length > 1 && trick.leader === seat,
  };
}

/**
 * Before the first trick: the kitty, if it was shown, and the standing declaration.
 * @param {{ view: import("../types").View }} props
 */
function Untouched({ view }) {
  const shown = view.round?.kitty?.shown;
  const { declarations } = /** @type {import("../types").Round} */ (view.round);
  return html`
    ${
      shown &&
      html`
        <div class="standing">
          <p>${t("kitty.shown")}</p>
          <${Cards} cards=${shown} size="tiny" />
        </div>
      `
    }
    ${
      declarations &&
      declarations.length > 0 &&
      html`
        <${Standing} view=${view} />
      `
    }
  `;
}

/**
 * How the lead is read, and the points in the trick; or who has won it.
 * @param {{ view: import("../types").View, trick: import("../types").Trick | null }} props
 */
function LeadText({ view, trick }) {
  const lead = trick?.plays[0];
  if (!trick || !lead) return null;
  if (trick.winner !== undefined)
    return html`
      <p class="lead won">${wonText(trick, view.seats[/** @type {number} */ (trick.winner)].occupant?.name ?? "")}</p>
    `;
  const unit = lead.units && lead.cards.length > 1 ? leadName(lead.units) : "";
  const points =
    view.seats[0].points === null
      ? 0
      : trick.plays.flatMap(({ cards }) => cards).reduce((sum, card) => sum + pointsOf(card), 0);
  const text = [unit, points && t("seat.points", { count: points })].filter(Boolean).join(" · ");
  return (
    text &&
    html`
      <p class="lead">${text}</p>
    `
  );
}

/** The standing declaration. @param {{ view: import("../types").View }} props */
function Standing({ view }) {
  const last = view.round?.declarations?.at(-1);
  if (!last) return null;
  return html`
    <div class="standing">
      <p>${t("declaration.stands", { who: view.seats[last.seat].occupant?.name ?? "" })}</p>
      <${Cards} cards=${last.cards} />
    </div>
  `;
}

/** What a seat has said in this phase. @param {import("../types").View} view @param {number} seat */
function bubbleOf(view, seat) {
  const round = view.round;
  if (!round || (view.phase !== "declaring" && view.phase !== "dealing" && view.phase !== "roads")) return "";
  const last = round.declarations?.at(-1);
  if (last?.seat === seat) return named("declared", last.as);
  if (round.roads?.stated.includes(seat) && !round.roads.set[seat]) return t("road.stated");
  return view.phase === "declaring" && round.passes?.includes(seat) ? passText("declare", view) : "";
}
