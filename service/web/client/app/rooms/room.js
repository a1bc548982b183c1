/** A room that stays: its table, its links, its people, what has been played there, and its rules. */
import { html, useEffect } from "../../vendor/preact-htm.js";
import { PlayersPage } from "../account/signin.js";
import { call } from "../api/client.js";
import { onAccountEvent } from "../api/news.js";
import { PersonDialog } from "../people/persondialog.js";
import { t } from "../texts/texts.js";
import { useAccount, useLoaded, useRepeated } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { Invited, NewRoom } from "./entry.js";
import { Played } from "./played.js";
import { Links } from "./links.js";
import { Leave, People } from "./people.js";
import { Rules } from "./rules.js";
import { RoomTable } from "./table.js";
import { say } from "./words.js";

/** @typedef {import("../types").Room} Room */

/** How often a room is read while the page is visible, ms. */
const LOOK_MS = 10_000;

/** What all parts of the page get. @typedef {{ room: Room, again: () => void }} RoomProps `again`: reads it again */

/** The parts of a room. @param {RoomProps} props */
const Parts = (props) => html`
  <div class="room">
    <${RoomTable} ...${props} />
    <${Links} ...${props} />
    <${People} ...${props} />
    <${Played} ...${props} />
    <${Rules} ...${props} />
    <${Leave} ...${props} />
  </div>
`;

/** @param {{ room: string }} props */
function RoomScreen({ room }) {
  const { token } = useAccount();
  const { value, error, again } = useLoaded(
    async () => (token ? /** @type {Room} */ (await call("GET", `/rooms/${room}`)) : undefined),
    [room, token],
  );
  useRepeated(again, LOOK_MS);
  useEffect(() => onAccountEvent(({ type }) => void (type === "room_opened" && again())), []);
  return html`
    <${PlayersPage} title=${value?.name ?? say("room")}>
      ${
        error?.problem
          ? html`
              <${Refusal} problem=${error.problem} />
              <p><a href="#/">${t("home")}</a></p>
            `
          : value
            ? html`
                <${Parts} room=${value} again=${again} />
              `
            : html`
                <p class="loading" role="status">${t("loading")}</p>
              `
      }
    <//>
  `;
}

/** @param {import("../routes.js").Address} address */
function roomScreen({ rest: [room], asked: { code } }) {
  if (room)
    return html`
      <${RoomScreen} key=${room} room=${room} />
    `;
  return code
    ? html`
        <${Invited} key=${code} code=${code} />
      `
    : html`
        <${NewRoom} />
      `;
}

export { PersonDialog, roomScreen };
