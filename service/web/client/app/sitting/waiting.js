/** A table before its game: seats to take and to fill, the invitation, and the start. */
import { html } from "../../vendor/preact-htm.js";
import { Invitation } from "./invitation.js";
import { aiLevels, chosenOptions } from "../games/setup.js";
import { Conditions, WayToPlay } from "../seats/between.js";
import { Closed } from "./closed.js";
import { useLoaded } from "../ui/hooks.js";
import { InviteFriends } from "../people/invitefriends.js";
import { isHost, Seating } from "../seats/seating.js";
import { ofCatalogue, t } from "../texts/texts.js";

/**
 * @param {{
 *   session: import("../live/session.js").Session,
 *   view: import("../types").View,
 *   rules: import("../games/rules.js").TableRules | undefined,
 *   code?: string,
 * }} props
 */
export function Waiting({ session, view, rules, code }) {
  const mine = view.my && view.seats[view.my.seat];
  const host = isHost(view);
  const { value: levels = [] } = useLoaded(aiLevels, []);
  const free = view.seats.filter((seat) => !seat.occupant);
  const fill = async (/** @type {string} */ level) => {
    for (const seat of free) await session.send("PUT", `/seats/${seat.seat}/ai`, { level }, `ai ${seat.seat}`);
  };
  const options = chosenOptions(rules, view.options);
  return html`
    <div class="page lobby-table">
      <h2>${t("waiting.title", { game: ofCatalogue(rules?.names), count: view.players })}</h2>
      ${
        view.closed &&
        html`
          <${Closed} view=${view} />
        `
      }
      <${Seating} session=${session} view=${view} code=${code} />
      ${
        host &&
        free.length > 0 &&
        html`
          <div class="buttons fill" role="group" aria-label=${t("ai.fill")}>
            <span>${t("ai.fill")}</span>
            ${levels.map(
              ({ id, title }) => html`
                <button type="button" onClick=${() => fill(id)}>${ofCatalogue(title)}</button>
              `,
            )}
          </div>
        `
      }
      <div class="buttons start">
        ${
          mine &&
          !view.closed &&
          html`
            <button
              type="button"
              class="main"
              onClick=${() => session.send("PUT", "/seats/me/ready", { ready: !mine.ready }, "ready")}
            >
              ${t(mine.ready ? "ready.undo" : "ready.say")}
            </button>
          `
        }
      </div>
      ${
        mine &&
        !view.closed &&
        free.length > 0 &&
        html`
          <p class="hint">${t("waiting.how")}</p>
        `
      }
      ${
        view.practice &&
        !view.closed &&
        html`
          <p class="hint">${t(view.practice.repeats ? "waiting.repeats" : "waiting.practice")}</p>
        `
      }
      ${
        view.settings.random_seats &&
        !view.closed &&
        html`
          <p class="hint">${t("waiting.random_seats")}</p>
        `
      }
      ${
        view.settings.spectators === "open" &&
        !view.closed &&
        html`
          <p class="hint">${t(view.hands && view.status === "playing" ? "open.wait" : "waiting.open")}</p>
        `
      }
      ${
        free.length > 0 &&
        mine &&
        !view.closed &&
        html`
          <${InviteFriends} view=${view} />
        `
      }
      ${
        free.length > 0 &&
        view.join_code &&
        html`
          <${Invitation} view=${view} game=${ofCatalogue(rules?.names)} />
        `
      }
      ${
        host &&
        !view.closed &&
        html`
          <details class="conditions">
            <summary>${t("waiting.change")}</summary>
            ${
              rules &&
              html`
                <${WayToPlay} session=${session} view=${view} rules=${rules} />
              `
            }
            <${Conditions} session=${session} view=${view} />
          </details>
        `
      }
      ${
        options.length > 0 &&
        html`
          <h3>${t("options.chosen")}</h3>
          <dl class="options">
            ${options.map(
              ({ title, value }) => html`
                <dt>${title}</dt>
                <dd>${value}</dd>
              `,
            )}
          </dl>
        `
      }
      <p><a href=${`#/rules/${view.ruleset}?players=${view.players}`}>${t("rules")}</a></p>
    </div>
  `;
}
