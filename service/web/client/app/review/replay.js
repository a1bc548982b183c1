/** A finished round, step by step, from any seat. The address contains the position, so that it can be shared. */
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../../vendor/preact-htm.js";
import { Refused, call } from "../api/client.js";
import { sharedPage } from "../api/service.js";
import { dealAgain } from "../games/setup.js";
import { withNames } from "../people/aiplayer.js";
import { copied } from "../ui/copy.js";
import { useAccount, useAttempt, useLoaded, useOnline } from "../ui/hooks.js";
import { useRules } from "../games/hooks.js";
import { Icon } from "../ui/icon.js";
import { PageBar } from "../ui/pagebar.js";
import { Refusal } from "../ui/refusal.js";
import { SignIn } from "../account/signin.js";
import { TopBar } from "../round/topbar.js";
import { stepsOf } from "../table/replay.js";
import { named, t } from "../texts/texts.js";
import { worth } from "../games/rules.js";
import { Curve } from "./curve.js";
import { AnalysisPanel, mistakesOf, useAnalysis } from "./analysis.js";
import { Game } from "../round/game.js";

const STEP_MS = 1200;

/**
 * The address of a position; with the code of the round, everybody can open it.
 * @param {string} game
 * @param {number} round
 * @param {number} step
 * @param {string} seat
 * @param {boolean} open whether all hands are open
 * @param {string} [code]
 */
const addressOf = (game, round, step, seat, open, code) =>
  `#/replay/${game}/${round}?at=${step}${seat ? `&seat=${seat}` : ""}${open ? "&hands=open" : ""}${code ? `&code=${code}` : ""}`;

/**
 * Arrow keys step through the round, unless they mean something else where the focus is.
 * @param {(key: "ArrowLeft" | "ArrowRight" | "Home" | "End") => void} press
 */
