/** A finished round, step by step, from any seat. The address contains the position, so that it can be shared. */
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../../vendor/preact-htm.js";
import { Refused, call } from "../api/client.js";
import { SendDeal } from "../games/senddeal.js";
import { dealAgain } from "../games/setup.js";
import { withNames } from "../people/aiplayer.js";
import { copied } from "../ui/copy.js";
import { useAccount, useAttempt, useLoaded, useOnline } from "../ui/hooks.js";
import { useRules } from "../games/hooks.js";
import { Icon } from "../ui/icon.js";
import { PersonDialog } from "../people/persondialog.js";
import { PageBar } from "../ui/pagebar.js";
import { Refusal } from "../ui/refusal.js";
import { SignIn } from "../account/signin.js";
import { TopBar } from "../round/topbar.js";
import { stepsOf } from "../table/replay.js";
import { sharedLink } from "../texts/links.js";
import { named, t } from "../texts/texts.js";
import { worth } from "../games/rules.js";
import { Curve } from "./curve.js";
import { AnalysisPanel, mistakesOf, useAnalysis } from "./analysis.js";
import { Game } from "../round/game.js";
import { Check, Select } from "../ui/fields.js";
import { hasPlayedIn, ObjectionPanel } from "./objection.js";

const STEP_MS = 1200;

/**
 * The address of a position; with the code of the round, everybody can open it.
 * @param {string} game
 * @param {number} round
 * @param {number} step
 * @param {string} seat
 * @param {boolean} open whether all hands are open
 * @param {string} [code]
 * @param {string} [of] the board of an event that is shown
 */
const addressOf = (game, round, step, seat, open, code, of) =>
  `#/replay/${game}/${round}?at=${step}${seat ? `&seat=${seat}` : ""}${open ? "&hands=open" : ""}${code ? `&code=${code}` : ""}${of ? `&shown=${of}` : ""}`;

/** The way to a board that is shown, from `<event>.<board>.<match>.<room>`. @param {string} of */
function shownPath(of) {
  const [event, board, match, room] = of.split(".").map(encodeURIComponent);
  return `/team-events/${event}/showing/boards/${board}/matches/${match}?room=${room}`;
}

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
 * @typedef {object} ShareProps
 * @property {string} game
 * @property {number} round
 * @property {number} step
 * @property {string} seat
 * @property {boolean} open
 * @property {string} [code]
 */

