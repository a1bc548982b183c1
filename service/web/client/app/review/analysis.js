/**
 * The AI's analysis of a finished round, decision by decision. It takes a minute or more, so the page follows its
 * progress and shows what there is.
 *
 * @typedef {import("../types").Analysis} Analysis
 * @typedef {import("../types").JudgedDecision} Judged
 * @typedef {Judged & { step: number }} Mistake `step`: its position in the round
 * @typedef {import("../types").RecordedRound["actions"][number]} Action
 * @typedef {ReturnType<typeof import("../table/replay.js").stepsOf>} Steps
 */
import { html, useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { callText } from "../round/call.js";
import { call, Refused } from "../api/client.js";
import { nameIn } from "../people/aiplayer.js";
import { Cards } from "../cards/card.js";
import { Reason } from "../ui/reason.js";
import { Icon } from "../ui/icon.js";
import { decimal, named, t } from "../texts/texts.js";

const LOOK_MS = 2000;
/** Reads without progress after which it is requested again: a step may have been lost. */
const PATIENCE = 15;
/** How often it is requested again before the page says that it has stopped. */
const MOST_ASKS = 5;

/**
 * The analysis of a round; once requested, followed until it is ready.
 * @param {string} game
 * @param {number} round
 */
export function useAnalysis(game, round) {
  const [analysis, set] = useState(/** @type {Analysis | null} */ (null));
  const [refusal, setRefusal] = useState("");
  const [asked, setAsked] = useState(false);
  /** Reads since the last progress, and how often it was requested again since. */
  const still = useRef({ done: -1, looks: 0, asks: 0 });
  const path = `/games/${game}/analysis`;
  const read = async (/** @type {Promise<Analysis>} */ answer) => {
    try {
      const told = await answer;
      const { done, looks, asks } = still.current;
      still.current = told.done === done ? { done, looks: looks + 1, asks } : { done: told.done, looks: 0, asks: 0 };
      set(told);
    } catch (error) {
      setRefusal(error instanceof Refused ? error.problem.detail : t("analysis.none"));
    }
  };
  const post = () => read(call("POST", path, { round }, { once: true }));
  useEffect(() => {
    if (analysis?.status !== "working" || refusal) return;
    const { looks, asks } = still.current;
    const isLost = looks >= PATIENCE;
    if (isLost && asks >= MOST_ASKS)
      return setRefusal(t("analysis.stopped", { done: analysis.done, of: analysis.of || "…" }));
    const timer = setTimeout(() => {
      if (isLost) Object.assign(still.current, { looks: 0, asks: asks + 1 });
      if (isLost) post();
      else read(call("GET", `${path}?round=${round}`));
    }, LOOK_MS);
    return () => clearTimeout(timer);
  }, [analysis, refusal]);
  const ask = () => {
    still.current = { done: -1, looks: 0, asks: 0 };
    setAsked(true);
    setRefusal("");
    return post();
  };
  return { analysis, refusal, asked, ask };
}

/**
 * The decisions that were measurably worse than another one, in order; in Arm's Length, which has no levels, those
 * where the AI would have decided otherwise.
 * @param {Analysis | null} analysis
 * @param {readonly Action[]} actions of the round
 * @param {number | null} seat whose decisions; null: of all
 * @param {boolean} measured whether the game has levels
 * @returns {Mistake[]}
 */
export const mistakesOf = (analysis, actions, seat, measured) =>
  (analysis?.decisions ?? [])
    .filter((each) => each.best && (each.gain !== null || !measured) && (seat === null || each.seat === seat))
    .map((each) => ({ ...each, step: actions.findIndex(({ seq }) => seq === each.seq) }));

/**
 * @typedef {object} MistakesProps
 * @property {Mistake[]} mistakes
 * @property {boolean} mine whether they are those of one seat
 * @property {readonly Action[]} actions of the round
 * @property {Steps} steps
 * @property {number} step
 * @property {(step: number) => void} go
 *
 * @typedef {object} AnalysisProps
 * @property {ReturnType<typeof useAnalysis>} review
 * @property {boolean} open whether the analysis is requested at once
 */

/** @param {AnalysisProps & MistakesProps} props */
export function AnalysisPanel({ review, open, ...of }) {
  const { analysis, ask } = review;
  const { actions, steps, mistakes, mine, step, go } = of;
  useEffect(() => void (open && ask()), []);
  const judged = analysis?.decisions.find((each) => each.seq === actions[step]?.seq);
  const next = mistakes.find((each) => each.step > step) ?? mistakes[0];
  return html`
    <div class="analysis">
      ${
        judged &&
        html`
          <${Verdict} judged=${judged} nameOf=${nameIn(steps[step]?.view)} />
        `
      }
      <${Asking} review=${review} mine=${mine} />
      ${
        analysis &&
        html`
          <${Mistakes} ...${of} over=${analysis.status !== "working"} />
        `
      }
      ${
        next &&
        next.step !== step &&
        html`
          <button type="button" class="next-mistake" onClick=${() => go(next.step)}>${t("analysis.next")}</button>
        `
      }
    </div>
  `;
}

/**
 * The button that asks for the analysis, or what has come of it.
 * @param {Pick<AnalysisProps, "review"> & { mine: boolean }} props
 */
function Asking({ review: { analysis, refusal, asked, ask }, mine }) {
  const button = asked ? "analysis.again" : mine ? "analysis.mine" : "analysis.ask";
  if (asked && !refusal)
    return analysis
      ? analysis.status === "working" &&
          html`
            <${Progress} analysis=${analysis} />
          `
      : html`
          <p class="hint" role="status">${t("loading")}</p>
        `;
  return html`
    ${
      refusal &&
      html`
        <p class="reason" role="alert">${refusal}</p>
      `
    }
    <button type="button" class="suggest" onClick=${ask}>
      <${Icon} name="bulb" />
      ${t(button)}
    </button>
  `;
}

/** The progress of the analysis. @param {{ analysis: Analysis }} props */
const Progress = ({ analysis: { done, of } }) => html`
  <div class="progress">
    <p class="hint" role="status">${t("analysis.working", { done, of: of || "…" })}</p>
    <progress max=${of || 1} value=${done} aria-label=${t("analysis.progress")}></progress>
  </div>
`;

/** The mistakes that were found so far. @param {MistakesProps & { over: boolean }} props */
function Mistakes({ mistakes, mine, over, actions, steps, step, go }) {
  if (!mistakes.length)
    return over
      ? html`
          <p class="no-mistakes">${t(mine ? "analysis.perfect" : "analysis.perfect.all")}</p>
        `
      : null;
  const cost = mistakes.reduce((sum, { gain }) => sum + (gain ?? 0), 0);
  const measured = mistakes.some(({ gain }) => gain !== null);
  return html`
    <h3>
      ${t(!measured ? "analysis.differences" : mine ? "analysis.mistakes" : "analysis.mistakes.all", { count: mistakes.length, cost: decimal(cost, 2) })}
    </h3>
    <ol class="mistakes" aria-label=${t("analysis.mine")}>
      ${mistakes.map(
        (each) => html`
          <li key=${each.seq}>
            <button
              type="button"
              aria-current=${each.step === step ? "step" : undefined}
              onClick=${() => go(each.step)}
            >
              <span>
                ${whenText(steps[each.step]?.view)}${!mine && ` · ${nameIn(steps[each.step]?.view)(each.seat)}`}
              </span>
              <span class="change">
                ${shown(/** @type {any} */ (actions[each.step] ?? null))} → ${shown(each.best)}
              </span>
              ${
                each.gain !== null &&
                html`
                  <b>${t("analysis.cost", { cost: decimal(each.gain, 2) })}</b>
                `
              }
            </button>
          </li>
        `,
      )}
    </ol>
  `;
}

/** The moment of the round. @param {import("../types").View | undefined} view after the decision */
function whenText(view) {
  const trick = view?.round?.trick ?? view?.round?.last_trick;
  return trick ? t("trick.number", { number: trick.number }) : t("kitty");
}

/** @param {{ judged: Judged, nameOf: (seat: number) => string }} props */
function Verdict({ judged, nameOf }) {
  const { best, gain, reason } = judged;
  if (!best)
    return html`
      <div class="reason">
        ${t("analysis.same")}${t("gap")}
        <${Reason} reason=${reason} nameOf=${nameOf} />
      </div>
    `;
  const worth = gain === null ? "" : t("analysis.gain", { gain: decimal(gain, 2, "exceptZero") });
  return html`
    <div class="reason">
      ${t("analysis.best")}${" "}
      <b>${shown(best)}</b>
      ${worth}${t("analysis.stop")}${t("gap")}
      <${Reason} reason=${reason} nameOf=${nameOf} />
    </div>
  `;
}

/** An action as cards or words. @param {import("../types").Advised | null} action */
function shown(action) {
  if (!action) return null;
  const { type, cards, calls, road } = action;
  if (cards)
    return html`
      <${Cards} cards=${cards} size="tiny" />
    `;
  if (calls)
    return calls.map(
      (each) => html`
        <${Cards} cards=${[each.card]} size="tiny" />
        ${" "}${callText(each)}${" "}
      `,
    );
  return road ? named("road", road) : named("action", type);
}
