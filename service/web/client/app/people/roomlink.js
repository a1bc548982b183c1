/** A room of the player in a list, with what happens there now. */
import { html } from "../../vendor/preact-htm.js";
import { t } from "../texts/texts.js";

/** @typedef {import("../types").Room} Room */

/** What happens at the table of a room. @param {Room["table"]} table */
function stateText(table) {
  if (table?.status === "playing") return t("room.playing");
  if (table?.status === "lobby") return t("room.waiting", { taken: table.taken, players: table.players });
  return t("room.quiet");
}

/** @param {{ room: Room }} props */
export const RoomLink = ({ room: { room, name, table } }) => html`
  <a href=${`#/room/${room}`}>
    <b>${name}</b>
    <span class=${table && table.status !== "finished" ? "badge" : "hint"}>${stateText(table)}</span>
  </a>
`;
