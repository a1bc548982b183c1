/**
 * What the AI would do. The service works it out from what this seat sees; where it gives no hints, the decision's own
 * example is suggested. The reason stays below the buttons, where a phone shows it as well as a large screen.
 *
 * @typedef {import("../types").Hint} Hint
 * @typedef {import("../types").Decision} Decision
 * @typedef {import("../types").View} View
 */
import { html, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { withSigns } from "../game/cards.js";
import { Cards } from "../parts/card.js";
import { Icon } from "../parts/icon.js";
import { named, t } from "../texts/texts.js";

/** How often a hint is asked for that takes its time. */
const TRIES = 3;

/**
 * Ask the service; null: it gives none.
 * @param {string} table
 * @param {string} decision
 * @param {AbortSignal} signal
 * @returns {Promise<Hint | null>}
 */
async function hintFor(table, decision, signal) {
  try {
    for (let tries = 0; tries < TRIES; tries++) {
      const hint = /** @type {Hint} */ (await call("POST", `/tables/${table}/hint`, { decision_id: decision }, { signal, once: true }));
      if (hint.status === "ready") return hint;
    }
  } catch {
    // Refused, or no answer: the caller has a suggestion of its own.
  }
  return null;
}

/** Whether the service gives hints at this table now (the setting `hints`). @param {View} view */
function givesHints({ settings, practice, seats }) {
  const wanted = settings.hints ?? "unrated";
  const players = seats.filter((seat) => seat.occupant?.player).length;
  return wanted === "on" || (wanted === "unrated" && (practice !== null || players < 2));
}

/**
 * Ask as long as the decision is open: whoever answers it meanwhile needs no hint any more.
 * @param {import("../table/session.js").Session} session
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

/** @typedef {{ decision: string, hint: Hint | null, busy: boolean }} Asked */

/**
 * A button that asks, and the line with the answer. `fallback` is suggested where the service gives no hints.
 * @param {{ session: import("../table/session.js").Session, decision: Decision, fallback?: { cards: string[], why: string }, choose?: (cards: readonly string[]) => void }} props
 */
export function useSuggestion({ session, decision, fallback, choose }) {
  const [asked, set] = useState(/** @type {Asked | null} */ (null));
  const mine = asked?.decision === decision.id ? asked : null;
  const ask = async () => {
    const { view } = session.state;
    set({ decision: decision.id, hint: null, busy: true });
    const hint = view && givesHints(view) ? await whileOpen(session, decision, (signal) => hintFor(session.table, decision.id, signal)) : null;
    if (session.state.sending || session.state.view?.decision?.id !== decision.id) return set(null);
    set({ decision: decision.id, hint, busy: false });
    const cards = hint ? hint.action?.cards : fallback?.cards;
    if (cards) choose?.(cards);
  };
  const button = html`<button type="button" class="suggest" disabled=${mine?.busy ?? false} onClick=${ask}>
    <${Icon} name="bulb" />${t(mine?.busy ? "suggest.busy" : "suggest")}
  </button>`;
  const line = mine && !mine.busy && html`<p class="reason" role="status">${mine.hint ? html`${what(mine.hint)}${withSigns(mine.hint.reason?.text ?? "")}` : (fallback?.why ?? t("suggest.none"))}</p>`;
  return { button, line };
}

/** What is suggested, where the hand does not show it. @param {Hint} hint */
function what({ action }) {
  if (!action || action.type === "play" || action.type === "discard") return null;
  if (action.cards) return html`<b><${Cards} cards=${action.cards} size="tiny" /></b> `;
  if (action.calls) return html`<b>${action.calls.map((each) => html`<${Cards} cards=${[each.card]} size="tiny" />`)}</b> `;
  return html`<b>${action.road ? named("road", action.road) : named("action", action.type)}</b> · `;
}
