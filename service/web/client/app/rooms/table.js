/** The table of a room: free seats that open one, the seats of one that waits, or the way to a game. */
import { html, useEffect } from "../../vendor/preact-htm.js";
import { theAccount } from "../api/account.js";
import { call } from "../api/client.js";
import { announce, Announcements } from "../live/announce.js";
import { useSession } from "../live/hooks.js";
import { heardIn } from "../live/said.js";
import { withNames } from "../people/aiplayer.js";
import { columns } from "../seats/places.js";
import { Places } from "../sitting/waiting.js";
import { listed, t } from "../texts/texts.js";
import { useAttempt, useLoaded } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { say } from "./words.js";

/**
 * @typedef {import("./room.js").RoomProps} RoomProps
 * @typedef {NonNullable<import("../types").Room["table"]>} Table
 */

/** @param {RoomProps} props */
export const RoomTable = ({ room, again }) => html`
  <section class="lobby-table" aria-label=${say("table")}>
    <h2>${say("table")}</h2>
    ${
      room.role === "watcher" &&
      html`
        <p class="hint">${say("watcher")}</p>
      `
    }
    ${
      room.table?.status === "lobby"
        ? html`
            <${Waiting} key=${room.table.table} table=${room.table.table} again=${again} />
          `
        : html`
            <${Going} room=${room} table=${room.table} again=${again} />
          `
    }
  </section>
`;

/**
 * A table at which people sit down; once the game begins, the page goes there with those who play.
 * @param {{ table: string, again: () => void }} props
 */
function Waiting({ table, again }) {
  const session = useSession(table, 0, (event) => announce(heardIn(event)));
  const { view = null, lost = null, refusal = null } = session?.state ?? {};
  useEffect(() => {
    if (view?.my && view.status === "playing") location.hash = `#/table/${table}`;
    else if (lost || view?.closed || (view && view.status !== "lobby")) again();
  }, [view?.status, view?.closed, lost]);
  if (!session || !view)
    return html`
      <p class="loading" role="status">${t("loading")}</p>
    `;
  return html`
    <${Places} session=${session} view=${withNames(view)} />
    <${Refusal} problem=${refusal} onClose=${() => session.change({ refusal: null })} />
    <p><a href=${`#/table/${table}`}>${say("chat")}</a></p>
    <${Announcements} />
  `;
}

/** A game that runs or is over, or no table yet. @param {RoomProps & { table: Table | null }} props */
function Going({ room, table, again }) {
  const { attempt, busy, problem } = useAttempt();
  const isWatcher = room.role === "watcher";
  const open = (/** @type {number | undefined} */ seat) =>
    attempt(async () => {
      const opened = /** @type {import("../types").Room} */ (await call("POST", `/rooms/${room.room}/table`));
      if (seat !== undefined) await call("POST", `/tables/${opened.table?.table}/seats`, { seat });
    }).finally(again);
  const address = `#/table/${table?.table}`;
  if (table?.status === "playing")
    return html`
      <p role="status">${say("playing", { names: listed(table.names) })}</p>
      <p><a class="button main" href=${address}>${say(isWatcher ? "look_on" : "back")}</a></p>
    `;
  return html`
    ${
      table &&
      html`
        <p>
          ${say("over")}${" "}
          <a href=${address}>${say("old")}</a>
        </p>
      `
    }
    ${
      isWatcher
        ? html`
            <p>${say("no_table")}</p>
          `
        : html`
            <${Free} room=${room} busy=${busy} open=${open} />
            <p class="hint">${say("open_how")}</p>
            <${Refusal} problem=${problem} />
          `
    }
  `;
}

/**
 * @typedef {object} FreeProps
 * @property {import("../types").Room} room
 * @property {boolean} busy
 * @property {(seat: number) => unknown} open opens a table and sits down
 */

/** The seats before there is a table, with who had them last time. @param {FreeProps} props */
function Free({ room, busy, open }) {
  const { value: past } = useLoaded(
    async () => /** @type {import("../types").RoomHistory} */ (await call("GET", `/rooms/${room.room}/history`)),
    [room.room],
  );
  const { players, options } = room.rules;
  const usual = past?.seats.length === players ? past.seats : [];
  const mine = Math.max(0, usual.indexOf(theAccount().player ?? ""));
  const direction = options.direction === "clockwise" ? "clockwise" : "anticlockwise";
  const nameOf = (/** @type {string | null | undefined} */ player) =>
    room.people.find((each) => each.player === player)?.name;
  return html`
    <ol class="seats" aria-label=${t("seats")}>
      ${columns(players, mine, direction).map(({ area, alone }, seat) => {
        const number = seat + 1;
        const name = nameOf(usual[seat]);
        return html`
          <li key=${seat} class=${alone ? "free alone" : "free"} style=${{ gridArea: area }}>
            <span class="avatar" aria-hidden="true">${number}</span>
            <span class="name">${name ? say("usual", { name }) : t("seat.free")}</span>
            <button
              type="button"
              class="main"
              disabled=${busy}
              aria-label=${say("sit_at", { number })}
              onClick=${() => open(seat)}
            >
              ${say("sit")}
            </button>
          </li>
        `;
      })}
    </ol>
  `;
}
