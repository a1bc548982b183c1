/** A finished round, step by step, from any seat. The address names the position, so that it can be shown to others. */
import { html, useEffect, useLayoutEffect, useMemo, useState } from "../../vendor/preact-htm.js";
import { Refused, call } from "../api/client.js";
import { dealAgain } from "../game/setup.js";
import { useAccount, useLoaded, useOnline, useRules } from "../parts/hooks.js";
import { Icon } from "../parts/icon.js";
import { Refusal } from "../parts/refusal.js";
import { TopBar } from "../parts/topbar.js";
import { stepsOf } from "../table/replay.js";
import { named, t } from "../texts/texts.js";
import { AnalysisPanel } from "./analysis.js";
import { Game } from "./game.js";

const STEP_MS = 1200;

/** @param {{ game: string, round: number, asked: Record<string, string> }} props */
export function ReplayScreen({ game, round, asked }) {
  const [seat, setSeat] = useState(asked.seat ?? "");
  const [at, setAt] = useState(Number(asked.at ?? 0));
  const [running, setRunning] = useState(false);
  const [problem, setProblem] = useState(/** @type {import("../types").Problem | null} */ (null));
  const { token } = useAccount();
  const { value: record, error } = useLoaded(
    async () => /** @type {import("../types").RecordedRound} */ (await call("GET", `/games/${game}/rounds/${round}`)),
    [game, round],
  );
  const online = useOnline();
  const seen = seat ? `?seat=${seat}` : "";
  /** What is shown: the round as one seat saw it, until that of another has arrived. */
  const { value: events } = useLoaded(
    async () => /** @type {import("../types").RoundEvents} */ (await call("GET", `/games/${game}/rounds/${round}/events${seen}`)),
    [game, round, seat],
  );
  const actions = record?.actions ?? [];
  const steps = useMemo(() => (events && record ? stepsOf(events, record.actions) : []), [events, record]);
  const step = Math.min(at, Math.max(0, actions.length - 1));
  const { view, failed } = steps[step] ?? {};
  const rules = useRules(view);
  const { value: summary } = useLoaded(async () => /** @type {import("../types").GameSummary} */ (await call("GET", `/games/${game}`)), [game]);
  const rounds = Math.max(0, ...(summary?.results ?? []).map((each) => each.round));
  useEffect(() => {
    setSeat(asked.seat ?? "");
    setAt(Number(asked.at ?? 0));
  }, [asked]);
  // At once: later, it might take the place of an address that has been opened meanwhile.
  useLayoutEffect(() => history.replaceState(null, "", `#/replay/${game}/${round}?at=${step}${seat ? `&seat=${seat}` : ""}`), [step, seat]);
  useEffect(() => {
    if (!running) return;
    if (step >= actions.length - 1) return setRunning(false);
    const timer = setTimeout(() => setAt(step + 1), STEP_MS);
    return () => clearTimeout(timer);
  }, [running, step, actions.length]);

  if (error) return html`<main class="page">${error.problem ? html`<${Refusal} problem=${error.problem} />` : html`<p role="alert">${t("offline")}</p>`}<p><a href="#/">${t("home")}</a></p></main>`;
  if (!view) return html`<main class="page"><p class="loading" role="status">${t(online ? "loading" : "offline.here")}</p></main>`;
  const action = actions[step];
  const go = (/** @type {number} */ to) => setAt(Math.min(actions.length - 1, Math.max(0, to)));
  const again = async () => {
    if (!record) return;
    try {
      location.hash = `#/table/${await dealAgain(view, record, Number(seat || 0))}`;
    } catch (refused) {
      if (!(refused instanceof Refused)) throw refused;
      setProblem(refused.problem);
    }
  };
  const button = (/** @type {string} */ label, /** @type {string} */ icon, /** @type {() => void} */ press, /** @type {boolean} */ off) =>
    html`<button type="button" class="plain" aria-label=${label} disabled=${off} onClick=${press}><${Icon} name=${icon} /></button>`;
  return html`<main class="table playing replay">
    <${TopBar} view=${view} rules=${rules} />
    ${!online && html`<p class="offline" role="status">${t("offline.here")}</p>`}
    <${Game} view=${view} rules=${rules} failed=${failed} />
    <section class="panel" aria-label=${t("replay")}>
      <p class="ask">${t("replay.step", { step: step + 1, of: actions.length })} · ${view.seats[action.seat].occupant?.name ?? ""}: ${named("action", action.type)}</p>
      <input type="range" aria-label=${t("replay.position")} min="0" max=${actions.length - 1} value=${step} onInput=${(/** @type {any} */ event) => go(Number(event.target.value))} />
      <div class="buttons">
        ${button(t("replay.first"), "first", () => go(0), step === 0)}
        ${button(t("replay.back"), "back", () => go(step - 1), step === 0)}
        ${button(t(running ? "replay.pause" : "replay.play"), running ? "pause" : "play", () => setRunning(!running), step >= actions.length - 1)}
        ${button(t("replay.next"), "next", () => go(step + 1), step >= actions.length - 1)}
        <label class="check">${t("replay.seat")}<select value=${seat} onChange=${(/** @type {any} */ event) => setSeat(event.target.value)}>
          <option value="">${t("replay.nobody")}</option>
          ${view.seats.map((each) => html`<option value=${String(each.seat)}>${each.occupant?.name ?? t("seat.number", { number: each.seat + 1 })}</option>`)}
        </select></label>
      </div>
      ${rounds > 1 && html`<div class="buttons">
        ${round > 1 && html`<a class="button" href=${`#/replay/${game}/${round - 1}${seen}`}>${t("replay.before")}</a>`}
        ${round < rounds && html`<a class="button" href=${`#/replay/${game}/${round + 1}${seen}`}>${t("replay.after")}</a>`}
      </div>`}
      ${token && online && html`<div class="buttons"><button type="button" class="plain again" onClick=${again}>${t("replay.again")}</button></div>`}
      ${problem && html`<${Refusal} problem=${problem} onClose=${() => setProblem(null)} />`}
      ${summary?.ended && html`<${AnalysisPanel} game=${game} round=${round} seqs=${actions.map((each) => each.seq)} step=${step} go=${go} open=${Boolean(asked.analysis)} />`}
    </section>
  </main>`;
}