function useArrows(press) {
  const latest = useRef(press);
  latest.current = press;
  useEffect(() => {
    const pressed = (/** @type {KeyboardEvent} */ event) => {
      const { key, target, altKey, ctrlKey, metaKey } = event;
      if (altKey || ctrlKey || metaKey || /** @type {Element} */ (target).closest?.("input, select, textarea")) return;
      if (key !== "ArrowLeft" && key !== "ArrowRight" && key !== "Home" && key !== "End") return;
      event.preventDefault();
      latest.current(key);
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}

/**
 * Whether the game has only one player besides AI players: then each round may be analysed once it is over.
 * @param {import("../types").GameSummary} summary
 */
const isAlone = ({ seats, changes }) =>
  !changes && seats.filter(({ occupant }) => occupant?.kind !== "ai").length === 1;

/**
 * Why a round is not shown, and what can be done about it.
 * @param {{ problem?: import("../types").Problem, code?: string }} props `problem`: left out if there is no connection
 */
function Closed({ problem, code }) {
  const { token } = useAccount();
  return html`
    <main class="page">
      <${PageBar} title=${t("replay")} />
      <p role="alert">${t(!problem ? "offline" : code ? "share.over" : "share.missing")}</p>
      ${
        problem &&
        !code &&
        !token &&
        html`
          <p>${t("share.sign_in")}</p>
          <${SignIn} />
        `
      }
      <p><a class="button" href="#/">${t("home")}</a></p>
    </main>
  `;
}

/** A seat that an address names; "": none. @param {string} [text] */
const seatIn = (text = "") => (/^\d+$/.test(text) ? text : "");

/**
 * A link to this position, for everybody.
 * @param {{ game: string, round: number, step: number, seat: string, open: boolean, code?: string }} props
 */
function Share({ game, round, step, seat, open, code }) {
  const [link, setLink] = useState("");
  const field = useRef(/** @type {HTMLElement | null} */ (null));
  // The panel scrolls: without this, the answer is below its edge.
  useEffect(() => field.current?.scrollIntoView({ block: "nearest" }), [link]);
  const { attempt, busy, problem } = useAttempt();
  const share = () =>
    attempt(async () => {
      const known =
        code ?? (await call("POST", `/games/${game}/rounds/${round}/share`, undefined, { once: true })).code;
      const address = `${sharedPage}${addressOf(game, round, step, seat, open, known)}`;
      setLink(address);
      if (navigator.share)
        await navigator.share({ url: address, title: t("share.title") }).catch(() => {}); // the link works all the same
      else await copied(address, null);
    });
  return html`
    <button type="button" class="share" disabled=${busy} onClick=${share}>
      <${Icon} name="share" />
      ${t("share")}
    </button>
    ${
      link &&
      html`
        <label class="shared" ref=${field}>
          ${t("share.link")}
          <input readonly value=${link} onFocus=${(/** @type {any} */ event) => event.target.select()} />
        </label>
      `
    }
    ${
      problem &&
      html`
        <${Refusal} problem=${problem} />
      `
    }
  `;
}

/** @param {{ game: string, round: number, asked: Record<string, string> }} props */
export function ReplayScreen({ game, round, asked }) {
  const [seat, setSeat] = useState(seatIn(asked.seat));
  const [open, setOpen] = useState(asked.hands === "open");
  const [at, setAt] = useState(Number(asked.at ?? 0));
  const [running, setRunning] = useState(false);
  const [problem, setProblem] = useState(/** @type {import("../types").Problem | null} */ (null));
  const { token } = useAccount();
  const online = useOnline();
  const seen = seat ? `?seat=${seat}` : "";
  const asSeen = open ? "&hands=open" : seat ? `&seat=${seat}` : "";
  const { code } = asked;
  /** The round as one seat saw it, shown until the view of another seat has arrived. */
  const { value: shown, error } = useLoaded(async () => {
    if (code)
      return /** @type {import("../types").SharedRound} */ (
        await call("GET", `/shared-rounds/${game}/${round}?code=${encodeURIComponent(code)}${asSeen}`)
      );
    const path = `/games/${game}/rounds/${round}`;
    const [record, events] = await Promise.all([
      call("GET", path),
      call("GET", `${path}/events${asSeen.replace("&", "?")}`),
    ]);
    return /** @type {import("../types").SharedRound} */ ({ ...events, record });
  }, [game, round, asSeen, code, token]);
  const { record } = shown ?? {};
  const actions = record?.actions ?? [];
  const steps = useMemo(() => (shown ? stepsOf(shown, shown.record.actions) : []), [shown]);
  const step = Math.min(at, Math.max(0, actions.length - 1));
  const { view: told, failed } = steps[step] ?? {};
  const view = told && withNames(told);
  const rules = useRules(view);
  const { value: summary } = useLoaded(
    async () =>
      code ? undefined : /** @type {import("../types").GameSummary} */ (await call("GET", `/games/${game}`)),
    [game, code],
  );
  const rounds = Math.max(0, ...(summary?.results ?? []).map((each) => each.round));
  useEffect(() => {
    setSeat(seatIn(asked.seat));
    setOpen(asked.hands === "open");
    setAt(Number(asked.at ?? 0));
  }, [asked]);
  // Without delay: later, it might replace an address that has been opened meanwhile.
  useLayoutEffect(
    () => history.replaceState(null, "", addressOf(game, round, step, seat, open, code)),
    [step, seat, open],
  );
  useEffect(() => {
    if (!running) return;
    if (step >= actions.length - 1) return setRunning(false);
    const timer = setTimeout(() => setAt(step + 1), STEP_MS);
    return () => clearTimeout(timer);
  }, [running, step, actions.length]);

  const review = useAnalysis(game, round);
  const mistakes = useMemo(
    () => mistakesOf(review.analysis, actions, seat ? Number(seat) : null, view?.ruleset !== "arms_length"),
    [review.analysis, actions, seat, view?.ruleset],
  );
  const points = useMemo(() => steps.map((each) => each.view.round?.attackers_points ?? null), [steps]);
  const go = (/** @type {number} */ to) => setAt(Math.min(actions.length - 1, Math.max(0, to)));
  useArrows((key) => go({ ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: actions.length - 1 }[key]));

  if (error && !view)
    return html`
      <${Closed} problem=${error.problem} code=${code} />
    `;
  if (!view)
    return html`
      <main class="page"><p class="loading" role="status">${t(online ? "loading" : "offline.here")}</p></main>
    `;
  const action = actions[step];
  const again = async () => {
    if (!record) return;
    try {
      location.hash = `#/table/${await dealAgain(view, record, Number(seat || 0))}`;
    } catch (refused) {
      if (!(refused instanceof Refused)) throw refused;
      setProblem(refused.problem);
    }
  };
  const button = (
    /** @type {string} */ label,
    /** @type {string} */ icon,
    /** @type {() => void} */ press,
    /** @type {boolean} */ off,
  ) => html`
    <button type="button" class="plain" aria-label=${label} disabled=${off} onClick=${press}>
      <${Icon} name=${icon} />
    </button>
  `;
  return html`
    <main class="table playing replay">
      <${TopBar} view=${view} rules=${rules} table=${summary?.status === "playing" ? view.id : undefined} />
      ${
        !online &&
        html`
          <p class="offline" role="status">${t("offline.here")}</p>
        `
      }
      <${Game} view=${view} rules=${rules} failed=${failed} seat=${Number(seat || 0)} />
      <section class="panel" aria-label=${t("replay")}>
        <p class="ask">
          ${t("replay.step", { step: step + 1, of: actions.length })}${" · "}${view.seats[action.seat].occupant?.name ?? ""}${t("colon")}${named("action", action.type)}
        </p>
        ${
          points.every((each) => each !== null) &&
          html`
            <${Curve}
              points=${points}
              marks=${worth(rules, view, 0)?.marks ?? []}
              mistakes=${mistakes.map((each) => each.step)}
              step=${step}
              go=${go}
            />
          `
        }
        <input
          type="range"
          aria-label=${t("replay.position")}
          min="0"
          max=${actions.length - 1}
          value=${step}
          onInput=${(/** @type {any} */ event) => go(Number(event.target.value))}
        />
        <div class="buttons">
          ${button(t("replay.first"), "first", () => go(0), step === 0)}
          ${button(t("replay.back"), "back", () => go(step - 1), step === 0)}
          ${button(t(running ? "replay.pause" : "replay.play"), running ? "pause" : "play", () => setRunning(!running), step >= actions.length - 1)}
          ${button(t("replay.next"), "next", () => go(step + 1), step >= actions.length - 1)}
        </div>
        <div class="buttons">
          <label class="check">
            ${t("replay.seat")}
            <select value=${seat} onChange=${(/** @type {any} */ event) => setSeat(event.target.value)}>
              <option value="">${t("replay.nobody")}</option>
              ${view.seats.map(
                (each) => html`
                  <option value=${String(each.seat)}>
                    ${each.occupant?.name ?? t("seat.number", { number: each.seat + 1 })}
                  </option>
                `,
              )}
            </select>
          </label>
          <label class="check">
            <input
              type="checkbox"
              checked=${open}
              onChange=${(/** @type {any} */ event) => setOpen(event.target.checked)}
            />
            ${t("replay.open")}
          </label>
        </div>
        ${
          summary &&
          (summary.ended || isAlone(summary)) &&
          html`
            <${AnalysisPanel}
              review=${review}
              mistakes=${mistakes}
              mine=${seat !== ""}
              actions=${actions}
              steps=${steps}
              step=${step}
              go=${go}
              open=${Boolean(asked.analysis)}
            />
          `
        }
        ${
          rounds > 1 &&
          html`
            <div class="buttons">
              ${
                round > 1 &&
                html`
                  <a class="button" href=${`#/replay/${game}/${round - 1}${seen}`}>${t("replay.before")}</a>
                `
              }
              ${
                round < rounds &&
                html`
                  <a class="button" href=${`#/replay/${game}/${round + 1}${seen}`}>${t("replay.after")}</a>
                `
              }
            </div>
          `
        }
        ${
          token &&
          online &&
          html`
            <div class="buttons">
              <${Share} game=${game} round=${round} step=${step} seat=${seat} open=${open} code=${code} />
              <button type="button" class="again" onClick=${again}>${t("replay.again")}</button>
            </div>
          `
        }
        ${
          problem &&
          html`
            <${Refusal} problem=${problem} onClose=${() => setProblem(null)} />
          `
        }
      </section>
    </main>
  `;
}
