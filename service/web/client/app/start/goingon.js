/** What waits for the player: tables, those that wait first, and rooms. */
import { html, useEffect } from "../../vendor/preact-htm.js";
import { changeAccount, theAccount } from "../api/account.js";
import { call } from "../api/client.js";
import { onReturn } from "../api/network.js";
import { onAccountEvent } from "../api/news.js";
import { RoomLink } from "../people/roomlink.js";
import { TableLink } from "../people/tablelink.js";
import { t } from "../texts/texts.js";
import { useLoaded } from "../ui/hooks.js";

/** Most tables, and most rooms; all tables have a page of their own, and all rooms. */
const MOST = 3;

/** The tables and the rooms to go on with; a service of before has no rooms. */
async function waiting() {
  const [tables, rooms] = await Promise.all([
    call("GET", "/me/tables"),
    call("GET", "/me/rooms").catch(() => ({ items: [] })),
  ]);
  return {
    tables: /** @type {import("../types").MyTable[]} */ (tables.items).filter(
      (each) => each.seat !== null || each.status !== "finished",
    ),
    rooms: /** @type {import("../types").Room[]} */ (rooms.items),
  };
}

/** Room for as many rows as were listed last, so that nothing below moves when they arrive. */
const Coming = () =>
  Array.from(
    { length: theAccount().waiting ?? 0 },
    () => html`
      <li aria-hidden="true"><span class="coming"></span></li>
    `,
  );

export function GoingOn() {
  const { value, again } = useLoaded(waiting, []);
  useEffect(() => onReturn(again), []);
  useEffect(() => onAccountEvent(({ type }) => void (type === "room_opened" && again())), []);
  const tables = value?.tables.slice(0, MOST) ?? [];
  const rooms = value?.rooms.slice(0, MOST) ?? [];
  const count = tables.length + rooms.length;
  useEffect(() => {
    if (!value) return;
    if (count !== theAccount().waiting) changeAccount({ waiting: count });
  }, [value]);
  if (value ? !count : !theAccount().waiting) return null;
  return html`
    <section class="going-on" aria-labelledby="going-on">
      <h2 id="going-on">${t("start.go_on")}</h2>
      ${
        !value &&
        html`
          <ul class="my-tables">
            <${Coming} />
          </ul>
        `
      }
      ${
        tables.length > 0 &&
        html`
          <ul class="my-tables" aria-label=${t("start.mine")}>
            ${tables.map(
              (each) => html`
                <li key=${each.table}>
                  <${TableLink} table=${each}>
                    ${
                      each.my_turn &&
                      html`
                        <span class="badge">${t("start.turn")}</span>
                      `
                    }
                  <//>
                </li>
              `,
            )}
          </ul>
        `
      }
      ${
        rooms.length > 0 &&
        html`
          <ul class="my-tables" aria-label=${t("room.mine")}>
            ${rooms.map(
              (each) => html`
                <li key=${each.room}><${RoomLink} room=${each} /></li>
              `,
            )}
          </ul>
        `
      }
    </section>
  `;
}
