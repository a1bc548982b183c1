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
  const change = (/** @type {Partial<Call>} */ changes) =>
    set(calls.map((call, each) => (each === open ? { ...call, ...changes } : call)));
  const call = calls[open];
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
    <${CardChoice} call=${call} view=${view} rules=${rules} onChange=${change} />
    <${CopyChoice} call=${call} rules=${rules} onChange=${change} />
    <div class="buttons">
      <button type="button" class="main" onClick=${() => session.act("call", { calls })}>
        ${t("call.button", { count: calls.length })}
      </button>
    </div>
  `;
}

/**
 * @typedef {object} CallProps
 * @property {Call} call
 * @property {import("./panel.js").PanelProps["rules"]} rules
 * @property {(changes: Partial<Call>) => void} onChange
 */

/** Which card is called. @param {CallProps & { view: import("../types").View }} props */
function CardChoice({ call, view, rules, onChange }) {
  const trump = view.round?.trump;
  const anyCard = rules?.game.options.call_cards === "any";
  const [rank, suit] = call.card;
  return html`
    <${Choices}
      name="suit"
      label=${t("call.suit")}
      value=${suit}
      onChoose=${(/** @type {string} */ chosen) => onChange({ card: rank + chosen })}
      all=${SUITS.map((each) => ({
        value: each,
        label: named("suit", each),
        shown: html`
          <${Suit} suit=${each} />
        `,
        off: each === trump?.suit && !anyCard,
      }))}
    />
    <${Choices}
      name="rank"
      label=${t("call.rank")}
      value=${rank}
      onChoose=${(/** @type {string} */ chosen) => onChange({ card: chosen + suit })}
      all=${[...RANKS].map((each) => ({ value: each, shown: shownRank(each), off: each === trump?.rank && !anyCard }))}
    />
  `;
}

/** Which copy of the card is called. @param {CallProps} props */
function CopyChoice({ call, rules, onChange }) {
  /** @type {Partial<Call>[]} */
  const copies = Array.from({ length: rules?.game.composition?.decks ?? 2 }, (_, at) => ({ ordinal: at + 1 }));
  if (rules?.game.options.call_other_copy) copies.push({ other: true });
  const choose = (/** @type {string} */ text) =>
    onChange({ ordinal: undefined, other: undefined, ...copies.find((each) => callText(each) === text) });
  return html`
    <${Choices}
      name="copy"
      label=${t("call.copy")}
      value=${callText(call)}
      onChoose=${choose}
      all=${copies.map((each) => ({ value: callText(each), shown: callText(each) }))}
    />
  `;
}

/**
 * @typedef {object} ChoicesProps
 * @property {string} name
 * @property {string} label
 * @property {string} value
 * @property {{ value: string, shown: unknown, label?: string, off?: boolean }[]} all
 * @property {(value: string) => void} onChoose
 */

/** One of several values: radio buttons that look like buttons. @param {ChoicesProps} props */
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
