/** A seat at the table: its occupant, what is known about it, and what it has played to the trick. */
import { html } from "../../vendor/preact-htm.js";
import { listed, named, t } from "../texts/texts.js";
import { aiLevel } from "../table/model.js";
import { Cards } from "../cards/card.js";
import { Clock } from "./clock.js";
import { Avatar } from "../people/face.js";
import { Icon } from "../ui/icon.js";
import { useArrival } from "../cards/motion.js";
import { linkOf, Player } from "../people/player.js";
import { awayNote, awayText, isAway } from "./away.js";
import { Said } from "./said.js";

/**
 * @typedef {import("../types").View} View
 * @typedef {object} SeatPlaceProps
 * @property {View} view
 * @property {number} seat
 * @property {string} place
 * @property {Record<string, string | number>} style
 * @property {boolean} turn whether something is asked of the seat
 * @property {{ cards: readonly string[] } | undefined} play to the trick
 * @property {boolean} winning whether it wins the trick so far
 * @property {boolean} [led] whether it has led
 * @property {() => number} now
 * @property {string} [bubble]
 * @property {boolean} [talks] whether the player is heard now
 * @property {import("../live/session.js").Message} [said]
 * @property {() => void} [onSay] lets the viewer say something from the own seat
 */

/** @param {SeatPlaceProps} props */
export function SeatPlace({ view, seat, place, style, turn, play, winning, led, now, bubble, talks, said, onSay }) {
  const known = view.seats[seat];
  const { occupant } = known;
  const mine = view.my?.seat === seat;
  return html`
    <section
      class=${`seat ${place}${known.side ? ` side-${known.side}` : ""}${turn ? " turn" : ""}${talks ? " talks" : ""}`}
      data-seat=${seat}
      style=${style}
      aria-label=${described(view, seat, talks)}
    >
      <${Chip} player=${mine ? null : occupant?.player} name=${occupant?.name} onSay=${mine ? onSay : undefined}>
        <${Avatar} seat=${known}>–<//>
        <span class="who">
          <${Player} plain name=${occupant?.name ?? t("seat.free")} level=${aiLevel(known)} />
          <${Facts} view=${view} seat=${seat} />
        </span>
        ${
          turn &&
          view.decision?.deadline_at &&
          html`
            <${Clock} decision=${view.decision} now=${now} />
          `
        }
      <//>
      <${Notes} seen=${known} view=${view} bubble=${bubble} said=${said} />
      <${Played} play=${play} mine=${mine} winning=${winning} led=${led} />
    </section>
  `;
}

/**
 * Beside the chip: what happens while the player is away, what was declared, and what was said.
 * @param {Pick<SeatPlaceProps, "view" | "bubble" | "said"> & { seen: import("../types").Seat }} props
 */
const Notes = ({ seen, view, bubble, said }) => html`
  ${
    isAway(view, seen) &&
    html`
      <p class="note" data-about="away" title=${awayText(view, seen)}>${awayNote(view, seen)}</p>
    `
  }
  ${
    bubble &&
    html`
      <p class="bubble">${bubble}</p>
    `
  }
  ${
    said &&
    html`
      <${Said} key=${said.seq} said=${said} />
    `
  }
`;

/**
 * What a seat has played to the trick.
 * @param {Pick<SeatPlaceProps, "play" | "winning" | "led"> & { mine: boolean }} props
 */
function Played({ play, mine, winning, led = false }) {
  const place = useArrival(play?.cards, mine);
  return html`
    <div class=${`played${winning ? " winning" : ""}`} data-about=${winning ? "winning" : undefined} ref=${place}>
      ${
        play &&
        html`
          <${Cards} cards=${play.cards} />
        `
      }${
        led &&
        html`
          <span class="led" data-about="led">${t("trick.led")}</span>
        `
      }
    </div>
  `;
}

/**
 * A fact about a seat: what it is about, its text or icon, what it means, and classes.
 * @typedef {{ about: string, shown: unknown, title?: string, kind?: string }} Fact
 */

/** @param {string} name */
const icon = (name) => html`
  <${Icon} name=${name} />
`;

