/** The menu of a table: last trick, take-back, votes, seats, settings, rules, leaving. */
import { html, useState } from "../../vendor/preact-htm.js";
import { t } from "../texts/texts.js";
import { mayForfeit, mayTakeBack } from "../table/model.js";
import { Bell } from "../account/bell.js";
import { Legend } from "../ui/about.js";
import { Cards } from "../cards/card.js";
import { Dialog } from "../ui/dialog.js";
import { Invitation } from "./invitation.js";
import { Settings } from "../account/settings.js";
import { TrickList } from "../round/trick.js";

/**
 * @param {{
 *   session: import("../live/session.js").Session,
 *   view: import("../types").View,
 *   rules: import("../games/rules.js").TableRules | undefined,
 *   onClose: () => void,
 * }} props
 */
export function TableMenu({ session, view, onClose }) {
  const [sure, setSure] = useState(false);
  const mine = view.my && view.seats[view.my.seat];
  const name = (/** @type {number | null | undefined} */ seat) =>
    typeof seat === "number" ? (view.seats[seat].occupant?.name ?? "") : "";
  const last = view.round?.last_trick;
  const leave = async () => {
    if (await session.send("DELETE", "/seats/me", {}, "leave")) location.hash = "#/";
  };
  return html`
    <${Dialog} title=${t("menu")} onClose=${onClose} kind="menu">
      ${
        last &&
        html`
          <section>
            <h3>${t("trick.last")}</h3>
            <${TrickList} view=${view} trick=${last} />
          </section>
        `
      }
      ${
        view.my?.discard &&
        html`
          <section>
            <h3>${t("kitty.mine")}</h3>
            <${Cards} cards=${view.my.discard} size="tiny" />
          </section>
        `
      }
      ${
        mine &&
        view.status === "playing" &&
        html`
          <section>
            <h3>${t("votes")}</h3>
            <div class="buttons">
              ${
                mayTakeBack(view, mine.seat) &&
                !view.round?.take_back &&
                html`
                  <button type="button" onClick=${() => session.send("POST", "/take-back", {}, "take-back")}>
                    ${t("take_back.ask")}
                  </button>
                `
              }
              ${
                Boolean(view.settings.pause_limit_ms) &&
                !view.pause &&
                html`
                  <button type="button" onClick=${() => session.send("POST", "/votes", { kind: "pause" }, "vote")}>
                    ${t("vote.ask.pause")}
                  </button>
                `
              }
              <button type="button" onClick=${() => session.send("POST", "/votes", { kind: "abandon" }, "vote")}>
                ${t("vote.ask.abandon")}
              </button>
              ${
                mayForfeit(view, mine.seat) &&
                html`
                  <button type="button" onClick=${() => session.send("POST", "/votes", { kind: "forfeit" }, "vote")}>
                    ${t("vote.ask.forfeit")}
                  </button>
                `
              }
              ${view.seats
                .filter(
                  (seat) =>
                    seat.presence !== "online" && seat.occupant?.kind !== "ai" && !seat.autopilot && seat.occupant,
                )
                .map(
                  (seat) => html`
                    <button
                      type="button"
                      onClick=${() => session.send("POST", "/votes", { kind: "replace", seat: seat.seat }, "vote")}
                    >
                      ${t("vote.ask.replace", { who: name(seat.seat) })}
                    </button>
                  `,
                )}
            </div>
          </section>
        `
      }
      ${
        view.join_code &&
        view.seats.some((seat) => !seat.occupant) &&
        html`
          <section>
            <h3>${t("invite")}</h3>
            <${Invitation} view=${view} />
          </section>
        `
      }
      ${
        mine &&
        html`
          <${Bell} table=${view.id} />
        `
      }
      <${Legend} />
      <section>
        <h3>${t("settings")}</h3>
        <${Settings} />
      </section>
      <div class="buttons">
        <a
          class="button"
          href=${`#/rules/${view.ruleset}?table=${view.id}&players=${view.players}&options=${encodeURIComponent(JSON.stringify(view.options))}`}
        >
          ${t("rules")}
        </a>
        ${
          mine &&
          (sure
            ? html`
                <button type="button" class="danger" onClick=${leave}>${t("leave.sure")}</button>
              `
            : html`
                <button type="button" onClick=${() => (view.status === "playing" ? setSure(true) : leave())}>
                  ${t("leave")}
                </button>
              `)
        }
      </div>
    <//>
  `;
}
