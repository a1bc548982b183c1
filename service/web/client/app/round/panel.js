/**
 * What the player can do now: one panel for each kind of decision. A panel gets the table's `session`, the cards chosen
 * in the hand, and functions to choose others.
 *
 * @typedef {import("../types").View} View
 * @typedef {import("../types").Decision} Decision
 * @typedef {object} PanelProps
 * @property {import("../live/session.js").Session} session
 * @property {View} view
 * @property {Decision} decision
 * @property {import("../games/rules.js").TableRules | undefined} rules
 * @property {string[]} chosen names of the chosen cards
 * @property {(cards: readonly string[]) => void} choose
 * @property {() => void} submit plays or buries the chosen cards
 * @property {string} why why the last card tapped cannot be played; empty: it can
 */
import { html, useState } from "../../vendor/preact-htm.js";
import { Cards } from "../cards/card.js";
import { aiLevel } from "../table/model.js";
import { listed, named, t } from "../texts/texts.js";
import { CallPanel } from "./call.js";
import { passText, whatToFollow } from "./explain.js";
import { useSuggestion } from "./suggest.js";

/** @param {PanelProps} props */
export function Panel(props) {
  const Kind = PANELS[props.decision.kind];
  if (!Kind) return null;
  return html`
    <div
      class=${`panel ${props.decision.kind}`}
      data-decision=${props.decision.id}
      role="group"
      aria-label=${t("panel.label")}
    >
      <${Kind} ...${props} />
    </div>
  `;
}

/**
 * What is asked, at a fixed height; an answer to "Suggest" takes its place.
 * @param {{ ask: string, line: unknown }} props
 */
const Words = ({ ask, line }) => html`
  <div class="words" tabindex=${line ? 0 : undefined}>
    <p class="ask">${ask}</p>
    ${line}
  </div>
`;

/** @param {PanelProps} props */
function PlayPanel({ session, view, decision, chosen, choose, submit, why }) {
  const hints = /** @type {import("../types").DecisionOf<"play">} */ (decision).hints;
  const suggestion = useSuggestion({ session, decision, example: hints?.example, choose });
  if (!hints || !view.my) return null;
  const wanted = hints.cards;
  const ready = chosen.length > 0 && (wanted === null || chosen.length === wanted);
  const ask =
    wanted === null
      ? t(view.ruleset === "arms_length" ? "play.lead.single" : "play.lead")
      : whatToFollow(hints, view.my);
  return html`
    <${Words}
      ask=${ask}
      line=${
        why
          ? html`
              <p class="reason" role="status" key=${why}>${why}</p>
            `
          : suggestion.line
      }
    />
    <div class="buttons">
      ${suggestion.button}
      <button type="button" class="main" disabled=${!ready} onClick=${submit}>
        ${wanted !== null && chosen.length !== wanted ? t("play.count", { chosen: chosen.length, count: wanted }) : t("play.button", { count: chosen.length || 1 })}
      </button>
      ${
        wanted === null &&
        view.settings.claims &&
        view.ruleset !== "arms_length" &&
        !view.round?.claims?.includes(view.my.seat) &&
        html`
          <button type="button" onClick=${() => session.act("claim")}>${t("claim.button")}</button>
        `
      }
    </div>
  `;
}

/** @param {PanelProps} props */
function DiscardPanel({ session, view, decision, rules, chosen, choose, submit }) {
  const hints = /** @type {import("../types").DecisionOf<"discard">} */ (decision).hints;
  const suggestion = useSuggestion({ session, decision, example: hints?.example, choose });
  if (!hints) return null;
  const { cards: count } = hints;
  const missing = count - chosen.length;
  return html`
    <${Words} ask=${t("discard.ask", { count })} line=${suggestion.line} />
    <div class="buttons">
      ${suggestion.button}
      <button type="button" class="main" disabled=${missing !== 0} onClick=${submit}>
        ${missing > 0 ? t("discard.more", { count: missing }) : missing < 0 ? t("discard.fewer", { count: -missing }) : t("discard.button", { count })}
      </button>
      ${
        rules?.game.options.kitty_reveal &&
        view.round?.declarer === view.my?.seat &&
        html`
          <button
            type="button"
            disabled=${missing !== 0}
            onClick=${() => session.act("discard", { cards: chosen, reveal: true })}
          >
            ${t("discard.reveal")}
          </button>
        `
      }
    </div>
  `;
}

