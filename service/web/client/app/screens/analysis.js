/**
 * What the AI says of a finished round, decision by decision. It takes a minute or more, so the page looks at the
 * progress and shows what is there.
 *
 * @typedef {import("../types").Analysis} Analysis
 * @typedef {import("../types").JudgedDecision} Judged
 */
import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { callText } from "../actions/call.js";
import { call, Refused } from "../api/client.js";
import { withSigns } from "../game/cards.js";
import { Cards } from "../parts/card.js";
import { Icon } from "../parts/icon.js";
import { named, t } from "../texts/texts.js";

const LOOK_MS = 2000;

/**
 * The analysis of a round, followed until it is ready once it has been asked for.
 * @param {string} game
 * @param {number} round
 */
function useAnalysis(game, round) {
  const [analysis, set] = useState(/** @type {Analysis | null} */ (null));
  const [refusal, setRefusal] = useState(/** @type {string | null} */ (null));
  const path = `/games/${game}/analysis`;
  const read = async (/** @type {() => Promise<Analysis>} */ from) => {
    try {
      set(await from());
    } catch (error) {
      setRefusal(error instanceof Refused ? error.problem.detail : t("analysis.none"));
    }
  };
  useEffect(() => {
    if (analysis?.status !== "working" || refusal) return;
    const timer = setTimeout(() => read(() => call("GET", `${path}?round=${round}`)), LOOK_MS);
    return () => clearTimeout(timer);
  }, [analysis, refusal]);
  const ask = () => {
    setRefusal(null);
    return read(() => call("POST", path, { round }, { once: true }));
  };
  return { analysis, refusal, ask };
}

/** @param {{ game: string, round: number, seqs: number[], step: number, go: (step: number) => void, open: boolean }} props `open`: it is asked for at once */
export function AnalysisPanel({ game, round, seqs, step, go, open }) {
  const { analysis, refusal, ask } = useAnalysis(game, round);
  useEffect(() => void (open && ask()), []);
  if (refusal) return html`<p class="reason" role="alert">${refusal}</p>`;
  if (!analysis) return html`<div class="buttons"><button type="button" class="suggest" onClick=${ask}><${Icon} name="bulb" />${t("analysis.ask")}</button></div>`;
  const judged = analysis.decisions.find((each) => each.seq === seqs[step]);
  const next = analysis.decisions.find((each) => each.best && each.gain !== null && seqs.indexOf(each.seq) > step);
  return html`<div class="analysis">
    ${analysis.status === "working" && html`<p class="hint" role="status">${t("analysis.working", { done: analysis.done, of: analysis.of || "…" })}</p>`}
    ${judged && html`<${Verdict} judged=${judged} />`}
    ${next && html`<button type="button" onClick=${() => go(seqs.indexOf(next.seq))}>${t("analysis.next")}</button>`}
  </div>`;
}

/** @param {{ judged: Judged }} props */
function Verdict({ judged }) {
  const { best, gain, reason } = judged;
  if (!best) return html`<p class="reason">${t("analysis.same")}${t("gap")}${withSigns(reason.text)}</p>`;
  const worth = gain === null ? "" : t("analysis.gain", { gain: `+${gain.toFixed(2)}` });
  return html`<p class="reason">${t("analysis.best")} <b>${shown(best)}</b>${worth}${t("analysis.stop")}${t("gap")}${withSigns(reason.text)}</p>`;
}

/** An action as cards or words. @param {import("../types").Advised} action */
function shown({ type, cards, calls, road }) {
  if (cards) return html`<${Cards} cards=${cards} size="tiny" />`;
  if (calls) return calls.map((each) => html`<${Cards} cards=${[each.card]} size="tiny" /> ${callText(each)} `);
  return road ? named("road", road) : named("action", type);
}
