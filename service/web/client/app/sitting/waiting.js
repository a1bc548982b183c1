/** A table before its game: seats to take and to fill, the invitation, and the start. */
import { html } from "../../vendor/preact-htm.js";
import { Invitation } from "./invitation.js";
import { lengthFact } from "../games/length.js";
import { aiLevels, chosenOptions } from "../games/setup.js";
import { Conditions, WayToPlay } from "../seats/between.js";
import { Closed } from "./closed.js";
import { useLoaded } from "../ui/hooks.js";
import { InviteFriends } from "../people/invitefriends.js";
import { isHost, Seating } from "../seats/seating.js";
import { ofCatalogue, t } from "../texts/texts.js";

/**
 * @typedef {import("../types").View} View
 * @typedef {object} WaitingProps
 * @property {import("../live/session.js").Session} session
 * @property {View} view
 * @property {import("../games/rules.js").TableRules | undefined} rules
 * @property {string} [code]
 */

/** @param {WaitingProps} props */
export function Waiting({ session, view, rules, code }) {
  const game = ofCatalogue(rules?.names);
  const full = view.seats.every((seat) => seat.occupant);
  return html`
    <div class="page lobby-table">
      <h2>${t("waiting.title", { game, count: view.players })}</h2>
      ${
        view.room &&
        html`
          <p><a class="button" href=${`#/room/${view.room}`}>${t("room.back")}</a></p>
        `
      }
      ${
        view.closed &&
        html`
          <${Closed} view=${view} />
        `
      }
      <${Places} session=${session} view=${view} code=${code} />
      ${
        !full &&
        view.my &&
        !view.closed &&
        html`
          <${InviteFriends} view=${view} />
        `
      }
      ${
        !full &&
        view.join_code &&
        html`
          <${Invitation} view=${view} game=${game} />
        `
      }
      ${
        isHost(view) &&
        html`
          <${Change} session=${session} view=${view} rules=${rules} />
        `
      }
      <${Options} options=${[...lengthFact(view.settings.length), ...chosenOptions(rules, view.options)]} />
      <p><a href=${`#/rules/${view.ruleset}?players=${view.players}`}>${t("rules")}</a></p>
    </div>
  `;
}

/**
 * The seats, and what brings the game about.
 * @param {{ session: WaitingProps["session"], view: View, code?: string }} props
 */
export const Places = ({ session, view, code }) => html`
  <${Seating} session=${session} view=${view} code=${code} />
  <${Fill} session=${session} view=${view} />
  <${Ready} session=${session} view=${view} />
  ${
    !view.closed &&
    hintsOf(view).map(
      (hint) => html`
        <p class="hint">${t(hint)}</p>
      `,
    )
  }
`;

/** What players should know before they begin. @param {View} view */
function hintsOf({ my, practice, settings, hands, seats, status, clock }) {
  const full = seats.every((seat) => seat.occupant);
  /** @type {(import("../texts/texts.js").Key | false | null | undefined)[]} */
  const hints = [
    my && !full && "waiting.how",
    clock.correspondence && (clock.on_timeout === "remind" ? "days.remind" : "days.late"),
    practice && (practice.repeats ? "waiting.repeats" : "waiting.practice"),
    settings.random_seats && "waiting.random_seats",
    settings.spectators === "open" && (hands && status === "playing" ? "open.wait" : "waiting.open"),
  ];
  return hints.filter((hint) => Boolean(hint)).map((hint) => /** @type {import("../texts/texts.js").Key} */ (hint));
}

/**
 * Buttons for the host that put AI players on all free seats; without any, they change the levels of all AI players.
 * @param {{ session: WaitingProps["session"], view: View }} props
 */
function Fill({ session, view }) {
  const { value: levels = [] } = useLoaded(aiLevels, []);
  const free = view.seats.filter((seat) => !seat.occupant);
  const seats = free.length ? free : view.seats.filter((seat) => seat.occupant?.kind === "ai");
  const fill = async (/** @type {string} */ level) => {
    for (const { seat } of seats) await session.send("PUT", `/seats/${seat}/ai`, { level }, `ai ${seat}`);
  };
  const text = t(free.length ? "ai.fill" : "ai.all");
  // A single AI player has a choice of its own.
  if (!isHost(view) || seats.length < (free.length ? 1 : 2)) return null;
  return html`
    <div class="buttons fill" role="group" aria-label=${text}>
      <span>${text}</span>
      ${levels.map(
        ({ id, title }) => html`
          <button type="button" onClick=${() => fill(id)}>${ofCatalogue(title)}</button>
        `,
      )}
    </div>
  `;
}

/**
 * The button with which a player is ready, or no longer.
 * @param {{ session: WaitingProps["session"], view: View }} props
 */
function Ready({ session, view }) {
  const mine = view.my && view.seats[view.my.seat];
  return html`
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
  `;
}

/** What the host may change. @param {WaitingProps} props */
const Change = ({ session, view, rules }) => html`
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
`;

/** The options that are not those of the game as such. @param {{ options: ReturnType<typeof chosenOptions> }} props */
const Options = ({ options }) =>
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
  `;
