/** Calling friends: as many cards as the table asks for, each with the copy that counts. */
import { html, useState } from "../../vendor/preact-htm.js";
import { SUITS } from "../game/cards.js";
import { optionsOf } from "../game/rules.js";
import { Face, Suit } from "../parts/card.js";
import { ordinal, spoken, t } from "../texts/texts.js";

/** @typedef {{ card: string, ordinal?: number, other?: boolean }} Call */

const RANKS = "AKQJT98765432";

/** @param {import("./panel.js").PanelProps} props */
export function CallPanel({ session, view, decision, rules }) {
  const [calls, set] = useState(() => /** @type {Call[]} */ (/** @type {import("../types").DecisionOf<"call">} */ (decision).hints?.example ?? []));
  const [open, setOpen] = useState(0);
  const copies = rules?.games[view.players]?.composition.decks ?? 2;
  const options = optionsOf(rules, view);
  const change = (/** @type {number} */ at, /** @type {Partial<Call>} */ changes) =>
    set(calls.map((call, each) => (each === at ? { ...call, ...changes } : call)));
  const call = calls[open];
  /** @type {Partial<Call>[]} */
  const choices = [...Array.from({ length: copies }, (_, at) => ({ ordinal: at + 1 })), ...(options.call_other_copy ? [{ other: true }] : [])];
  if (!call) return null;
  return html`<p class="ask">${t("call.ask", { count: calls.length })}</p>
    <div class="calls">
      ${calls.map(
        (each, at) => html`<button type="button" class="set" aria-pressed=${at === open ? "true" : "false"} onClick=${() => setOpen(at)}>
          <span class="cards tiny"><span class="card"><${Face} card=${each.card} /></span></span>
          <span>${callText(each)}</span>
        </button>`,
      )}
    </div>
    <div class="choices" role="radiogroup" onKeyDown=${byArrows} aria-label=${t("call.suit")}>
      ${SUITS.map(
        (suit) => html`<button type="button" role="radio" aria-checked=${call.card[1] === suit ? "true" : "false"} aria-label=${spoken(`A${suit}`).replace(/^\S+ /, "")}
          disabled=${suit === view.round?.trump?.suit && options.call_cards !== "any"} onClick=${() => change(open, { card: call.card[0] + suit })}><${Suit} suit=${suit} /></button>`,
      )}
    </div>
    <div class="choices ranks" role="radiogroup" onKeyDown=${byArrows} aria-label=${t("call.rank")}>
      ${[...RANKS].map(
        (rank) => html`<button type="button" role="radio" aria-checked=${call.card[0] === rank ? "true" : "false"}
          disabled=${rank === view.round?.trump?.rank && options.call_cards !== "any"} onClick=${() => change(open, { card: rank + call.card[1] })}>${rank === "T" ? "10" : rank}</button>`,
      )}
    </div>
    <div class="choices" role="radiogroup" onKeyDown=${byArrows} aria-label=${t("call.copy")}>
      ${choices.map(
        (choice) => html`<button type="button" role="radio" aria-checked=${call.ordinal === choice.ordinal ? "true" : "false"}
          onClick=${() => change(open, { ordinal: undefined, other: undefined, ...choice })}>${choice.other ? t("call.other") : ordinal(choice.ordinal ?? 1)}</button>`,
      )}
    </div>
    <div class="buttons"><button type="button" class="main" onClick=${() => session.act("call", { calls })}>${t("call.button", { count: calls.length })}</button></div>`;
}

/** In a group of radio buttons, arrows choose the next or the one before. @param {KeyboardEvent} event */
function byArrows(event) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const group = /** @type {HTMLElement} */ (event.currentTarget);
  const all = /** @type {HTMLButtonElement[]} */ ([...group.querySelectorAll("[role=radio]:not(:disabled)")]);
  const at = all.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
  if (!step || at < 0) return;
  event.preventDefault();
  const next = all[(at + step + all.length) % all.length];
  next.focus();
  next.click();
}

/** Which copy a call is for. @param {Call} call */
export const callText = (call) => (call.other ? t("call.other") : ordinal(call.ordinal ?? 1));
