/**
 * One's own hand: sorted, trumps apart, in as many rows as it needs. Cards are chosen by a tap, by dragging over several,
 * or by keyboard (arrows, space, enter); a double tap plays.
 */
import { html, useEffect, useRef } from "../../vendor/preact-htm.js";
import { isTrump, suitOf } from "../game/cards.js";
import { spoken, t } from "../texts/texts.js";
import { Face } from "./card.js";
import { useDealt } from "./motion.js";

/** The narrowest that a card may be covered to, so that a finger still meets it, px. */
const STEP = 25;

/**
 * @typedef {{ key: string, card: string, first: boolean }} Held `key` tells identical cards apart; `first` of its group
 */

/** Black and red suits take turns, so that neighbours differ. */
const SHOWN = ["trumps", "S", "H", "C", "D"];

/**
 * The hand in display order.
 * @param {readonly string[]} hand sorted within its suits
 * @param {import("../types").SortedBy} by
 * @returns {Held[]}
 */
export function inOrder(hand, by) {
  const groupOf = (/** @type {string} */ card) => (isTrump(card, by, by.twos) ? "trumps" : suitOf(card));
  const copies = /** @type {Record<string, number>} */ ({});
  return SHOWN.flatMap((group) =>
    hand
      .filter((card) => groupOf(card) === group)
      .map((card, at) => ({ card, first: at === 0, key: `${card}${(copies[card] = (copies[card] ?? 0) + 1)}` })),
  );
}

/**
 * Rows of at most so many cards, as even as possible.
 * @param {Held[]} held
 * @param {number} width px
 */
function rows(held, width) {
  const card = Math.min(78, Math.max(50, 0.145 * width));
  const most = Math.max(6, 1 + Math.floor((width - 60 - card) / STEP));
  const count = Math.ceil(held.length / most);
  const each = Math.ceil(held.length / Math.max(1, count));
  return Array.from({ length: count }, (_, row) => held.slice(row * each, (row + 1) * each));
}

/**
 * @param {{
 *   held: Held[], chosen: Set<string>, dimmed: Set<string>, width: number, label: string,
 *   onChoose: (chosen: Set<string>) => void, onPlay: (card?: string) => void,
 * }} props
 */
export function Hand({ held, chosen, dimmed, width, label, onChoose, onPlay }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useDealt(place, held);
  const drag = useRef(/** @type {{ on: boolean, over: Set<string>, moved: boolean } | null} */ (null));
  useEffect(() => {
    const end = () => void (drag.current = null);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
    return () => {
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
    };
  }, []);

  const choose = (/** @type {string} */ key, /** @type {boolean} */ on) => {
    const next = new Set(chosen);
    if (on) next.add(key);
    else next.delete(key);
    onChoose(next);
  };
  const under = (/** @type {PointerEvent} */ event) =>
    /** @type {HTMLElement | null} */ (document.elementFromPoint(event.clientX, event.clientY)?.closest(".hand [data-key]"));
  const down = (/** @type {PointerEvent} */ event) => {
    const key = under(event)?.dataset.key;
    if (!key || event.button) return;
    const on = !chosen.has(key);
    drag.current = { on, over: new Set([key]), moved: false };
  };
  const move = (/** @type {PointerEvent} */ event) => {
    const key = drag.current && under(event)?.dataset.key;
    if (!drag.current || !key || drag.current.over.has(key)) return;
    const { on, over } = drag.current;
    over.add(key);
    drag.current.moved = true;
    const next = new Set(chosen);
    for (const each of over) on ? next.add(each) : next.delete(each);
    onChoose(next);
  };
  const click = (/** @type {Event} */ event, /** @type {string} */ key) => {
    if (drag.current?.moved) return event.preventDefault();
    choose(key, !chosen.has(key));
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    const cards = /** @type {HTMLElement[]} */ ([...(place.current?.querySelectorAll("[data-key]") ?? [])]);
    const at = cards.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -at, End: cards.length - 1 - at }[event.key];
    if (step !== undefined && at >= 0) {
      event.preventDefault();
      cards[Math.min(cards.length - 1, Math.max(0, at + step))]?.focus();
    }
    if (event.key === "Enter") {
      event.preventDefault();
      onPlay();
    }
    if (event.key === "Escape") onChoose(new Set());
  };

  return html`<div class="hand" ref=${place} role="group" aria-label=${label} onPointerDown=${down} onPointerMove=${move} onKeyDown=${press}>
    ${rows(held, width).map(
      (row, number) => html`<div class="row" key=${number} style=${{ "--count": row.length }}>
        ${row.map(
          ({ key, card, first }, at) => html`<button
            key=${key}
            type="button"
            class=${`card${dimmed.has(card) ? " dimmed" : ""}${first && at ? " first" : ""}`}
            data-key=${key}
            data-card=${card}
            aria-pressed=${chosen.has(key) ? "true" : "false"}
            onClick=${(/** @type {Event} */ event) => click(event, key)}
            onDblClick=${() => onPlay(key)}
          ><span class="visually-hidden">${dimmed.has(card) ? t("hand.dimmed", { card: spoken(card) }) : spoken(card)}</span><${Face} card=${card} /></button>`,
        )}
      </div>`,
    )}
  </div>`;
}
