/** The rooms of the player, each with what happens there now. */
import { html, useEffect } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { onReturn } from "../api/network.js";
import { onAccountEvent } from "../api/news.js";
import { t } from "../texts/texts.js";
import { useLoaded } from "../ui/hooks.js";

/** What happens at the table of a room. @param {import("../types").Room["table"]} table */
function stateText(table) {
  if (table?.status === "playing") return t("room.playing");
  if (table?.status === "lobby") return t("room.waiting", { taken: table.taken, players: table.players });
  return t("room.quiet");
}

/** A list of them with a heading; nothing without any. */
export function MyRooms() {
  const { value: rooms = [], again } = useLoaded(
    async () => /** @type {import("../types").Room[]} */ ((await call("GET", "/me/rooms")).items),
    [],
  );
  useEffect(() => onReturn(again), []);
  useEffect(() => onAccountEvent(({ type }) => void (type === "room_opened" && again())), []);
  if (!rooms.length) return null;
  return html`
    <section>
      <h2>${t("room.mine")}</h2>
      <ul class="my-tables">
        ${rooms.map(
          ({ room, name, people, table }) => html`
            <li key=${room}>
              <a href=${`#/room/${room}`}>
                <b>${name}</b>
                <span class="hint">${t("room.people", { count: people.length })}</span>
                <span class=${table && table.status !== "finished" ? "badge" : "hint"}>${stateText(table)}</span>
              </a>
            </li>
          `,
        )}
      </ul>
    </section>
  `;
}
