/**
 * Who sits where around the table, with the changes that the viewer may make now: before a game, between its rounds,
 * and after it.
 */
import { html, useState } from "../../vendor/preact-htm.js";
import { theAccount } from "../api/account.js";
import { aiLevels } from "../games/setup.js";
import { t } from "../texts/texts.js";
import { aiLevel } from "../table/model.js";
import { Avatar } from "../people/face.js";
import { useLoaded } from "../ui/hooks.js";
import { Icon } from "../ui/icon.js";
import { Player } from "../people/player.js";
import { Select, titled } from "../ui/fields.js";
import { columns } from "./places.js";
import { awayNote, isAway } from "./away.js";
import { Said } from "./said.js";

/** Whether a game waits until all are ready for its next round. @param {import("../types").View} view */
export const isBetweenRounds = (view) => view.status === "playing" && view.decision?.kind === "ready";

/** Whether the viewer is the host of a table that is not closed. @param {import("../types").View} view */
export const isHost = (view) => view.host === theAccount().player && !view.closed;

/**
 * @typedef {import("../types").View} View
 * @typedef {import("../types").Seat} Seat
 * @typedef {object} SeatingProps
 * @property {import("../live/session.js").Session} session
 * @property {View} view
 * @property {string} [code] lets the viewer sit down
 */

/** @param {SeatingProps} props */
export function Seating({ session, view, code }) {
  /** The player whom the host moves to another seat. */
  const [picked, pick] = useState(/** @type {string | null} */ (null));
  const { value: levels = [] } = useLoaded(aiLevels, []);
  const drawn = columns(view.players, view.my?.seat ?? 0, view.direction);
  return html`
    <ol class="seats" aria-label=${t("seats")}>
      ${view.seats.map(
        (seat) => html`
          <${Place}
            key=${seat.seat}
            seat=${seat}
            place=${drawn[seat.seat]}
            session=${session}
            view=${view}
            code=${code}
            levels=${levels}
            picked=${picked}
            pick=${pick}
          />
        `,
      )}
    </ol>
  `;
}

/**
 * @typedef {object} PlaceProps
 * @property {Seat} seat
 * @property {ReturnType<typeof columns>[number]} place
 * @property {import("../live/session.js").Session} session
 * @property {View} view
 * @property {string} [code]
 * @property {Awaited<ReturnType<typeof aiLevels>>} levels
 * @property {string | null} picked
 * @property {(player: string | null) => void} pick
 */

/**
 * Whether a seat is of an AI player whom the host may change; such a player is always ready.
 * @param {PlaceProps} props
 */
const mayChangeAi = ({ view, seat }) => isHost(view) && seat.occupant?.kind === "ai";

/**
 * Whether a seat can be taken or given away. During a game, only those of AI players, and of players who have gone, can
 * change hands.
 * @param {PlaceProps} props
 */
const isOpen = ({ view, seat: { occupant, presence } }) =>
  !occupant || (isBetweenRounds(view) && (occupant.kind === "ai" || presence === "gone"));

/** Whether seats are chosen: before a game, and after it. @param {View} view */
const isChoosing = (view) => view.status !== "playing" && !view.closed;

/** A seat, with what the viewer may do about it. @param {PlaceProps} props */
const Place = (props) => html`
  <li
    class=${`${props.seat.occupant ? "taken" : "free"}${props.place.alone ? " alone" : ""}`}
    style=${{ gridArea: props.place.area }}
  >
    <${Avatar} seat=${props.seat}>${props.seat.seat + 1}<//>
    <${Occupant} ...${props} />
    <${State} ...${props} />
    <${Moves} ...${props} />
    <${Removal} ...${props} />
    <${JustSaid} ...${props} />
  </li>
`;

/** What its player has just said. @param {PlaceProps} props */
function JustSaid({ seat, session }) {
  const said = session.state.said[seat.seat];
  return (
    said &&
    html`
      <${Said} key=${said.seq} said=${said} />
    `
  );
}

/** Who has the seat, and since when. @param {PlaceProps} props */
function Occupant(props) {
  const { seat } = props;
  const since =
    seat.since !== undefined &&
    html`
      ${" "}
      <span class="hint">${t("seat.since", { number: seat.since })}</span>
    `;
  if (!seat.occupant)
    return html`
      <span class="name">${t("seat.free")}${since}</span>
    `;
  const { player, name, kind } = seat.occupant;
  const level = mayChangeAi(props) ? null : aiLevel(seat);
  return html`
    <${Player} player=${player} name=${name} kind=${kind} level=${level}>${since}<//>
  `;
}

