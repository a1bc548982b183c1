/** All rooms of the player. */
import { html, useEffect } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { onReturn } from "../api/network.js";
import { onAccountEvent } from "../api/news.js";
import { RoomLink } from "../people/roomlink.js";
import { t } from "../texts/texts.js";
import { useLoaded } from "../ui/hooks.js";

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
          (each) => html`
            <li key=${each.room}><${RoomLink} room=${each} /></li>
          `,
        )}
      </ul>
    </section>
  `;
}
