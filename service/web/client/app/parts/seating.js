/** Who sits where, with what the viewer may change of it now: before a game, between its rounds, and after it. */
import { html } from "../../vendor/preact-htm.js";
import { theAccount } from "../api/account.js";
import { aiLevels } from "../game/setup.js";
import { aiLevel } from "../table/model.js";
import { ofCatalogue, t } from "../texts/texts.js";
import { useLoaded } from "./hooks.js";
import { Icon } from "./icon.js";
import { PlayerName } from "./player.js";

/** Whether a game waits until all are ready for its next round. @param {import("../types").View} view */
export const isBetweenRounds = (view) => view.status === "playing" && view.decision?.kind === "ready";

/** Whether the viewer is the host, of a table that is not closed. @param {import("../types").View} view */
export const isHost = (view) => view.host === theAccount().player && !view.closed;

/** @param {{ session: import("../table/session.js").Session, view: import("../types").View, code?: string }} props */
export function Seating({ session, view, code }) {
  const mine = view.my && view.seats[view.my.seat];
  const host = isHost(view);
  const between = isBetweenRounds(view);
  const { value: levels = [] } = useLoaded(aiLevels, []);
  /** In a game only seats of AI players, and of players who have gone, can change hands. @param {import("../types").Seat} seat */
  const open = (seat) => !seat.occupant || (between && (seat.occupant.kind === "ai" || seat.presence === "gone"));
  const sit = (/** @type {number} */ seat) => session.send("POST", "/seats", { seat, ...(code && { join_code: code }) }, "sit").then(() => session.read());
  const kick = (/** @type {number} */ seat) => session.send("DELETE", `/seats/${seat}`, {}, "kick");
  const seatAi = (/** @type {number} */ seat, /** @type {string | undefined} */ level) => session.send("PUT", `/seats/${seat}/ai`, level ? { level } : {}, `ai ${seat}`);
  return html`<ol class="seats">
    ${view.seats.map((seat) => {
      const { occupant } = seat;
      const mayChangeAi = host && occupant?.kind === "ai"; // it is always ready
      return html`<li class=${occupant ? "taken" : "free"}>
        <span class=${`avatar hue-${seat.seat % 8}`} aria-hidden="true">${occupant ? (aiLevel(seat) ? html`<${Icon} name="robot" />` : [...occupant.name][0]) : seat.seat + 1}</span>
        <span class="name">${occupant ? html`<${PlayerName} ...${occupant} />` : t("seat.free")}${seat.since !== undefined && html` <span class="hint">${t("seat.since", { number: seat.since })}</span>`}</span>
        ${mayChangeAi && html`<select aria-label=${t("ai.level", { who: occupant.name })} value=${occupant.level} onChange=${(/** @type {any} */ event) => seatAi(seat.seat, event.target.value)}>
          ${levels.map(({ id, title }) => html`<option value=${id}>${ofCatalogue(title)}</option>`)}
        </select>`}
        ${occupant && !mayChangeAi && !view.closed && html`<span class=${seat.ready ? "state good" : "state"}>${t(seat.ready ? "ready" : "ready.not")}</span>`}
        ${!mine && !view.closed && open(seat) && html`<button type="button" class="main" onClick=${() => sit(seat.seat)}>${t("sit")}</button>`}
        ${!occupant && host && html`<button type="button" onClick=${() => seatAi(seat.seat, undefined)}>${t("ai.add")}</button>`}
        ${occupant && host && seat.seat !== mine?.seat && (!between || open(seat)) && html`<button type="button" aria-label=${t("kick", { who: occupant.name })} onClick=${() => kick(seat.seat)}><${Icon} name="close" /></button>`}
      </li>`;
    })}
  </ol>`;
}