/** The level of an AI player, or whether a person is ready. @param {PlaceProps} props */
function State(props) {
  const { seat, session, view, levels } = props;
  const { occupant, ready } = seat;
  if (!occupant) return null;
  if (mayChangeAi(props))
    return html`
      <${Select}
        aria-label=${t("ai.level", { who: occupant.name })}
        value=${occupant.level ?? undefined}
        options=${titled(levels)}
        onChange=${(/** @type {string} */ level) => seatAi(session, seat, { level })}
      />
    `;
  const away = isAway(view, seat);
  return (
    !view.closed &&
    html`
      <span class=${ready && !away ? "state good" : "state"}>
        ${away ? awayNote(view, seat) : t(ready ? "ready" : "ready.not")}
      </span>
    `
  );
}

/**
 * Let an AI player have a seat.
 * @param {PlaceProps["session"]} session
 * @param {Seat} seat
 * @param {{ level?: string }} [how]
 */
const seatAi = (session, { seat }, how = {}) => session.send("PUT", `/seats/${seat}/ai`, how, `ai ${seat}`);

/** Sits down, moves, or moves somebody else. @param {PlaceProps} props */
function Moves(props) {
  const { seat, session, view, code, picked, pick } = props;
  const number = seat.seat + 1;
  const sit = () =>
    session
      .send("POST", "/seats", { seat: seat.seat, ...(code && { join_code: code }) }, "sit")
      .then(() => session.read());
  /** Move somebody here, or oneself. @param {{ player?: string }} whom */
  const move = (whom) => session.send("PUT", `/seats/${seat.seat}/player`, whom, "move").then(() => pick(null));
  return html`
    ${
      !view.my &&
      !view.closed &&
      isOpen(props) &&
      html`
        <button type="button" class="main" onClick=${sit}>${t("sit")}</button>
      `
    }
    ${
      !picked &&
      mayMoveTo(props) &&
      html`
        <button type="button" class="move" aria-label=${t("seat.move.to", { number })} onClick=${() => move({})}>
          ${t("seat.move")}
        </button>
      `
    }
    ${
      picked &&
      mayPick(view) &&
      seat.occupant?.player !== picked &&
      html`
        <button
          type="button"
          class="main"
          aria-label=${t("seat.put.to", { number })}
          onClick=${() => move({ player: picked })}
        >
          ${t("seat.put")}
        </button>
      `
    }
    ${
      seat.occupant?.player &&
      mayPick(view) &&
      html`
        <${Pick} player=${seat.occupant.player} name=${seat.occupant.name} picked=${picked} pick=${pick} />
      `
    }
  `;
}

/** Whether the host may move others. @param {View} view */
const mayPick = (view) => isHost(view) && isChoosing(view);

/** Whether the viewer may move to a seat. @param {PlaceProps} props */
const mayMoveTo = ({ view, seat: { seat, occupant } }) =>
  view.my && isChoosing(view) && seat !== view.my.seat && (!occupant || occupant.kind === "ai");

/**
 * @typedef {object} PickProps
 * @property {string} player
 * @property {string} name
 * @property {string | null} picked
 * @property {(player: string | null) => void} pick
 */

/** Picks a player who is to be moved, or lets go of them. @param {PickProps} props */
function Pick({ player, name, picked, pick }) {
  const isPicked = picked === player;
  const text = t("seat.pick", { who: name });
  return html`
    <button
      type="button"
      class="plain"
      aria-pressed=${isPicked ? "true" : "false"}
      aria-label=${text}
      title=${text}
      onClick=${() => pick(isPicked ? null : player)}
    >
      <${Icon} name="swap" />
    </button>
  `;
}

/**
 * Puts an AI player on a free seat, or removes who sits there; people are removed after a question.
 * @param {PlaceProps} props
 */
function Removal(props) {
  const { seat, session, view } = props;
  const { occupant } = seat;
  const [sure, setSure] = useState(false);
  if (!isHost(view)) return null;
  if (!occupant)
    return html`
      <button type="button" onClick=${() => seatAi(session, seat)}>${t("ai.add")}</button>
    `;
  const kick = () => session.send("DELETE", `/seats/${seat.seat}`, {}, "kick").then(() => setSure(false));
  return html`
    ${
      seat.seat !== view.my?.seat &&
      (!isBetweenRounds(view) || isOpen(props)) &&
      html`
        <button
          type="button"
          class="plain kick"
          aria-label=${t("kick", { who: occupant.name })}
          onClick=${() => (occupant.kind === "ai" ? kick() : setSure(true))}
        >
          <${Icon} name="close" />
        </button>
      `
    }
    ${
      sure &&
      html`
        <span class="sure">
          <button type="button" class="danger" onClick=${kick}>${t("kick.sure", { who: occupant.name })}</button>
          <button type="button" onClick=${() => setSure(false)}>${t("cancel")}</button>
          ${
            occupant.kind !== "ai" &&
            html`
              <span class="hint">${t("kick.how")}</span>
            `
          }
        </span>
      `
    }
  `;
}
