/** A seat at the table: its occupant, what is known about it, and what it has played to the trick. */
import { html, useState } from "../../vendor/preact-htm.js";
import { listed, named, t } from "../texts/texts.js";
import { LevelMark } from "../people/aiplayer.js";
import { aiLevel } from "../table/model.js";
import { Cards } from "../cards/card.js";
import { Clock } from "./clock.js";
import { Avatar } from "../people/face.js";
import { Icon } from "../ui/icon.js";
import { useTicks } from "../ui/hooks.js";
import { useArrival } from "../cards/motion.js";
import { linkOf } from "../people/player.js";

/**
 * @param {{
 *   view: import("../types").View, seat: number, place: string, style: Record<string, string | number>, turn: boolean,
 *   play: { cards: readonly string[] } | undefined, winning: boolean, led?: boolean, now: () => number, bubble?:
 * string,
 *   said?: import("../live/session.js").Message,
 * }} props
 */
export function SeatPlace({ view, seat, place, style, turn, play, winning, led = false, now, bubble, said }) {
  const known = view.seats[seat];
  const { occupant } = known;
  const round = view.round;
  const mine = view.my?.seat === seat;
  const played = useArrival(play?.cards, mine);
  const level = aiLevel(known);
  const partner = isPartner(view, seat);
  const roles = [
    round?.declarer === seat && "declarer",
    known.side === "declarers" && round?.declarer !== seat && !partner && "friend",
    partner && "partner",
    mine && "me",
  ].filter(Boolean);
  return html`
    <section
      class=${`seat ${place}${known.side ? ` side-${known.side}` : ""}${turn ? " turn" : ""}`}
      data-seat=${seat}
      style=${style}
      aria-label=${described(view, seat)}
    >
      <${Chip} player=${mine ? null : occupant?.player} name=${occupant?.name}>
        <${Avatar} seat=${known}>–<//>
        <span class="who">
          <span class="name">
            <span>${occupant?.name ?? t("seat.free")}</span>
            ${
              level &&
              html`
                ${" "}
                <${LevelMark} level=${level} />
              `
            }
          </span>
          <span class="facts">
            ${
              known.level !== null &&
              html`
                <b class="level" data-about="level">${known.level}</b>
              `
            }
            ${
              occupant &&
              !mine &&
              known.presence !== "online" &&
              html`
                <span class="presence" data-about="away" title=${named("presence", known.presence)}>
                  <${Icon} name="away" />
                </span>
              `
            }
            ${
              known.points !== null &&
              known.points > 0 &&
              html`
                <span class="points" data-about="points" title=${t("seat.points", { count: known.points })}>
                  ${known.points}
                </span>
              `
            }
            ${
              roles.includes("declarer") &&
              html`
                <span class="role declarer" data-about="declarer" title=${t("role.declarer")}>
                  <${Icon} name="crown" />
                </span>
              `
            }
            ${
              roles.includes("friend") &&
              html`
                <span class="role friend" data-about="friend" title=${t("role.declarers")}>
                  <${Icon} name="hands" />
                </span>
              `
            }
            ${
              roles.includes("partner") &&
              html`
                <span class="role partner" data-about="partner" title=${t("role.partner")}>
                  <${Icon} name="partner" />
                </span>
              `
            }
            ${
              view.round?.roads?.set[seat] &&
              html`
                <span class="road" data-about="road">
                  ${named("roads", view.round.roads.set[seat])} ${known.tricks}
                </span>
              `
            }
            ${
              round &&
              html`
                <span class="count" data-about="count" title=${t("seat.cards", { count: known.hand_count })}>
                  <${Icon} name="cards" />
                  <span>${known.hand_count}</span>
                </span>
              `
            }
          </span>
        </span>
        ${
          turn &&
          view.decision?.deadline_at &&
          html`
            <${Clock} decision=${view.decision} now=${now} />
          `
        }
      <//>
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
      <div class=${`played${winning ? " winning" : ""}`} data-about=${winning ? "winning" : undefined} ref=${played}>
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
    </section>
  `;
}

/** How long a message stays at its seat, ms. */
const SAID_MS = 6000;

/** What a player has just said. @param {{ said: import("../live/session.js").Message }} props */
function Said({ said }) {
  const [until] = useState(() => performance.now() + SAID_MS);
  const left = until - performance.now();
  useTicks(left > 0, SAID_MS + 50);
  return left > 0
    ? html`
        <p class="said">${said.preset ? named("preset", said.preset) : said.text}</p>
      `
    : null;
}

/**
 * A seat in short; another player's opens their menu.
 * @param {{ player?: string | null, name?: string, children?: unknown }} props
 */
const Chip = ({ player, name = "", children }) =>
  player
    ? html`
        <a class="chip" ...${linkOf({ player, name })} title=${t("person.open", { name })}>${children}</a>
      `
    : html`
        <div class="chip">${children}</div>
      `;

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

/** What a screen reader says about a seat. @param {import("../types").View} view @param {number} seat */
function described(view, seat) {
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
  return listed(facts);
}
