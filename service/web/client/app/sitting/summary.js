/** A finished round, explained line by line; and the end of a game. */
import { html, useEffect } from "../../vendor/preact-htm.js";
import { isInPage } from "../api/alone.js";
import { worth, worthText } from "../games/rules.js";
import { named, signed, t } from "../texts/texts.js";
import { Again } from "./again.js";
import { Between } from "../seats/between.js";
import { Cards } from "../cards/card.js";
import { Clock } from "../seats/clock.js";
import { Player } from "../people/player.js";
import { LookBack } from "./lookback.js";
import { Par } from "./par.js";
import { RecoveryOffer } from "../account/recovery.js";
import { isBetweenRounds } from "../seats/seating.js";
import { Winners } from "./winners.js";
import { sidedAt } from "../round/side.js";
import { useMedia } from "../ui/hooks.js";
import { Dialog } from "../ui/dialog.js";

/**
 * @typedef {import("../types").View} View
 * @typedef {object} SummaryProps
 * @property {import("../live/session.js").Session} session
 * @property {View} view
 * @property {import("../games/rules.js").TableRules | undefined} rules
 * @property {string} [code]
 * @property {() => void} onClose
 */

/** @param {SummaryProps} props */
export function Summary({ session, view, rules, code, onClose }) {
  const over = view.status === "finished";
  const sided = useMedia(sidedAt(view.players)); // the chat is beside the table
  useEffect(() => void session.recall(), []);
  return html`
    <${Dialog}
      title=${over ? t("game.over") : t("summary.title", { number: view.round?.number ?? 0 })}
      onClose=${onClose}
      kind="summary"
      aside=${sided}
    >
      <${Winners} view=${view} />
      <${Result} session=${session} view=${view} rules=${rules} />
      ${
        !over &&
        session.state.next &&
        html`
          <${Next} view=${view} next=${session.state.next} />
        `
      }
      ${
        (over || isBetweenRounds(view)) &&
        html`
          <${Between} session=${session} view=${view} code=${code} />
        `
      }
      ${
        over &&
        view.my &&
        html`
          <${RecoveryOffer} finished />
        `
      }
      <${GoingOn} session=${session} view=${view} />
    <//>
  `;
}

/** What the round has brought. @param {Omit<SummaryProps, "onClose">} props */
function Result({ session, view, rules }) {
  const result = /** @type {import("../types").RoundResult} */ (view.round?.result);
  return html`
    ${
      result.scores
        ? html`
            <${Arms} view=${view} result=${result} />
          `
        : html`
            <${Score} view=${view} rules=${rules} result=${result} />
            <${Levels} view=${view} before=${session.state.levelsBefore} />
          `
    }
    ${
      view.game &&
      view.game.ended !== "one_round" &&
      !isInPage(view.id) &&
      view.round &&
      view.my &&
      html`
        <${Par} game=${view.game.id} round=${view.round.number} side=${result.sides?.[view.my.seat]} />
      `
    }
  `;
}

/** What comes after the summary. @param {Omit<SummaryProps, "rules" | "onClose">} props */
function GoingOn({ session, view }) {
  const asked = view.decision?.kind === "ready" && view.decision.seats.includes(view.my?.seat ?? -1);
  return html`
    ${
      asked &&
      !view.decision?.deadline_at &&
      html`
        <p class="hint" role="status">${t("summary.waits")}</p>
      `
    }
    <div class="buttons">
      <${LookBack} view=${view} round=${view.round?.number} />
      ${
        asked &&
        html`
          <button type="button" class="main" onClick=${() => session.send("PUT", "/seats/me/ready", {}, "ready")}>
            ${t("summary.next")}
            <span aria-hidden="true"><${Clock} decision=${view.decision} now=${() => session.now()} seconds /></span>
          </button>
        `
      }
      ${
        view.status === "finished" &&
        html`
          <${Again} session=${session} view=${view} />
        `
      }
    </div>
  `;
}

/**
 * Who declares next, and at which level.
 * @param {{ view: import("../types").View, next: import("../types").EventOf<"round_ended">["data"]["next"] }} props
 */
