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
import { enumerated, named, t } from "../texts/texts.js";
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
  const count = chosen.length;
  const isWanted = wanted === null || count === wanted;
  const lead = view.ruleset === "arms_length" ? "play.lead.single" : "play.lead";
  return html`
    <${Words}
      ask=${wanted === null ? t(lead) : whatToFollow(hints, view.my)}
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
      <button type="button" class="main" disabled=${!count || !isWanted} onClick=${submit}>
        ${isWanted ? t("play.button", { count: count || 1 }) : t("play.count", { chosen: count, count: wanted })}
      </button>
      ${
        wanted === null &&
        mayClaim(view, view.my.seat) &&
        html`
          <button type="button" onClick=${() => session.act("claim")}>${t("claim.button")}</button>
        `
      }
    </div>
  `;
}

/** Whether a seat that leads may claim the rest of the tricks. @param {View} view @param {number} seat */
const mayClaim = ({ settings, ruleset, round }, seat) =>
  settings.claims && ruleset !== "arms_length" && !round?.claims?.includes(seat);

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

/**
 * Who has said that the cards of a deal need not be dealt one by one.
 * @param {View} view
 * @returns {{ said: boolean, say: () => void, others: string[] }} `said`: whether the viewer has; `others`: the names
 *   of those who have not, once the viewer has
 */
function useHurry(view) {
  const { declarations: shown = [], passes = [] } =
    /** @type {{ declarations?: { seat: number }[], passes?: number[] }} */ (view.round ?? {});
  const me = view.my?.seat ?? -1;
  const [saidAt, sayAt] = useState(-1);
  // A player who has declared counts as passed without having said so.
  const said = isDealOpen(view) && (saidAt === shown.length || (passes.includes(me) && shown.at(-1)?.seat !== me));
  const others = view.seats
    .filter((each, seat) => said && seat !== me && aiLevel(each) === null && !passes.includes(seat))
    .map(({ occupant }) => occupant?.name ?? "");
  return { said, say: () => sayAt(shown.length), others };
}

/**
 * What is asked of a player who may show cards.
 * @param {View} view
 * @param {Decision} decision
 * @param {string[]} others whom the deal waits for
 */
function whatToDeclare(view, decision, others) {
  if (others.length) return t("declare.hurried", { who: enumerated(others) });
  if (possibleSets(decision).length) return t(`ask.${/** @type {"declare"} */ (decision.kind)}`);
  return t(isDealOpen(view) ? "declare.wait" : "declare.nothing");
}

/** Declare, defend, or overcall for the kitty: a button for each set that may be shown. @param {PanelProps} props */
function DeclarePanel({ session, view, decision }) {
  const sets = possibleSets(decision);
  const passed = !decision.seats.includes(view.my?.seat ?? -1);
  const misdeal = mayAskRedeal(decision);
  const suggestion = useSuggestion({ session, decision });
  const hurry = useHurry(view);
  return html`
    <${Words} ask=${whatToDeclare(view, decision, hurry.others)} line=${suggestion.line} />
    <div class="buttons">
      ${
        sets.length > 0 &&
        html`
          <${Sets} sets=${sets} session=${session} decision=${decision} />
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
        isDealOpen(view) // then a pass means that the cards need not be dealt one by one
          ? html`
              <button
                type="button"
                class="hurry"
                disabled=${hurry.said}
                onClick=${() => void (hurry.say(), session.act("pass"))}
              >
                ${t("declare.hurry")}
              </button>
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

/**
 * The sets that may be shown, each a button.
 * @param {Pick<PanelProps, "session" | "decision"> & { sets: string[][] }} props
 */
const Sets = ({ sets, session, decision }) => html`
  <div class="sets">
    ${sets.map(
      (cards) => html`
        <button
          type="button"
          class="set"
          onClick=${() => session.act(decision.kind === "overcall-kitty" ? "overcall-kitty" : "declare", { cards })}
        >
          <${Cards} cards=${cards} size="tiny" />
        </button>
      `,
    )}
  </div>
`;

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
