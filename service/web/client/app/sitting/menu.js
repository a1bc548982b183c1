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
 * @typedef {import("../types").View} View
 * @typedef {object} MenuProps
 * @property {import("../live/session.js").Session} session
 * @property {View} view
 * @property {import("../games/rules.js").TableRules | undefined} rules
 * @property {() => void} onClose
 */

/** @param {MenuProps} props */
export const TableMenu = ({ session, view, onClose }) => html`
  <${Dialog} title=${t("menu")} onClose=${onClose} kind="menu">
    <${LookBack} view=${view} />
    ${
      view.my &&
      view.status === "playing" &&
      html`
        <section>
          <h3>${t("votes")}</h3>
          <${Votes} session=${session} view=${view} seat=${view.my.seat} />
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
      view.my &&
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
      <a class="button" href=${`#/rules/${rulesOf(view)}`}>${t("rules")}</a>
      ${
        view.my &&
        view.clock.correspondence &&
        html`
          <a class="button" href=${`#/calendar/${view.id}`}>${t("calendar")}</a>
        `
      }
      ${
        view.my &&
        html`
          <${Leave} session=${session} view=${view} />
        `
      }
    </div>
  <//>
`;

/** The last trick, and the cards that the viewer has buried. @param {{ view: View }} props */
function LookBack({ view }) {
  const last = view.round?.last_trick;
  return html`
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
  `;
}

/** The address of the rules of a table below `#/rules/`, with its options. @param {View} view */
const rulesOf = ({ ruleset, id, players, options }) =>
  `${ruleset}?table=${id}&players=${players}&options=${encodeURIComponent(JSON.stringify(options))}`;

/** A player who is away and whose seat an AI may take. @param {import("../types").Seat} seat */
const isReplaceable = ({ presence, occupant, autopilot }) =>
  presence !== "online" && occupant && occupant.kind !== "ai" && !autopilot;

/** @typedef {Pick<MenuProps, "session" | "view">} ActionProps */

/** What a player may ask the others for. @param {ActionProps & { seat: number }} props `seat`: of the player */
function Votes({ session, view, seat }) {
  const vote = (/** @type {string} */ kind, /** @type {object} */ more = {}) =>
    session.send("POST", "/votes", { kind, ...more }, "vote");
  /** @type {[isPossible: boolean, text: string, ask: () => unknown][]} */
  const questions = [
    [
      mayTakeBack(view, seat) && !view.round?.take_back,
      t("take_back.ask"),
      () => session.send("POST", "/take-back", {}, "take-back"),
    ],
    [Boolean(view.settings.pause_limit_ms) && !view.pause, t("vote.ask.pause"), () => vote("pause")],
    [true, t("vote.ask.abandon"), () => vote("abandon")],
    [mayForfeit(view, seat), t("vote.ask.forfeit"), () => vote("forfeit")],
    ...view.seats.map(
      (each) =>
        /** @type {[boolean, string, () => unknown]} */ ([
          Boolean(isReplaceable(each)),
          t("vote.ask.replace", { who: each.occupant?.name ?? "" }),
          () => vote("replace", { seat: each.seat }),
        ]),
    ),
  ];
  return html`
    <div class="buttons">
      ${questions.map(
        ([isPossible, text, ask]) =>
          isPossible &&
          html`
            <button type="button" onClick=${ask}>${text}</button>
          `,
      )}
    </div>
  `;
}

/** Leaves the table; during a game, it asks first. @param {ActionProps} props */
function Leave({ session, view }) {
  const [sure, setSure] = useState(false);
  const leave = async () => {
    if (await session.send("DELETE", "/seats/me", {}, "leave")) location.hash = "#/";
  };
  return sure
    ? html`
        <button type="button" class="danger" onClick=${leave}>${t("leave.sure")}</button>
      `
    : html`
        <button type="button" onClick=${() => (view.status === "playing" ? setSure(true) : leave())}>
          ${t("leave")}
        </button>
      `;
}
