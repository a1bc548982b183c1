/**
 * One's own hand: sorted, trumps apart, in as many rows as it needs. Cards are chosen by a tap, by dragging over several,
 * or by keyboard (arrows, space, enter); a double tap plays.
 */
import { html, useEffect, useMemo, useRef } from "../../vendor/preact-htm.js";
import { isTrump, suitOf } from "../game/cards.js";
import { spoken, t } from "../texts/texts.js";
import { Face } from "./card.js";
import { useDealt } from "./motion.js";

/** The narrowest that a card may be covered to, so that a finger still meets it, px. */
const STEP = 25;

/**
 * @typedef {{ key: string, card: string, first: boolean }} Held `key` tells identical cards apart; `first` of its group
 */

/** Trump suit -> the other suits in turns of black and red, so that neighbours differ. @type {Record<string, string>} */
const SHOWN = { S: "HCD", H: "SDC", C: "HSD", D: "SHC" };
const WITHOUT_TRUMPS = "SHCD";

/**
 * The hand in display order.
 * @param {readonly string[]} hand sorted within its suits
 * @param {import("../types").SortedBy} by
 * @returns {Held[]}
 */
export function inOrder(hand, by) {
  const groupOf = (/** @type {string} */ card) => (isTrump(card, by) ? "trumps" : suitOf(card));
  const copies = /** @type {Record<string, number>} */ ({});
  return ["trumps", ...(SHOWN[by.suit ?? ""] ?? WITHOUT_TRUMPS)].flatMap((group) =>
    hand
      .filter((card) => groupOf(card) === group)
      .map((card, at) => ({ card, first: at === 0, key: `${card}${(copies[card] = (copies[card] ?? 0) + 1)}` })),
  );
}

/** How far apart cards lie at most, and rows, in widths of a card. */
const APART = 0.62;
const ROW = 0.74;

/**
 * Where each card lies, from the middle of the first row: in rows of at most so many cards, as even as possible.
 * @param {Held[]} held
 * @param {number} width px
 * @returns {{ rows: number, places: string[] }} values of the property `translate`, so that nothing is laid out again
 */
function layOut(held, width) {
  /** How far a group is from the one before it, and what the row has besides cards, px. */
  const gap = Math.max(7, width / 60);
  const besides = 32 + 4 * gap;
  const card = Math.min(78, Math.max(50, 0.145 * width));
  const most = Math.max(6, 1 + Math.floor((width - besides - card) / STEP));
  const rows = Math.max(1, Math.ceil(held.length / most));
  const each = Math.ceil(held.length / rows);
  const places = Array.from({ length: rows }, (_, row) => held.slice(row * each, (row + 1) * each)).flatMap((cards, row) => {
    let gaps = 0;
    const shifts = cards.map(({ first }, at) => (gaps += first && at ? gap : 0));
    const step = `min(${100 * APART}%, (${width - besides}px - 100%) / ${Math.max(1, cards.length - 1)})`;
    // Percents are of the card: its height is 1.4 widths.
    return shifts.map((shift, at) => `calc(${at - (cards.length - 1) / 2} * ${step} + ${shift - gaps / 2}px) ${((100 * ROW) / 1.4) * row}%`);
  });
  return { rows, places };
}

/**
 * One card. Only those that have changed are drawn again.
 * @param {{ id: string, card: string, place: string, chosen: boolean, dimmed: boolean }} props
 */
function HandCard({ id, card, place, chosen, dimmed }) {
  const name = dimmed ? t("hand.dimmed", { card: spoken(card) }) : spoken(card);
  return useMemo(
    () => html`<button type="button" class=${`card${dimmed ? " dimmed" : ""}`} style=${{ translate: place }} data-key=${id} data-card=${card} aria-pressed=${chosen ? "true" : "false"}>
      <span class="visually-hidden">${name}</span><${Face} card=${card} />
    </button>`,
    [id, card, place, chosen, dimmed, name],
  );
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
  const drag = useRef(/** @type {{ on: boolean, over: Set<string>, x: number, y: number } | null} */ (null));
  /** Whether the last press was a drag: the click that ends it means no tap. */
  const dragged = useRef(false);
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
  const under = (/** @type {number} */ x, /** @type {number} */ y) =>
    /** @type {HTMLElement | null} */ (document.elementFromPoint(x, y)?.closest(".hand [data-key]"))?.dataset.key;
  const down = (/** @type {PointerEvent} */ event) => {
    dragged.current = false;
    const { clientX: x, clientY: y } = event;
    const key = under(x, y);
    if (key && !event.button) drag.current = { on: !chosen.has(key), over: new Set([key]), x, y };
  };
  const move = (/** @type {PointerEvent} */ event) => {
    if (!drag.current) return;
    const { clientX, clientY } = event;
    const { on, over, x, y } = drag.current;
    const known = over.size;
    // A quick finger is reported at points that are cards apart: look at all cards on the way.
    const steps = Math.ceil(Math.hypot(clientX - x, clientY - y) / (STEP / 2));
    for (let step = 1; step <= steps; step++) {
      const key = under(x + ((clientX - x) * step) / steps, y + ((clientY - y) * step) / steps);
      if (key) over.add(key);
    }
    drag.current = { on, over, x: clientX, y: clientY };
    if (over.size === known) return;
    dragged.current = true;
    const next = new Set(chosen);
    for (const each of over) on ? next.add(each) : next.delete(each);
    onChoose(next);
  };
  const keyOf = (/** @type {Event} */ event) =>
    /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-key]"))?.dataset.key;
  const click = (/** @type {MouseEvent} */ event) => {
    const key = keyOf(event);
    if (dragged.current && event.detail) return; // 0: pressed by keyboard
    if (key) choose(key, !chosen.has(key));
  };
  const play = (/** @type {Event} */ event) => {
    const key = keyOf(event);
    if (key) onPlay(key);
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

  const { rows, places } = layOut(held, width);
  return html`<div class="hand" ref=${place} role="group" aria-label=${label} onPointerDown=${down} onPointerMove=${move} onKeyDown=${press} onClick=${click} onDblClick=${play}>
    <div class="held" style=${{ height: `calc(var(--card) * ${1.4 + ROW * (rows - 1)})` }}>
      ${held.map(({ key, card }, at) => html`<${HandCard} key=${key} id=${key} card=${card} place=${places[at]} chosen=${chosen.has(key)} dimmed=${dimmed.has(card)} />`)}
    </div>
  </div>`;
}
