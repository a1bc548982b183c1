/** Calling friends: as many cards as the game needs, each with the copy that counts. */
import { html, useState } from "../../vendor/preact-htm.js";
import { shownRank, SUITS } from "../cards/cards.js";
import { Face, Suit } from "../cards/card.js";
import { named, ordinal, t } from "../texts/texts.js";

/** @typedef {{ card: string, ordinal?: number, other?: boolean }} Call */

const RANKS = "AKQJT98765432";

/** @param {import("./panel.js").PanelProps} props */
export function CallPanel({ session, view, decision, rules }) {
  const [calls, set] = useState(
    () => /** @type {Call[]} */ (/** @type {import("../types").DecisionOf<"call">} */ (decision).hints?.example ?? []),
  );
  const [open, setOpen] = useState(0);
  const options = rules?.game.options;
  const trump = view.round?.trump;
  const anyCard = options?.call_cards === "any";
  const change = (/** @type {number} */ at, /** @type {Partial<Call>} */ changes) =>
    set(calls.map((call, each) => (each === at ? { ...call, ...changes } : call)));
  const call = calls[open];
  /** @type {Partial<Call>[]} */
  const copies = Array.from({ length: rules?.game.composition?.decks ?? 2 }, (_, at) => ({ ordinal: at + 1 }));
  if (options?.call_other_copy) copies.push({ other: true });
  if (!call) return null;
  return html`
    <p class="ask">${t("call.ask", { count: calls.length })}</p>
    <div class="calls">
      ${calls.map(
        (each, at) => html`
          <button type="button" class="set" aria-pressed=${at === open ? "true" : "false"} onClick=${() => setOpen(at)}>
            <span class="cards tiny">
              <span class="card"><${Face} card=${each.card} /></span>
            </span>
            <span>${callText(each)}</span>
          </button>
        `,
      )}
    </div>
    <${Choices}
      name="suit"
      label=${t("call.suit")}
      value=${call.card[1]}
      onChoose=${(/** @type {string} */ suit) => change(open, { card: call.card[0] + suit })}
      all=${SUITS.map((suit) => ({
        value: suit,
        label: named("suit", suit),
        shown: html`
          <${Suit} suit=${suit} />
        `,
        off: suit === trump?.suit && !anyCard,
      }))}
    />
    <${Choices}
      name="rank"
      label=${t("call.rank")}
      value=${call.card[0]}
      onChoose=${(/** @type {string} */ rank) => change(open, { card: rank + call.card[1] })}
      all=${[...RANKS].map((rank) => ({ value: rank, shown: shownRank(rank), off: rank === trump?.rank && !anyCard }))}
    />
    <${Choices}
      name="copy"
      label=${t("call.copy")}
      value=${callText(call)}
      onChoose=${(/** @type {string} */ copy) => change(open, { ordinal: undefined, other: undefined, ...copies.find((each) => callText(each) === copy) })}
      all=${copies.map((each) => ({ value: callText(each), shown: callText(each) }))}
    />
    <div class="buttons">
      <button type="button" class="main" onClick=${() => session.act("call", { calls })}>
        ${t("call.button", { count: calls.length })}
      </button>
    </div>
  `;
}

/**
 * One of several values: radio buttons that look like buttons.
 * @param {{
 *   name: string,
 *   label: string,
 *   value: string,
 *   all: { value: string, shown: unknown, label?: string, off?: boolean }[],
 *   onChoose: (value: string) => void,
 * }} props
 */
const Choices = ({ name, label, value, all, onChoose }) => html`
  <div class="choices" data-group=${name} role="radiogroup" aria-label=${label}>
    ${all.map(
      (each) => html`
        <label class="button">
          <input
            type="radio"
            class="visually-hidden"
            name=${name}
            value=${each.value}
            aria-label=${each.label}
            checked=${each.value === value}
            disabled=${each.off}
            onChange=${() => onChoose(each.value)}
          />
          ${each.shown}
        </label>
      `,
    )}
  </div>
`;

/** Which copy a call is for. @param {Partial<Call>} call */
export const callText = (call) => (call.other ? t("call.other") : ordinal(call.ordinal ?? 1));