function Next({ view, next }) {
  const seat = next.declarer ?? next.starter;
  if (typeof seat !== "number" || view.seats[seat].level === null) return null;
  const who = view.seats[seat].occupant?.name ?? "";
  return html`
    <p class="next-round">
      ${t(typeof next.declarer === "number" ? "summary.declares" : "summary.starts", { who, level: view.seats[seat].level ?? "" })}
    </p>
  `;
}

/**
 * The players after the round: sides, points of their tricks, levels.
 * @param {{ view: import("../types").View, before: Record<number, string> }} props
 */
const Levels = ({ view, before }) => html`
  <table class="levels">
    <caption>${t("summary.levels")}</caption>
    <thead>
      <tr>
        <th scope="col">${t("player")}</th>
        <th scope="col">${t("side")}</th>
        <th scope="col" class="number">${t("points.taken")}</th>
        <th scope="col">${t("level")}</th>
        <td></td>
      </tr>
    </thead>
    <tbody>
      ${view.seats.map(
        (seat) => html`
          <tr class=${`side-${seat.side}${seat.seat === view.my?.seat ? " me" : ""}`}>
            <th scope="row">
              <${Occupant} seat=${seat} />
            </th>
            <td>${named("side", seat.side ?? "")}</td>
            <td class="number">${seat.points || ""}</td>
            <td><${Level} before=${before[seat.seat]} now=${seat.level ?? ""} /></td>
            <td><${Ready} view=${view} ready=${seat.ready} /></td>
          </tr>
        `,
      )}
    </tbody>
  </table>
`;

/**
 * Whether a player is ready for the next round, as an icon: words would take too much room on a phone.
 * @param {{ view: import("../types").View, ready: boolean }} props
 */
const Ready = ({ view, ready }) => {
  if (view.decision?.kind !== "ready") return null;
  const text = t(ready ? "ready" : "ready.not");
  return html`
    <span class=${ready ? "good" : "state"} title=${text}>
      <span aria-hidden="true">${ready ? "✓" : "…"}</span>
      <span class="visually-hidden">${text}</span>
    </span>
  `;
};

/** A level, and what it was before the round. @param {{ before: string | undefined, now: string }} props */
const Level = ({ before, now }) =>
  before === undefined || before === now
    ? html`
        <b>${now}</b>
      `
    : html`
        <span class="visually-hidden">${t("level.change", { from: before, to: now })}</span>
        <span aria-hidden="true">
          ${before}${" → "}
          <b>${now}</b>
        </span>
      `;

/**
 * @typedef {object} ScoreProps
 * @property {View} view
 * @property {import("../games/rules.js").TableRules | undefined} rules
 * @property {import("../types").RoundResult} result
 */

/** Where the attackers' points come from, and what they are worth. @param {ScoreProps} props */
function Score({ view, rules, result }) {
  const { kitty, reason } = result;
  const now = worth(rules, view, result.points ?? 0);
  return html`
    <${Gain} view=${view} result=${result} />
    <table class="score">
      <tbody>
        <${Points} view=${view} result=${result} />
        ${
          now &&
          reason === "played" &&
          html`
            <${Threshold} now=${now} result=${result} />
          `
        }
      </tbody>
    </table>
    ${
      reason !== "played" &&
      html`
        <p>${t("score.stopped")}</p>
      `
    }
    ${
      kitty?.cards &&
      html`
        <div class="kitty">
          <h3>${t("kitty")}</h3>
          <${Cards} cards=${kitty.cards} />
        </div>
      `
    }
  `;
}

/** @typedef {Omit<ScoreProps, "rules">} ResultProps */

/** Which side has gained how many levels. @param {ResultProps} props */
function Gain({ view, result }) {
  const { side, levels = 0, sides = [] } = result;
  const mine = view.my && sides?.[view.my.seat];
  const gained = levels
    ? t("score.gain", { side: named("side", side ?? ""), count: levels })
    : worthText({ side, levels: levels ?? 0 });
  return html`
    <p class=${`gain ${mine && side ? (mine === side ? "good" : "bad") : ""}`}>${gained}</p>
  `;
}

