/** The links of a room, always there: one for those who play, one for those who watch. */
import { html } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { sharedLink } from "../texts/links.js";
import { ShareLink } from "../ui/sharelink.js";
import { Qr } from "../ui/qr.js";
import { Sure } from "../ui/sure.js";
import { say } from "./words.js";

/** @typedef {import("./room.js").RoomProps} RoomProps */

/** @param {RoomProps} props */
export const Links = ({ room, again }) => html`
  <section aria-label=${say("links")}>
    <h2>${say("links")}</h2>
    ${
      room.links.member &&
      html`
        <${Link} room=${room} kind="member" code=${room.links.member} again=${again} />
      `
    }
    <details>
      <summary>${say("watchers_link")}</summary>
      <${Link} room=${room} kind="watcher" code=${room.links.watcher} again=${again} />
    </details>
  </section>
`;

/** @param {RoomProps & { kind: "member" | "watcher", code: string }} props */
function Link({ room, kind, code, again }) {
  const plays = kind === "member";
  const link = sharedLink("room", `#/room?code=${code}`);
  const renew = async () => {
    await call("POST", `/rooms/${room.room}/links/${kind}`);
    again();
  };
  return html`
    <div class="invitation">
      <${Qr} text=${link} label=${say("qr")} />
      <div>
        <p>${say(plays ? "players_how" : "watchers_how")}</p>
        <${ShareLink}
          link=${link}
          about=${say(plays ? "share_text" : "watch_text", { name: room.name })}
          label=${say(plays ? "players_link" : "watchers_link")}
        />
        ${
          room.role === "host" &&
          html`
            <${Sure} label=${say("renew")} question=${say("renew_sure")} yes=${say("renew_yes")} act=${renew} />
          `
        }
      </div>
    </div>
  `;
}