/** Declare, defend, or overcall for the kitty: a button for each set that may be shown. @param {PanelProps} props */
function DeclarePanel({ session, view, decision }) {
  const sets = possibleSets(decision);
  const action = decision.kind === "overcall-kitty" ? "overcall-kitty" : "declare";
  const passed = !decision.seats.includes(view.my?.seat ?? -1);
  const misdeal = mayAskRedeal(decision);
  // During a deal, a pass means that the cards need not be dealt one by one.
  const dealing = isDealOpen(view);
  const suggestion = useSuggestion({ session, decision });
  const { declarations: shown = [], passes = [] } =
    /** @type {{ declarations?: { seat: number }[], passes?: number[] }} */ (view.round ?? {});
  const me = view.my?.seat ?? -1;
  const [saidAt, sayAt] = useState(-1);
  // A player who has declared counts as passed without having said so.
  const said = dealing && (saidAt === shown.length || (passes.includes(me) && shown.at(-1)?.seat !== me));
  const others = said
    ? view.seats
        .filter((each, seat) => seat !== me && aiLevel(each) === null && !passes.includes(seat))
        .map(({ occupant }) => occupant?.name ?? "")
    : [];
  const hurry = () => void (sayAt(shown.length), session.act("pass"));
  const ask = others.length
    ? t("declare.hurried", { who: listed(others) })
    : dealing && !sets.length
      ? t("declare.wait")
      : sets.length
        ? t(`ask.${/** @type {"declare"} */ (decision.kind)}`)
        : t("declare.nothing");
  return html`
    <${Words} ask=${ask} line=${suggestion.line} />
    <div class="buttons">
      ${
        sets.length > 0 &&
        html`
          <div class="sets">
            ${sets.map(
              (cards) => html`
                <button type="button" class="set" onClick=${() => session.act(action, { cards })}>
                  <${Cards} cards=${cards} size="tiny" />
                </button>
              `,
            )}
          </div>
        `
      }
      ${sets.length > 0 && !passed && suggestion.button}
      ${
        misdeal &&
        html`
          <button type="button" onClick=${() => session.act("redeal")}>${t("declare.redeal")}</button>
        `
      }
      ${
        dealing
          ? html`
              <button type="button" class="hurry" disabled=${said} onClick=${hurry}>${t("declare.hurry")}</button>
            `
          : html`
              <button type="button" class="main" disabled=${passed} onClick=${() => session.act("pass")}>
                ${passText(decision.kind, view)}
              </button>
            `
      }
    </div>
  `;
}

/** @param {PanelProps} props */
function RoadPanel({ session, decision }) {
  const suggestion = useSuggestion({ session, decision });
  const { hints } = /** @type {import("../types").DecisionOf<"road">} */ (decision);
  return html`
    <${Words} ask=${t("ask.road")} line=${suggestion.line} />
    <div class="buttons">
      ${suggestion.button}
      ${(hints?.roads ?? []).map(
        (road) => html`
          <button type="button" class="main" onClick=${() => session.act("road", { road })}>
            ${named("road", road)}
          </button>
        `,
      )}
    </div>
  `;
}

/** Whether the hand may ask for a new deal. @param {Decision} decision */
const mayAskRedeal = ({ hints }) => Boolean(hints && "redeal" in hints && hints.redeal);

/** The sets that may be shown now. @param {Decision} decision @returns {string[][]} */
const possibleSets = (decision) =>
  decision.hints && "possible" in decision.hints ? /** @type {string[][]} */ (decision.hints.possible) : [];

/** Whether all may declare while cards are dealt; nobody in particular is asked. @param {View} view */
export const isDealOpen = ({ decision, phase }) => phase === "dealing" && decision?.kind === "declare";

/**
 * Whether the table asks this viewer for something, or the viewer has passed but may still show cards. During a deal,
 * everybody may say that the cards need not be dealt one by one. While an AI plays the seat, nobody else is asked.
 * @param {View} view
 */
export const asksMe = (view) =>
  view.decision !== null &&
  view.my !== undefined &&
  !view.seats[view.my.seat].autopilot &&
  (view.decision.seats.includes(view.my.seat) ||
    possibleSets(view.decision).length > 0 ||
    mayAskRedeal(view.decision) ||
    isDealOpen(view));

/**
 * Whether the viewer is asked to show cards and can only pass: no set may be shown, and no misdeal can be claimed.
 * @param {View} view
 */
export function maySpareItself({ decision, my, round }) {
  if (!decision || !my || !["declare", "defend", "overcall-kitty"].includes(decision.kind)) return false;
  const waitsForMe =
    decision.seats.includes(my.seat) && !(decision.kind === "declare" && round?.passes?.includes(my.seat));
  return waitsForMe && !possibleSets(decision).length && !mayAskRedeal(decision);
}

/** Decision kind -> its panel; `ready` is part of the summary of a round. */
const PANELS = /** @type {Record<string, (props: PanelProps) => unknown>} */ ({
  play: PlayPanel,
  discard: DiscardPanel,
  declare: DeclarePanel,
  defend: DeclarePanel,
  "overcall-kitty": DeclarePanel,
  call: CallPanel,
  road: RoadPanel,
});
