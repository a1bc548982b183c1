/**
 * What the AI would do. The service computes it from what this seat sees. If it gives no hint, the decision's own
 * example is chosen, and the page says that it is merely legal. The answer stays below the buttons, on phones and large
 * screens alike.
 *
 * @typedef {import("../types").Hint} Hint
 * @typedef {import("../types").Decision} Decision
 * @typedef {import("../types").View} View
 */
import { html, useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { Cards } from "../cards/card.js";
import { Reason } from "../ui/reason.js";
import { Icon } from "../ui/icon.js";
import { nameIn } from "../people/aiplayer.js";
import { named, t } from "../texts/texts.js";

/**
 * How long the service may work on a hint before it answers that it is still working, s: less than the limit for an
 * answer to begin.
 */
const WAIT_S = 3;
/** The key that asks for a hint while the focus is on the hand or the buttons: far fewer presses than Tab takes. */
const KEY = "h";
/** How often a slow hint is asked for. */
const TRIES = 5;

/**
 * Ask the service; null: it did not answer.
 * @param {string} table
 * @param {string} decision
 * @param {AbortSignal} signal
 * @returns {Promise<Hint | null>}
 */
async function hintFor(table, decision, signal) {
  try {
    for (let tries = 0; tries < TRIES; tries++) {
      const hint = /** @type {Hint} */ (
        await call("POST", `/tables/${table}/hint?wait=${WAIT_S}`, { decision_id: decision }, { signal, once: true })
      );
      if (hint.status === "ready") return hint;
    }
  } catch {
    // Refused, or no connection: the caller reports it.
  }
  return null;
}

/** Whether the service gives hints at this table now (the setting `hints`). @param {View} view */
export function givesHints({ settings, practice, seats }) {
  const wanted = settings.hints ?? "unrated";
  const players = seats.filter((seat) => seat.occupant?.player).length;
  return wanted === "on" || (wanted === "unrated" && (practice !== null || players < 2));
}

/**
 * Ask while the decision is open: once it is answered, no hint is needed.
 * @param {import("../live/session.js").Session} session
 * @param {Decision} decision
 * @param {(signal: AbortSignal) => Promise<Hint | null>} ask
 */
async function whileOpen(session, decision, ask) {
  const over = new AbortController();
  const leave = session.subscribe(() => {
    if (session.state.sending || session.state.view?.decision?.id !== decision.id) over.abort();
  });
  try {
    return await ask(AbortSignal.any([over.signal, session.closing.signal]));
  } finally {
    leave();
  }
}

/** @typedef {{ about: string, hint?: Hint | "off" | "failed" }} Asked `hint` is missing while it is being computed */

/**
 * What a suggestion is about: during declaring, a new one is needed once somebody has declared.
 * @param {View | null} view
 */
const aboutNow = (view) => `${view?.decision?.id} ${view?.round?.declarations?.length}`;

/**
 * A button that asks, and the line with the answer. `example` is chosen if there is no hint.
 * @param {{
 *   session: import("../live/session.js").Session,
 *   decision: Decision,
 *   example?: string[],
 *   choose?: (cards: readonly string[]) => void,
 * }} props
 */
export function useSuggestion({ session, decision, example, choose }) {
  const [asked, set] = useState(/** @type {Asked | null} */ (null));
  const mine = asked?.about === aboutNow(session.state.view) ? asked : null;
  const ask = async () => {
    const { view } = session.state;
    const about = aboutNow(view);
    set({ about });
    const hint =
      view && givesHints(view)
        ? ((await whileOpen(session, decision, (signal) => hintFor(session.table, decision.id, signal))) ?? "failed")
        : "off";
    if (session.state.sending || aboutNow(session.state.view) !== about)
      return set((now) => (now?.about === about ? null : now));
    set({ about, hint });
    const cards = typeof hint === "string" ? example : hint.action?.cards;
    if (cards) choose?.(cards);
  };
  const busy = mine !== null && !mine.hint;
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    const press = (/** @type {KeyboardEvent} */ event) => {
      const isHere = event.target instanceof Element && event.target.closest(".hand, .panel");
      if (isHere && event.key.toLowerCase() === KEY && !event.ctrlKey && !event.metaKey && !event.altKey)
        latest.current();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  const { view: now } = session.state;
  const isHint = now !== null && givesHints(now);
  // Without hints, there is still an example of what is legal, unless the buttons beside it are all that is.
  const button =
    (isHint || example) &&
    html`
      <button
        type="button"
        class="suggest"
        aria-disabled=${busy ? "true" : undefined}
        aria-keyshortcuts=${KEY}
        title=${KEY.toUpperCase()}
        onClick=${() => void (busy || ask())}
      >
        ${
          isHint &&
          html`
            <${Icon} name="bulb" />
          `
        }
        ${t(busy ? "suggest.busy" : isHint ? "suggest" : "suggest.example")}
      </button>
    `;
  const line =
    mine?.hint &&
    html`
      <div class="reason" role="status">${answerOf(mine.hint, now, example)}</div>
    `;
  return { button, line };
}

/**
 * The answer in words.
 * @param {Hint | "off" | "failed"} hint
 * @param {View | null} view
 * @param {string[]} [example]
 */
function answerOf(hint, view, example) {
  if (typeof hint === "string")
    return [t(`suggest.${hint}`), example && t("suggest.legal")].filter(Boolean).join(t("gap"));
  return html`
    ${what(hint)}
    <${Reason} reason=${hint.reason} nameOf=${nameIn(view)} />
  `;
}

/** What is suggested, if the hand does not show it. @param {Hint} hint */
function what({ action }) {
  if (!action || action.type === "play" || action.type === "discard") return null;
  if (action.cards)
    return html`
      <b><${Cards} cards=${action.cards} size="tiny" /></b>
      ${" "}
    `;
  if (action.calls)
    return html`
      <b>
        ${action.calls.map(
          (each) => html`
            <${Cards} cards=${[each.card]} size="tiny" />
          `,
        )}
      </b>
      ${" "}
    `;
  return html`
    <b>${action.road ? named("road", action.road) : named("action", action.type)}</b>
    ${" · "}
  `;
}
