/** Who belongs to a room: the host removes somebody or makes somebody else the host; everybody can leave. */
import { html, useState } from "../../vendor/preact-htm.js";
import { theAccount } from "../api/account.js";
import { call } from "../api/client.js";
import { Removed, Report } from "../people/person.js";
import { Player } from "../people/player.js";
import { t } from "../texts/texts.js";
import { Sure } from "../ui/sure.js";
import { say } from "./words.js";

/**
 * @typedef {import("./room.js").RoomProps} RoomProps
 * @typedef {import("../types").Room["people"][number]} Person
 */

/** @param {RoomProps} props */
export function People({ room, again }) {
  const [changes, setChanges] = useState(false);
  const me = theAccount().player;
  return html`
    <section aria-label=${say("people")}>
      <h2>${say("people")}</h2>
      <ul class="friends">
        ${room.people.map(
          (each) => html`
            <li key=${each.player}>
              <${Player} player=${each.player} name=${each.name} kind=${each.kind} face=${each.face}>
                ${
                  each.role !== "member" &&
                  html`
                    ${" "}
                    <span class="hint">${say(each.role === "host" ? "host" : "watching")}</span>
                  `
                }
              <//>
              ${
                changes &&
                each.player !== me &&
                html`
                  <${Power} room=${room} person=${each} again=${again} />
                `
              }
            </li>
          `,
        )}
      </ul>
      ${
        room.role === "host" &&
        room.people.length > 1 &&
        html`
          <div class="buttons">
            <button type="button" aria-pressed=${changes ? "true" : "false"} onClick=${() => setChanges(!changes)}>
              ${say("people_change")}
            </button>
          </div>
        `
      }
      <${Removed}
        people=${room.removed}
        path=${`/rooms/${room.room}`}
        label=${say("removed")}
        back=${(/** @type {{ name: string }} */ values) => say("readmit", values)}
        again=${again}
      />
    </section>
  `;
}

/** What the host can do with somebody else. @param {RoomProps & { person: Person }} props */
function Power({ room, person: { player, name, role }, again }) {
  const path = `/rooms/${room.room}`;
  const remove = async () => {
    await call("DELETE", `${path}/people/${player}`);
    again();
  };
  const passOn = async () => {
    await call("PUT", `${path}/host`, { player });
    again();
  };
  return html`
    <div class="buttons">
      ${
        role === "member" &&
        html`
          <${Sure}
            label=${say("pass_on", { name })}
            question=${say("pass_on_sure", { name })}
            yes=${say("pass_on_yes")}
            act=${passOn}
          />
        `
      }
      <${Sure}
        label=${say("remove", { name })}
        question=${say("remove_sure", { name })}
        yes=${say("remove_yes")}
        act=${remove}
      />
    </div>
  `;
}

/** What happens when the viewer leaves. @param {import("../types").Room} room */
function outcome({ role, people }) {
  if (role !== "host") return say("leave_sure");
  return say(people.some((each) => each.role === "member") ? "leave_host" : "leave_last");
}

/** The way out, and a report of the room's name. @param {RoomProps} props */
export function Leave({ room }) {
  const leave = async () => {
    await call("DELETE", `/rooms/${room.room}/people/${theAccount().player}`);
    location.replace("#/");
  };
  return html`
    <section class="leaving">
      <${Sure} label=${say("leave")} question=${outcome(room)} yes=${say("leave_yes")} act=${leave} />
      ${
        room.role !== "host" &&
        html`
          <details>
            <summary>${t("report")}</summary>
            <p class="hint">${say("report")}</p>
            <${Report} path=${`/rooms/${room.room}/reports`} name=${room.name} first="display_name" />
          </details>
        `
      }
    </section>
  `;
}
