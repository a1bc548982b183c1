/** Who sits where, with the changes that the viewer may make now: before a game, between its rounds, and after it. */
import { html, useState } from "../../vendor/preact-htm.js";
import { theAccount } from "../api/account.js";
import { aiLevels } from "../games/setup.js";
import { ofCatalogue, t } from "../texts/texts.js";
import { LevelMark } from "../people/aiplayer.js";
import { aiLevel } from "../table/model.js";
import { Avatar } from "../people/face.js";
import { useLoaded } from "../ui/hooks.js";
import { Icon } from "../ui/icon.js";
import { PlayerName } from "../people/player.js";

/** Whether a game waits until all are ready for its next round. @param {import("../types").View} view */
export const isBetweenRounds = (view) => view.status === "playing" && view.decision?.kind === "ready";

/** Whether the viewer is the host of a table that is not closed. @param {import("../types").View} view */
export const isHost = (view) => view.host === theAccount().player && !view.closed;

/** @param {{ session: import("../live/session.js").Session, view: import("../types").View, code?: string }} props */
export function Seating({ session, view, code }) {
  const mine = view.my && view.seats[view.my.seat];
  const host = isHost(view);
  const between = isBetweenRounds(view);
  const { value: levels = [] } = useLoaded(aiLevels, []);
  /**
   * During a game, only seats of AI players, and of players who have gone, can change hands.
   * @param {import("../types").Seat} seat
   */
  const open = (seat) => !seat.occupant || (between && (seat.occupant.kind === "ai" || seat.presence === "gone"));
  const sit = (/** @type {number} */ seat) =>
    session.send("POST", "/seats", { seat, ...(code && { join_code: code }) }, "sit").then(() => session.read());
  const kick = (/** @type {number} */ seat) =>
    session.send("DELETE", `/seats/${seat}`, {}, "kick").then(() => setSure(null));
  const [sure, setSure] = useState(/** @type {number | null} */ (null));
  const [picked, setPicked] = useState(/** @type {string | null} */ (null));
  const waiting = view.status !== "playing" && !view.closed;
  /** Move somebody, or oneself, to a seat. @param {number} seat @param {string | null | undefined} player */
  const move = (seat, player) =>
    session.send("PUT", `/seats/${seat}/player`, player ? { player } : {}, "move").then(() => setPicked(null));
  /** Whether the viewer may move to a seat. @param {import("../types").Seat} seat */
  const isFree = (seat) =>
    mine && waiting && seat.seat !== mine.seat && (!seat.occupant || seat.occupant.kind === "ai");
  const seatAi = (/** @type {number} */ seat, /** @type {string | undefined} */ level) =>
    session.send("PUT", `/seats/${seat}/ai`, level ? { level } : {}, `ai ${seat}`);
  return html`
    <ol class="seats">
      ${view.seats.map((seat) => {
        const { occupant } = seat;
        const mayChangeAi = host && occupant?.kind === "ai"; // it is always ready
        return html`
          <li class=${occupant ? "taken" : "free"}>
            <${Avatar} seat=${seat}>${seat.seat + 1}<//>
            <span class="name">
              ${
                occupant
                  ? html`
                      <${PlayerName} ...${occupant} />
                    `
                  : t("seat.free")
              }${
                seat.since !== undefined &&
                html`
                  ${" "}
                  <span class="hint">${t("seat.since", { number: seat.since })}</span>
                `
              }${
                aiLevel(seat) &&
                !mayChangeAi &&
                html`
                  ${" "}
                  <${LevelMark} level=${aiLevel(seat)} />
                `
              }
            </span>
            ${
              mayChangeAi &&
              html`
                <select
                  aria-label=${t("ai.level", { who: occupant.name })}
                  value=${occupant.level}
                  onChange=${(/** @type {any} */ event) => seatAi(seat.seat, event.target.value)}
                >
                  ${levels.map(
                    ({ id, title }) => html`
                      <option value=${id}>${ofCatalogue(title)}</option>
                    `,
                  )}
                </select>
              `
            }
            ${
              occupant &&
              !mayChangeAi &&
              !view.closed &&
              html`
                <span class=${seat.ready ? "state good" : "state"}>${t(seat.ready ? "ready" : "ready.not")}</span>
              `
            }
            ${
              !mine &&
              !view.closed &&
              open(seat) &&
              html`
                <button type="button" class="main" onClick=${() => sit(seat.seat)}>${t("sit")}</button>
              `
            }
            ${
              isFree(seat) &&
              !picked &&
              html`
                <button
                  type="button"
                  class="move"
                  aria-label=${t("seat.move.to", { number: seat.seat + 1 })}
                  onClick=${() => move(seat.seat, null)}
                >
                  ${t("seat.move")}
                </button>
              `
            }
            ${
              host &&
              waiting &&
              picked &&
              occupant?.player !== picked &&
              html`
                <button
                  type="button"
                  class="main"
                  aria-label=${t("seat.put.to", { number: seat.seat + 1 })}
                  onClick=${() => move(seat.seat, picked)}
                >
                  ${t("seat.put")}
                </button>
              `
            }
            ${
              host &&
              waiting &&
              occupant?.player &&
              html`
                <button
                  type="button"
                  class="plain"
                  aria-pressed=${picked === occupant.player ? "true" : "false"}
                  aria-label=${t("seat.pick", { who: occupant.name })}
                  title=${t("seat.pick", { who: occupant.name })}
                  onClick=${() => setPicked(picked === occupant.player ? null : (occupant.player ?? null))}
                >
                  <${Icon} name="swap" />
                </button>
              `
            }
            ${
              !occupant &&
              host &&
              html`
                <button type="button" onClick=${() => seatAi(seat.seat, undefined)}>${t("ai.add")}</button>
              `
            }
            ${
              occupant &&
              host &&
              seat.seat !== mine?.seat &&
              (!between || open(seat)) &&
              html`
                <button
                  type="button"
                  class="plain kick"
                  aria-label=${t("kick", { who: occupant.name })}
                  onClick=${() => (occupant.kind === "ai" ? kick(seat.seat) : setSure(seat.seat))}
                >
                  <${Icon} name="close" />
                </button>
              `
            }
            ${
              sure === seat.seat &&
              occupant &&
              html`
                <span class="sure">
                  <button type="button" class="danger" onClick=${() => kick(seat.seat)}>
                    ${t("kick.sure", { who: occupant.name })}
                  </button>
                  <button type="button" onClick=${() => setSure(null)}>${t("cancel")}</button>
                  ${
                    occupant.kind !== "ai" &&
                    html`
                      <span class="hint">${t("kick.how")}</span>
                    `
                  }
                </span>
              `
            }
          </li>
        `;
      })}
    </ol>
  `;
}
