/** A finished round, step by step, from any seat. The address names the position, so that it can be shown to others. */
import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { rulesetOf } from "../game/rules.js";
import { useLoaded, useOnline } from "../parts/hooks.js";
import { Icon } from "../parts/icon.js";
import { Refusal } from "../parts/refusal.js";
import { TopBar } from "../parts/topbar.js";
import { named, t } from "../texts/texts.js";
import { AnalysisPanel } from "./analysis.js";
import { Game } from "./game.js";

const STEP_MS = 1200;

/** @param {{ game: string, round: number, asked: Record<string, string> }} props */
export function ReplayScreen({ game, round, asked }) {
  const [seat, setSeat] = useState(asked.seat ?? "");
  const [at, setAt] = useState(Number(asked.at ?? 0));
  const [running, setRunning] = useState(false);
  const { value: record, error } = useLoaded(
    async () => /** @type {import("../types").RecordedRound} */ (await call("GET", `/games/${game}/rounds/${round}`)),
    [game, round],
  );
  const actions = record?.actions ?? [];
  const step = Math.min(at, Math.max(0, actions.length - 1));
  const seq = actions[step]?.seq;
  const online = useOnline();
  /** What is shown: a state, and which step it belongs to; the one before, until the next has arrived. */
  const { value: shown } = useLoaded(
    async () => (seq ? { seq, view: /** @type {import("../types").View} */ (await call("GET", `/games/${game}/rounds/${round}/states/${seq}${seat ? `?seat=${seat}` : ""}`)) } : null),
    [game, round, seq, seat],
  );
  const view = shown?.view;
  const { value: rules } = useLoaded(async () => (view ? rulesetOf(view.ruleset) : undefined), [view?.ruleset]);
  const { value: rounds = 0 } = useLoaded(
    async () => Math.max(0, .../** @type {import("../types").GameSummary} */ (await call("GET", `/games/${game}`)).results.map((each) => each.round)),
    [game],
  );
  const seen = seat ? `?seat=${seat}` : "";
  useEffect(() => history.replaceState(null, "", `#/replay/${game}/${round}?at=${step}${seat ? `&seat=${seat}` : ""}`), [step, seat]);
  useEffect(() => {
    if (!running) return;
    if (step >= actions.length - 1) return setRunning(false);
    const timer = setTimeout(() => setAt(step + 1), STEP_MS);
    return () => clearTimeout(timer);
  }, [running, step, view]);

  if (error) return html`<main class="page">${error.problem ? html`<${Refusal} problem=${error.problem} />` : html`<p role="alert">${t("offline")}</p>`}<p><a href="#/">${t("home")}</a></p></main>`;
  if (!shown || !view) return html`<main class="page"><p class="loading" role="status">${t(online ? "loading" : "offline.here")}</p></main>`;
  const lies = Math.max(0, actions.findIndex((each) => each.seq === shown.seq));
  const action = actions[lies];
  const go = (/** @type {number} */ to) => setAt(Math.min(actions.length - 1, Math.max(0, to)));
  const button = (/** @type {string} */ label, /** @type {string} */ icon, /** @type {() => void} */ press, /** @type {boolean} */ off) =>
    html`<button type="button" class="plain" aria-label=${label} disabled=${off} onClick=${press}><${Icon} name=${icon} /></button>`;
  return html`<main class="table playing replay">
    <${TopBar} view=${view} rules=${rules} />
    ${!online && html`<p class="offline" role="status">${t("offline.here")}</p>`}
    <${Game} view=${view} rules=${rules} />
    <section class="panel" aria-label=${t("replay")}>
      <p class="ask">${t("replay.step", { step: lies + 1, of: actions.length })} · ${view.seats[action.seat].occupant?.name ?? ""}: ${named("action", action.type)}</p>
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
      <${AnalysisPanel} game=${game} round=${round} seqs=${actions.map((each) => each.seq)} step=${step} go=${go} />
    </section>
  </main>`;
}