/** A link to this position, for everybody. @param {ShareProps} props */
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
      const address = sharedLink("replay", addressOf(game, round, step, seat, open, known));
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
    <${Refusal} problem=${problem} />
  `;
}

/**
 * @typedef {import("../types").View} View
 * @typedef {import("../types").SharedRound} SharedRound
 * @typedef {import("../types").GameSummary} GameSummary
 * @typedef {object} ReplayProps
 * @property {string} game
 * @property {number} round
 * @property {Record<string, string>} asked
 */

/**
 * What is shown of a round.
 * @typedef {{ seat: string, open: boolean, at: number, seq?: number }} Shown `seat`: whose view, "": nobody's; `open`:
 *   all hands; `at`: the step; `seq`: the event of the step instead, until another one is chosen
 */

/** @param {Record<string, string>} asked @returns {Shown} */
function shownIn(asked) {
  const { seat, hands, at, seq } = asked;
  return { seat: seatIn(seat), open: hands === "open", at: Number(at ?? 0), seq: seq ? Number(seq) : undefined };
}

/**
 * What is shown, at first and after each change of the address.
 * @param {Record<string, string>} asked
 * @returns {[Shown, (changes: Partial<Shown>) => void]}
 */
function useShown(asked) {
  const [shown, setShown] = useState(() => shownIn(asked));
  useEffect(() => setShown(shownIn(asked)), [asked]);
  return [shown, (changes) => setShown((before) => ({ ...before, ...changes }))];
}

/**
 * The round as one seat saw it, until the view of another seat has arrived.
 * @param {ReplayProps} props
 * @param {Shown} shown
 */
function useRound({ game, round, asked: { code, shown: of } }, { seat, open }) {
  const { token } = useAccount();
  const asSeen = open ? "&hands=open" : seat ? `&seat=${seat}` : "";
  return useLoaded(async () => {
    if (code)
      return /** @type {SharedRound} */ (
        await call("GET", `/shared-rounds/${game}/${round}?code=${encodeURIComponent(code)}${asSeen}`)
      );
    if (of) return /** @type {SharedRound} */ (await call("GET", shownPath(of) + asSeen));
    const path = `/games/${game}/rounds/${round}`;
    const [record, events] = await Promise.all([
      call("GET", path),
      call("GET", `${path}/events${asSeen.replace("&", "?")}`),
    ]);
    return /** @type {SharedRound} */ ({ ...events, record });
  }, [game, round, asSeen, code, of, token]);
}

/**
 * The running of a replay, one step after the other.
 * @param {number} step
 * @param {number} last the last step
 * @param {(step: number) => void} go
 */
function useRunning(step, last, go) {
  const [running, setRunning] = useState(false);
  useEffect(() => {
    if (!running) return;
    if (step >= last) return setRunning(false);
    const timer = setTimeout(() => go(step + 1), STEP_MS);
    return () => clearTimeout(timer);
  }, [running, step, last]);
  return { running, toggle: () => setRunning(!running) };
}

/** @param {ReplayProps} props */
function ReplayScreen(props) {
  const online = useOnline();
  const [shown, show] = useShown(props.asked);
  const { value, error } = useRound(props, shown);
  const { game, round, asked } = props;
  const last = (value?.record.actions.length ?? 1) - 1;
  const named = shown.seq ? (value?.record.actions.findIndex(({ seq }) => seq === shown.seq) ?? -1) : -1;
  const step = named >= 0 ? named : Math.min(shown.at, Math.max(0, last));
  // Without delay: later, it might replace an address that has been opened meanwhile.
  useLayoutEffect(
    () => history.replaceState(null, "", addressOf(game, round, step, shown.seat, shown.open, asked.code, asked.shown)),
    [step, shown.seat, shown.open],
  );
  if (value?.record.actions.length)
    return html`
      <${Replay} ...${props} value=${value} shown=${shown} step=${step} show=${show} />
    `;
  if (error)
    return html`
      <${Closed} problem=${error.problem} code=${asked.code} />
    `;
  return html`
    <main class="page"><p class="loading" role="status">${t(online ? "loading" : "offline.here")}</p></main>
  `;
}

/**
 * @typedef {object} StepProps
 * @property {SharedRound} value the round
 * @property {Shown} shown
 * @property {number} step
 * @property {(changes: Partial<Shown>) => void} show
 */

/**
 * The analysis of the round, and the mistakes of the seat that is shown.
 * @param {ReplayProps & StepProps} props
 * @param {View} view
 */
function useMistakes({ game, round, value, shown: { seat } }, { ruleset }) {
  const review = useAnalysis(game, round);
  const { actions } = value.record;
  const mistakes = useMemo(
    () => mistakesOf(review.analysis, actions, seat ? Number(seat) : null, ruleset !== "arms_length"),
    [review.analysis, actions, seat, ruleset],
  );
  return { review, mistakes };
}

/** A round that is there. @param {ReplayProps & StepProps} props */
function Replay(props) {
  const { game, round, asked, value, shown, step, show } = props;
  const online = useOnline();
  const { actions } = value.record;
  const last = actions.length - 1;
  const steps = useMemo(() => stepsOf(value, actions), [value]);
  const { failed, view: known } = steps[step];
  const view = withNames(known);
  const rules = useRules(view);
  const { value: summary } = useLoaded(
    async () =>
      asked.code || asked.shown ? undefined : /** @type {GameSummary} */ (await call("GET", `/games/${game}`)),
    [game, asked.code, asked.shown],
  );
  const { review, mistakes } = useMistakes(props, view);
  const go = (/** @type {number} */ to) => show({ at: Math.min(last, Math.max(0, to)), seq: undefined });
  useArrows((key) => go({ ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: last }[key]));
  return html`
    <main class="table playing replay">
      <${TopBar} view=${view} rules=${rules} table=${summary?.status === "playing" ? view.id : undefined} />
      ${
        !online &&
        html`
          <p class="offline" role="status">${t("offline.here")}</p>
        `
      }
      <${Game} view=${view} rules=${rules} failed=${failed} seat=${Number(shown.seat || 0)} />
      <section class="panel" aria-label=${t("replay")}>
        <${Position}
          view=${view}
          rules=${rules}
          actions=${actions}
          steps=${steps}
          mistakes=${mistakes}
          step=${step}
          go=${go}
        />
        <${Views} view=${view} shown=${shown} show=${show} />
        ${
          summary &&
          (summary.ended || isAlone(summary)) &&
          html`
            <${AnalysisPanel}
              review=${review}
              mistakes=${mistakes}
              mine=${shown.seat !== ""}
              actions=${actions}
              steps=${steps}
              step=${step}
              go=${go}
              open=${Boolean(asked.analysis)}
            />
          `
        }
        <${Rounds} game=${game} round=${round} seat=${shown.seat} summary=${summary} />
        <${Actions} ...${props} view=${view} failed=${Boolean(failed)} summary=${summary} />
      </section>
    </main>
  `;
}

/**
 * @typedef {object} PositionProps
 * @property {View} view
 * @property {import("../games/rules.js").TableRules | undefined} rules
 * @property {SharedRound["record"]["actions"]} actions
 * @property {ReturnType<typeof stepsOf>} steps
 * @property {ReturnType<typeof mistakesOf>} mistakes
 * @property {number} step
 * @property {(step: number) => void} go
 */

/** Where in the round the replay is, and ways to another place. @param {PositionProps} props */
function Position({ view, rules, actions, steps, mistakes, step, go }) {
  const last = actions.length - 1;
  const points = useMemo(() => steps.map((each) => each.view.round?.attackers_points ?? null), [steps]);
  const { running, toggle } = useRunning(step, last, go);
  const { seat, type } = actions[step];
  /** @type {[label: string, icon: string, press: () => void, off: boolean][]} */
  const buttons = [
    [t("replay.first"), "first", () => go(0), step === 0],
    [t("replay.back"), "back", () => go(step - 1), step === 0],
    [t(running ? "replay.pause" : "replay.play"), running ? "pause" : "play", toggle, step >= last],
    [t("replay.next"), "next", () => go(step + 1), step >= last],
  ];
  return html`
    <p class="ask">
      ${t("replay.step", { step: step + 1, of: actions.length })}${" · "}${view.seats[seat].occupant?.name ?? ""}${t("colon")}${named("action", type)}
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
      max=${last}
      value=${step}
      onInput=${(/** @type {any} */ event) => go(Number(event.target.value))}
    />
    <div class="buttons">
      ${buttons.map(
        ([label, icon, press, off]) => html`
          <button type="button" class="plain" aria-label=${label} disabled=${off} onClick=${press}>
            <${Icon} name=${icon} />
          </button>
        `,
      )}
    </div>
  `;
}

/** From which seat the round is seen. @param {Pick<StepProps, "shown" | "show"> & { view: View }} props */
function Views({ view, shown, show }) {
  const seats = view.seats.map(({ seat, occupant }) => [
    String(seat),
    occupant?.name ?? t("seat.number", { number: seat + 1 }),
  ]);
  return html`
    <div class="buttons">
      <label class="check">
        ${t("replay.seat")}
        <${Select}
          value=${shown.seat}
          options=${[["", t("replay.nobody")], ...seats]}
          onChange=${(/** @type {string} */ seat) => show({ seat })}
        />
      </label>
      <${Check}
        text=${t("replay.open")}
        checked=${shown.open}
        onChange=${(/** @type {boolean} */ open) => show({ open })}
      />
    </div>
  `;
}

/**
 * @typedef {object} RoundsProps
 * @property {string} game
 * @property {number} round
 * @property {string} seat
 * @property {GameSummary | undefined} summary
 */

/** Links to the rounds before and after. @param {RoundsProps} props */
function Rounds({ game, round, seat, summary }) {
  const rounds = Math.max(0, ...(summary?.results ?? []).map((each) => each.round));
  const seen = seat ? `?seat=${seat}` : "";
  return (
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
  );
}

/**
 * Objects to the play, shares the position, sends the deal, or deals the same cards again.
 * @param {ReplayProps & StepProps & { view: View, failed: boolean, summary: GameSummary | undefined }} props
 */
function Actions({ game, round, asked, value, shown, step, view, failed, summary }) {
  const { token } = useAccount();
  const online = useOnline();
  const [problem, setProblem] = useState(/** @type {import("../types").Problem | null} */ (null));
  const again = async () => {
    try {
      location.hash = `#/table/${await dealAgain(view, value.record, Number(shown.seat || 0))}`;
    } catch (refused) {
      if (!(refused instanceof Refused)) throw refused;
      setProblem(refused.problem);
    }
  };
  return html`
    ${
      online &&
      summary &&
      hasPlayedIn(summary) &&
      html`
        <${ObjectionPanel} game=${game} round=${round} taken=${value.record.actions[step]} failed=${failed} />
      `
    }
    ${
      token &&
      online &&
      html`
        <div class="buttons">
          <${Share} game=${game} round=${round} step=${step} seat=${shown.seat} open=${shown.open} code=${asked.code} />
          <button type="button" class="again" onClick=${again}>${t("replay.again")}</button>
          ${
            summary &&
            hasPlayedIn(summary) &&
            html`
              <${SendDeal} key=${`${game} ${round}`} game=${game} round=${round} />
            `
          }
        </div>
      `
    }
    <${Refusal} problem=${problem} onClose=${() => setProblem(null)} />
  `;
}

export { PersonDialog, ReplayScreen };
