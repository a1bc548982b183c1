/** Who belongs to a club and who asks to: owners and directors answer and remove, owners give roles. */
import { html, useState } from "../../vendor/preact-htm.js";
import { theAccount } from "../api/account.js";
import { call } from "../api/client.js";
import { Removed } from "../people/person.js";
import { Player } from "../people/player.js";
import { useAttempt } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { Sure } from "../ui/sure.js";
import { roleText, say } from "./words.js";

/**
 * @typedef {import("./club.js").ClubProps} ClubProps
 * @typedef {import("../types").Club["people"][number]} Person
 */

/** Those who ask to join. @param {ClubProps} props */
export function Requests({ club, again }) {
  const { attempt, busy, problem } = useAttempt();
  if (!club.requests.length) return null;
  const answer = (/** @type {string} */ player, /** @type {boolean} */ accept) =>
    attempt(() => call("PUT", `/clubs/${club.club}/requests/${player}/answer`, { accept })).finally(again);
  return html`
    <section aria-label=${say("requests")}>
      <h2>${say("requests")}</h2>
      <ul class="friends">
        ${club.requests.map(
          ({ player, name }) => html`
            <li key=${player}>
              <${Player} player=${player} name=${name} />
              <div class="buttons">
                <button type="button" class="main" disabled=${busy} onClick=${() => answer(player, true)}>
                  ${say("accept", { name })}
                </button>
                <button type="button" disabled=${busy} onClick=${() => answer(player, false)}>
                  ${say("decline", { name })}
                </button>
              </div>
            </li>
          `,
        )}
      </ul>
      <${Refusal} problem=${problem} />
    </section>
  `;
}

/** @param {ClubProps} props */
export function People({ club, again }) {
  const [changes, setChanges] = useState(false);
  const me = theAccount().player;
  return html`
    <section aria-label=${say("people")}>
      <h2>${say("people")}</h2>
      <ul class="friends">
        ${club.people.map(
          (each) => html`
            <li key=${each.player}>
              <${Player} player=${each.player} name=${each.name} kind=${each.kind} face=${each.face}>
                ${
                  each.role !== "member" &&
                  html`
                    ${" "}
                    <span class="hint">${roleText(each.role)}</span>
                  `
                }
              <//>
              ${
                changes &&
                each.role !== "owner" &&
                (club.role === "owner" || each.role === "member") &&
                html`
                  <${Power} club=${club} person=${each} again=${again} />
                `
              }
              ${
                changes &&
                each.player === me &&
                each.role === "owner" &&
                club.people.filter(({ role }) => role === "owner").length > 1 &&
                html`
                  <${Sure}
                    label=${say("step_down")}
                    question=${say("step_down_sure")}
                    yes=${say("step_down_yes")}
                    act=${() => call("PUT", `/clubs/${club.club}/people/${me}`, { role: "member" }).finally(again)}
                  />
                `
              }
            </li>
          `,
        )}
      </ul>
      ${
        club.role !== "member" &&
        club.people.length > 1 &&
        html`
          <div class="buttons">
            <button type="button" aria-pressed=${changes ? "true" : "false"} onClick=${() => setChanges(!changes)}>
              ${say("people_change")}
            </button>
          </div>
        `
      }
      <${Back} club=${club} again=${again} />
    </section>
  `;
}

/** What can be done with somebody who is no owner. @param {ClubProps & { person: Person }} props */
function Power({ club, person: { player, name, role }, again }) {
  const { attempt, busy, problem } = useAttempt();
  const path = `/clubs/${club.club}/people/${player}`;
  const give = (/** @type {Person["role"]} */ given) => call("PUT", path, { role: given }).finally(again);
  const other = role === "member" ? "director" : "member";
  return html`
    <div class="buttons">
      ${
        club.role === "owner" &&
        html`
          <button type="button" disabled=${busy} onClick=${() => attempt(() => give(other))}>
            ${say(other === "director" ? "director_make" : "member_make", { name })}
          </button>
          <${Sure}
            label=${say("owner_make", { name })}
            question=${say("owner_sure")}
            yes=${say("owner_yes")}
            act=${() => give("owner")}
          />
        `
      }
      <${Sure}
        label=${say("remove", { name })}
        question=${say("remove_sure", { name })}
        yes=${say("remove_yes")}
        act=${() => call("DELETE", path).finally(again)}
      />
    </div>
    <${Refusal} problem=${problem} />
  `;
}

/** Who was removed and can be let back. @param {ClubProps} props */
const Back = ({ club, again }) => html`
  <${Removed}
    people=${club.removed}
    path=${`/clubs/${club.club}`}
    label=${say("removed")}
    back=${(/** @type {{ name: string }} */ values) => say("readmit", values)}
    again=${again}
  />
`;