/** A row of the score. @param {{ kind?: string, text: string, number: string | number }} props */
const Row = ({ kind, text, number }) => html`
  <tr class=${kind}>
    <th scope="row">${text}</th>
    <td class="number">${number}</td>
  </tr>
`;

/** The parts of the points, and their sum. @param {ResultProps} props */
function Points({ view, result }) {
  const { kitty, sides } = result;
  const sign = (/** @type {number} */ seat) => (sides?.[seat] === "declarers" ? 1 : -1);
  return html`
    <${Row} text=${t("score.tricks")} number=${result.trick_points} />
    ${
      kitty &&
      html`
        <${Row}
          text=${
            kitty.factor
              ? t("score.kitty", { points: kitty.points, factor: kitty.factor })
              : t("score.kitty.kept", { points: kitty.points })
          }
          number=${kitty.bonus ? `+${kitty.bonus}` : 0}
        />
      `
    }
    ${(result.penalties ?? []).map(
      ({ seat, points }) => html`
        <${Row}
          text=${t("score.penalty", { who: view.seats[seat].occupant?.name ?? "" })}
          number=${signed(points * sign(seat))}
        />
      `,
    )}
    <${Row} kind="total" text=${t("score.total")} number=${result.points ?? 0} />
  `;
}

/**
 * Which threshold the points have reached, and what else counts.
 * @param {{ now: import("../games/rules.js").Worth, result: import("../types").RoundResult }} props
 */
function Threshold({ now, result }) {
  const more = result.side === now.side ? (result.levels ?? 0) - now.levels : 0;
  // The headline says what it is worth, unless there is more.
  const text = more ? "score.threshold.worth" : now.side === "attackers" ? "score.threshold.over" : "score.threshold";
  const reached = now.from > 1 ? t(text, { points: now.from, meaning: worthText(now) }) : underText(now);
  return html`
    <tr><th scope="row" colspan="2">${reached}</th></tr>
    ${
      more > 0 &&
      result.side &&
      html`
        <tr><th scope="row" colspan="2">${t(`score.more.${result.side}`, { count: more })}</th></tr>
      `
    }
  `;
}

/** What points are called that reach no threshold. @param {import("../games/rules.js").Worth} now */
function underText({ name, from, next }) {
  if (!from) return name || t("score.threshold.none", { next: next ?? 0 });
  return t(name ? "score.threshold.name" : "score.threshold.none", { name, next: next ?? 0 });
}

/** Who sits on a seat. @param {{ seat: import("../types").Seat }} props */
const Occupant = ({ seat: { occupant } }) => html`
  <${Player} plain player=${occupant?.player} name=${occupant?.name ?? t("seat.free")} face=${occupant?.face ?? null} />
`;

/**
 * Arm's Length: tricks by road, and the totals.
 * @param {{ view: import("../types").View, result: import("../types").RoundResult }} props
 */
function Arms({ view, result }) {
  const { roads = {}, tricks = [], scores = [] } = result.summary;
  return html`
    <table class="score">
      <thead>
        <tr>
          <th scope="col">${t("seat")}</th>
          <th scope="col">${t("road")}</th>
          <th scope="col" class="number">${t("tricks")}</th>
          <td></td>
        </tr>
      </thead>
      <tbody>
        ${view.seats.map(
          (seat) => html`
            <tr class=${seat.seat === view.my?.seat ? "me" : ""}>
              <th scope="row"><${Occupant} seat=${seat} /></th>
              <td>${named("road", roads[seat.seat] ?? "")}</td>
              <td class="number">${tricks[seat.seat]}</td>
              <td><${Ready} view=${view} ready=${seat.ready} /></td>
            </tr>
          `,
        )}
        <tr class="total">
          <th scope="row" colspan="2">${t("arms.round")}</th>
          <td class="number">${scores.join(" : ")}</td>
          <td></td>
        </tr>
        <tr class="total">
          <th scope="row" colspan="2">${t("arms.total")}</th>
          <td class="number">${result.scores?.join(" : ")}</td>
          <td></td>
        </tr>
      </tbody>
    </table>
    <p class="hint">${t("arms.how")}</p>
  `;
}
