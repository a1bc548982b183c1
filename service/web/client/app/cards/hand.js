/**
 * One's own hand: sorted, trumps apart, in as many rows as it needs. Cards are chosen by a tap, by dragging over
 * several,
 * or by keyboard (arrows, space, enter); a double tap plays.
 */
import { html, useEffect, useMemo, useRef } from "../../vendor/preact-htm.js";
import { isTrump, suitOf } from "./cards.js";
import { spoken, t } from "../texts/texts.js";
import { Face } from "./card.js";
import { useDealt } from "./motion.js";

/** Smallest visible width of a covered card that a finger can still hit, px. */
const STEP = 25;
/** The same for a hand with a kitty, until it is buried. */
const STEP_WITH_KITTY = 19.5;

/**
 * @typedef {{ key: string, card: string, first: boolean }} Held `key` tells identical cards apart; `first` of its group
 */

/**
 * Trump suit -> the other suits, alternating black and red, so that neighbours differ.
 * @type {Record<string, string>}
 */
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

/** Largest distance between cards, and between rows, in widths of a card. */
const APART = 0.62;
const ROW = 0.74;

/** Largest magnification of cards when few are left. */
const LARGEST = 1.3;

/**
 * @typedef {{ cards: number, kitty: number }} Size the most cards of a hand in this round: those dealt, and the kitty
 */

/**
 * The position of each card, from the middle of the first row; rows are as even as possible. The height is that of the
 * round's largest hand, so that nothing else moves; fewer cards are drawn larger.
 * @param {Held[]} held
 * @param {number} width px
 * @param {Size} size
 * @returns {{
 *   room: number,
 *   scale: number,
 *   places: string[],
 * }} `places`: values of the property `translate`, so that moving needs no layout; `room`: rows of the largest hand
 */
function layOut(held, width, size) {
  /** The gap between groups, and the width of a row that cards do not take, px. */
  const gap = Math.max(7, width / 60);
  const besides = 32 + 4 * gap;
  const card = Math.min(78, Math.max(50, 0.145 * width));
  /** Most cards in a row. @param {number} step */
  const fit = (step) => Math.max(6, 1 + Math.floor((width - besides - card) / step));
  const most = fit(STEP);
  const room = Math.max(1, Math.ceil(size.cards / most), Math.ceil((size.cards + size.kitty) / fit(STEP_WITH_KITTY)));
  const rows = Math.min(room, Math.max(1, Math.ceil(held.length / most)));
  const lines = inRows(held, rows, most);
  const longest = Math.max(...lines.map((cards) => cards.length));
  const scale = Math.max(
    1,
    Math.min(LARGEST, heightOf(room) / heightOf(rows), (width - STEP * (longest - 1)) / (besides + card)),
  );
  const inside = width / scale;
  const places = lines.flatMap((cards, row) => {
    let gaps = 0;
    const shifts = cards.map(({ first }, at) => (gaps += first && at ? gap : 0));
    const step = `min(${100 * APART}%, (${inside - besides}px - 100%) / ${Math.max(1, cards.length - 1)})`;
    // Percentages refer to the card, whose height is 1.4 widths. Rows are aligned to the lower edge.
    const down = ((100 * ROW) / 1.4) * (row + room - rows);
    return shifts.map((shift, at) => `calc(${at - (cards.length - 1) / 2} * ${step} + ${shift - gaps / 2}px) ${down}%`);
  });
  return { room, scale, places };
}

/**
 * The cards row by row: a suit is not split if a row has room for it.
 * @param {Held[]} held
 * @param {number} rows
 * @param {number} most in a row
 */
function inRows(held, rows, most) {
  const starts = held.flatMap(({ first }, at) => (first || !at ? at : []));
  const each = Math.ceil(held.length / rows);
  /** @type {number[]} */
  const breaks = [0];
  for (let row = 1; row < rows; row++) {
    const last = breaks[row - 1];
    const even = last + Math.ceil((held.length - last) / (rows - row + 1));
    const possible = starts.filter(
      (at) => at > last && at - last <= Math.max(most, each) && held.length - at <= (rows - row) * Math.max(most, each),
    );
    possible.sort((one, other) => Math.abs(one - even) - Math.abs(other - even));
    breaks.push(possible[0] ?? even);
  }
  return breaks.map((from, row) => held.slice(from, breaks[row + 1] ?? held.length));
}

/** The height of rows, in widths of a card. @param {number} rows */
const heightOf = (rows) => 1.4 + ROW * (rows - 1);

/**
 * One card. Only changed ones are drawn again.
 * @param {{
 *   id: string,
 *   card: string,
 *   place: string,
 *   chosen: boolean,
 *   dimmed: boolean,
 *   fresh: boolean,
 * }} props `fresh`: from the kitty
 */
function HandCard({ id, card, place, chosen, dimmed, fresh }) {
  const name = dimmed
    ? t("hand.dimmed", { card: spoken(card) })
    : fresh
      ? t("hand.kitty", { card: spoken(card) })
      : spoken(card);
  return useMemo(
    () => html`
      <button
        type="button"
        class=${`card${dimmed ? " dimmed" : ""}${fresh ? " fresh" : ""}`}
        style=${{ translate: place }}
        data-key=${id}
        data-card=${card}
        aria-pressed=${chosen ? "true" : "false"}
      >
        <span class="visually-hidden">${name}</span>
        <${Face} card=${card} />
      </button>
    `,
    [id, card, place, chosen, dimmed, fresh, name],
  );
}

/**
 * @param {{
 *   held: Held[], chosen: Set<string>, dimmed: Set<string>, fresh: Set<string>, width: number, size: Size, label:
 * string,
 *   onChoose: (chosen: Set<string>) => void, onPlay: (card?: string) => void,
 * }} props
 */
export function Hand({ held, chosen, dimmed, fresh, width, size, label, onChoose, onPlay }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useDealt(place, held);
  const drag = useRef(/** @type {{ on: boolean, over: Set<string>, x: number, y: number } | null} */ (null));
  /** Whether the last press was a drag: the click that ends it is not a tap. */
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
    // Reported positions of a quick finger are several cards apart: include all cards on the way.
    const steps = Math.ceil(Math.hypot(clientX - x, clientY - y) / (STEP / 2));
    for (let step = 1; step <= steps; step++) {
      const key = under(x + ((clientX - x) * step) / steps, y + ((clientY - y) * step) / steps);
      if (key) over.add(key);
    }
    drag.current = { on, over, x: clientX, y: clientY };
    if (over.size === known) return;
    dragged.current = true;
    const next = new Set(chosen);
    for (const each of over) {
      if (on) next.add(each);
      else next.delete(each);
    }
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

  const { room, scale, places } = layOut(held, width, size);
  return html`
    <div
      class="hand"
      ref=${place}
      role="group"
      aria-label=${label}
      onPointerDown=${down}
      onPointerMove=${move}
      onKeyDown=${press}
      onClick=${click}
      onDblClick=${play}
    >
      <div class="held" style=${{ height: `calc(var(--card) * ${heightOf(room)})`, scale: `${scale}` }}>
        ${held.map(
          ({ key, card }, at) => html`
            <${HandCard}
              key=${key}
              id=${key}
              card=${card}
              place=${places[at]}
              chosen=${chosen.has(key)}
              dimmed=${dimmed.has(card)}
              fresh=${fresh.has(key)}
            />
          `,
        )}
      </div>
    </div>
  `;
}
