/** A finished round, step by step, from any seat. The address names the position, so that it can be shown to others. */
import { html, useEffect, useLayoutEffect, useMemo, useState } from "../../vendor/preact-htm.js";
import { Refused, call } from "../api/client.js";
import { dealAgain } from "../game/setup.js";
import { copied } from "../parts/copy.js";
import { useAccount, useAttempt, useLoaded, useOnline, useRules } from "../parts/hooks.js";
import { Icon } from "../parts/icon.js";
import { PageBar } from "../parts/pagebar.js";
import { Refusal } from "../parts/refusal.js";
import { SignIn } from "../parts/signin.js";
import { TopBar } from "../parts/topbar.js";
import { stepsOf } from "../table/replay.js";
import { named, t } from "../texts/texts.js";
import { AnalysisPanel } from "./analysis.js";
import { Game } from "./game.js";

const STEP_MS = 1200;

/**
 * The address of a position; with the code of the round, for everybody.
 * @param {string} game
 * @param {number} round
 * @param {number} step
 * @param {string} seat
 * @param {string} [code]
 */
const addressOf = (game, round, step, seat, code) => `#/replay/${game}/${round}?at=${step}${seat ? `&seat=${seat}` : ""}${code ? `&code=${code}` : ""}`;

/** Why a round is not shown, and what can be done. @param {{ problem?: import("../types").Problem, code?: string }} props `problem`: none without a connection */
function Closed({ problem, code }) {
  const { token } = useAccount();
  return html`<main class="page">
    <${PageBar} title=${t("replay")} />
    <p role="alert">${t(!problem ? "offline" : code ? "share.over" : "share.missing")}</p>
    ${problem && !code && !token && html`<p>${t("share.sign_in")}</p><${SignIn} />`}
    <p><a class="button" href="#/">${t("home")}</a></p>
  </main>`;
}

/** A link to this position, for everybody. @param {{ game: string, round: number, step: number, seat: string, code?: string }} props */
function Share({ game, round, step, seat, code }) {
  const [link, setLink] = useState("");
  const { attempt, busy, problem } = useAttempt();
  const share = () =>
    attempt(async () => {
      const known = code ?? (await call("POST", `/games/${game}/rounds/${round}/share`, undefined, { once: true })).code;
      const address = `${location.href.split("#")[0]}${addressOf(game, round, step, seat, known)}`;
      setLink(address);
      if (navigator.share) await navigator.share({ url: address, title: t("share.title") }).catch(() => {}); // the link is there all the same
      else await copied(address, null);
    });
  return html`<button type="button" class="share" disabled=${busy} onClick=${share}><${Icon} name="share" />${t("share")}</button>
    ${link && html`<label class="shared">${t("share.link")}<input readonly value=${link} onFocus=${(/** @type {any} */ event) => event.target.select()} /></label>`}
    ${problem && html`<${Refusal} problem=${problem} />`}`;
}

/** @param {{ game: string, round: number, asked: Record<string, string> }} props */
export function ReplayScreen({ game, round, asked }) {
  const [seat, setSeat] = useState(asked.seat ?? "");
  const [at, setAt] = useState(Number(asked.at ?? 0));
  const [running, setRunning] = useState(false);
  const [problem, setProblem] = useState(/** @type {import("../types").Problem | null} */ (null));
  const { token } = useAccount();
  const online = useOnline();
  const seen = seat ? `?seat=${seat}` : "";
  const { code } = asked;
  /** What is shown: the round as one seat saw it, until that of another has arrived. */
  const { value: shown, error } = useLoaded(async () => {
    if (code) return /** @type {import("../types").SharedRound} */ (await call("GET", `/shared-rounds/${game}/${round}?code=${encodeURIComponent(code)}${seat ? `&seat=${seat}` : ""}`));
    const path = `/games/${game}/rounds/${round}`;
    const [record, events] = await Promise.all([call("GET", path), call("GET", `${path}/events${seen}`)]);
    return /** @type {import("../types").SharedRound} */ ({ ...events, record });
  }, [game, round, seat, code, token]);
  const { record } = shown ?? {};
  const actions = record?.actions ?? [];
  const steps = useMemo(() => (shown ? stepsOf(shown, shown.record.actions) : []), [shown]);
  const step = Math.min(at, Math.max(0, actions.length - 1));
  const { view, failed } = steps[step] ?? {};
  const rules = useRules(view);
  const { value: summary } = useLoaded(async () => (code ? undefined : /** @type {import("../types").GameSummary} */ (await call("GET", `/games/${game}`))), [game, code]);
  const rounds = Math.max(0, ...(summary?.results ?? []).map((each) => each.round));
  useEffect(() => {
    setSeat(asked.seat ?? "");
    setAt(Number(asked.at ?? 0));
  }, [asked]);
  // At once: later, it might take the place of an address that has been opened meanwhile.
  useLayoutEffect(() => history.replaceState(null, "", addressOf(game, round, step, seat, code)), [step, seat]);
  useEffect(() => {
    if (!running) return;
    if (step >= actions.length - 1) return setRunning(false);
    const timer = setTimeout(() => setAt(step + 1), STEP_MS);
    return () => clearTimeout(timer);
  }, [running, step, actions.length]);

  if (error && !view) return html`<${Closed} problem=${error.problem} code=${code} />`;
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
      ${token && online && html`<div class="buttons">
        <${Share} game=${game} round=${round} step=${step} seat=${seat} code=${code} />
        <button type="button" class="again" onClick=${again}>${t("replay.again")}</button>
      </div>`}
      ${problem && html`<${Refusal} problem=${problem} onClose=${() => setProblem(null)} />`}
      ${summary?.ended && html`<${AnalysisPanel} game=${game} round=${round} seqs=${actions.map((each) => each.seq)} step=${step} go=${go} open=${Boolean(asked.analysis)} />`}
    </section>
  </main>`;
}