/** The role of a seat in the round, if it has one. @param {View} view @param {number} seat @returns {Fact[]} */
function rolesOf(view, seat) {
  const isDeclarer = view.round?.declarer === seat;
  const partner = isPartner(view, seat);
  const isFriend = view.seats[seat].side === "declarers" && !isDeclarer && !partner;
  /** @type {[boolean, Fact][]} */
  const roles = [
    [isDeclarer, { about: "declarer", kind: "role declarer", title: t("role.declarer"), shown: icon("crown") }],
    [isFriend, { about: "friend", kind: "role friend", title: t("role.declarers"), shown: icon("hands") }],
    [partner, { about: "partner", kind: "role partner", title: t("role.partner"), shown: icon("partner") }],
  ];
  return roles.filter(([holds]) => holds).map(([, role]) => role);
}

/** What is known about a seat. @param {View} view @param {number} seat @returns {Fact[]} */
function factsOf(view, seat) {
  const { points, tricks, hand_count: count } = view.seats[seat];
  const road = view.round?.roads?.set[seat];
  /** @type {(Fact | false | null | undefined | "" | 0)[]} */
  const facts = [
    points && points > 0 && { about: "points", title: t("seat.points", { count: points }), shown: points },
    ...rolesOf(view, seat),
    road && {
      about: "road",
      shown: html`
        ${named("roads", road)} ${tricks}
      `,
    },
    view.round && {
      about: "count",
      title: t("seat.cards", { count }),
      shown: html`
        <${Icon} name="cards" />
        <span>${count}</span>
      `,
    },
  ];
  return facts.filter((fact) => Boolean(fact)).map((fact) => /** @type {Fact} */ (fact));
}

/** @param {{ view: View, seat: number }} props */
const Facts = ({ view, seat }) => html`
  <span class="facts">
    ${
      view.seats[seat].level !== null &&
      html`
        <b class="level" data-about="level">${view.seats[seat].level}</b>
      `
    }
    ${factsOf(view, seat).map(
      ({ about, kind = about, title, shown }) => html`
        <span key=${about} class=${kind} data-about=${about} title=${title}>${shown}</span>
      `,
    )}
  </span>
`;

/**
 * A seat in short; another player's opens their menu, and one's own what can be said from there.
 * @param {{ player?: string | null, name?: string, onSay?: () => void, children?: unknown }} props
 */
function Chip({ player, name = "", onSay, children }) {
  if (player)
    return html`
      <a class="chip" ...${linkOf({ player, name })} title=${t("person.open", { name })}>${children}</a>
    `;
  return onSay
    ? html`
        <button type="button" class="chip" title=${t("say")} onClick=${onSay}>
          ${children}
          <span class="says"><${Icon} name="chat" /></span>
        </button>
      `
    : html`
        <div class="chip">${children}</div>
      `;
}

/**
 * Whether a seat plays on the side of the viewer, as far as that is known.
 * @param {import("../types").View} view
 * @param {number} seat
 */
function isPartner({ my, seats, round }, seat) {
  if (!my || !round || my.seat === seat) return false;
  const { side } = seats[seat];
  return side !== null && side !== "unknown" && side === seats[my.seat].side;
}

/** What a screen reader says about a seat. @param {View} view @param {number} seat */
function described(view, seat, talks = false) {
  const { occupant, level, hand_count, points, side } = view.seats[seat];
  if (!occupant) return `${t("seat.number", { number: seat + 1 })}${t("colon")}${t("seat.free")}`;
  const facts = [occupant.name];
  const playedBy = aiLevel(view.seats[seat]);
  if (playedBy) facts.push(t("ai.player", { level: named("level.of", playedBy) }));
  if (level !== null) facts.push(t("seat.level", { level }));
  if (view.round) facts.push(t("seat.cards", { count: hand_count }));
  if (view.round && points !== null) facts.push(t("seat.points", { count: points }));
  if (view.round && side !== null) facts.push(named("side", side));
  if (isPartner(view, seat)) facts.push(t("role.partner"));
  if (talks) facts.push(t("seat.talks"));
  if (isAway(view, view.seats[seat])) facts.push(awayText(view, view.seats[seat]));
  return listed(facts);
}
