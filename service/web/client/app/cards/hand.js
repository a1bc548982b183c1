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
 *   ordered: boolean,
 * }} props `fresh`: from the kitty; `ordered`: a standing order plays it
 */
function HandCard({ id, card, place, chosen, dimmed, fresh, ordered }) {
  const kind = dimmed ? "dimmed" : fresh ? "kitty" : ordered ? "ordered" : "";
  const name = kind ? t(`hand.${kind}`, { card: spoken(card) }) : spoken(card);
  return useMemo(
    () => html`
      <button
        type="button"
        class=${`card${dimmed ? " dimmed" : ""}${fresh ? " fresh" : ""}${ordered ? " ordered" : ""}`}
        style=${{ translate: place }}
        data-key=${id}
        data-card=${card}
        aria-pressed=${chosen ? "true" : "false"}
      >
        <span class="visually-hidden">${name}</span>
        <${Face} card=${card} />
      </button>
    `,
    [id, card, place, chosen, dimmed, fresh, ordered, name],
  );
}

/**
 * @typedef {object} HandProps
 * @property {Held[]} held
 * @property {Set<string>} chosen keys
 * @property {Set<string>} dimmed cards
 * @property {Set<string>} fresh keys of those from the kitty
 * @property {Set<string>} [ordered] cards that a standing order plays
 * @property {number} width
 * @property {Size} size
 * @property {string} label
 * @property {(chosen: Set<string>) => void} onChoose
 * @property {(card?: string) => void} onPlay
 */

/**
 * The keys with others, or without them.
 * @param {Set<string>} keys
 * @param {Iterable<string>} changed
 * @param {boolean} on
 */
function changedBy(keys, changed, on) {
  const next = new Set(keys);
  for (const each of changed) {
    if (on) next.add(each);
    else next.delete(each);
  }
  return next;
}

/** The key of the card that an event is about. @param {Event} event */
const keyOf = (event) =>
  /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-key]"))?.dataset.key;

/** The key of the card at a point of the window. @param {number} x @param {number} y */
const keyAt = (x, y) =>
  /** @type {HTMLElement | null} */ (document.elementFromPoint(x, y)?.closest(".hand [data-key]"))?.dataset.key;

/**
 * The keys of the cards on the way between two points: reported positions of a quick finger are several cards apart.
 * @param {{ x: number, y: number }} from
 * @param {{ x: number, y: number }} to
 */
function keysBetween(from, to) {
  const steps = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / (STEP / 2));
  const keys = Array.from({ length: steps }, (_, at) => {
    const share = (at + 1) / steps;
    return keyAt(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share);
  });
  return keys.filter((key) => key !== undefined);
}

/**
 * Choosing cards by drawing a finger over them: all are chosen or put back as the first one is.
 * @param {Set<string>} chosen
 * @param {(chosen: Set<string>) => void} onChoose
 */
function useDrag(chosen, onChoose) {
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
  const down = (/** @type {PointerEvent} */ { clientX: x, clientY: y, button }) => {
    dragged.current = false;
    const key = keyAt(x, y);
    if (key && !button) drag.current = { on: !chosen.has(key), over: new Set([key]), x, y };
  };
  const move = (/** @type {PointerEvent} */ { clientX: x, clientY: y }) => {
    if (!drag.current) return;
    const { on, over } = drag.current;
    const known = over.size;
    for (const key of keysBetween(drag.current, { x, y })) over.add(key);
    drag.current = { on, over, x, y };
    if (over.size === known) return;
    dragged.current = true;
    onChoose(changedBy(chosen, over, on));
  };
  return { down, move, dragged };
}

/**
 * Keys: arrows go from card to card, Enter plays the chosen ones, Escape puts them back.
 * @param {HTMLElement | null} hand
 * @param {Pick<HandProps, "onChoose" | "onPlay">} does
 */
const pressIn =
  (hand, { onChoose, onPlay }) =>
  (/** @type {KeyboardEvent} */ event) => {
    const cards = /** @type {HTMLElement[]} */ ([...(hand?.querySelectorAll("[data-key]") ?? [])]);
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

/** @param {HandProps} props */
export function Hand({ held, chosen, dimmed, fresh, ordered, width, size, label, onChoose, onPlay }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useDealt(place, held);
  const { down, move, dragged } = useDrag(chosen, onChoose);
  const click = (/** @type {MouseEvent} */ event) => {
    const key = keyOf(event);
    if (dragged.current && event.detail) return; // 0: pressed by keyboard
    if (key) onChoose(changedBy(chosen, [key], !chosen.has(key)));
  };
  const play = (/** @type {Event} */ event) => {
    const key = keyOf(event);
    if (key) onPlay(key);
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
      onKeyDown=${(/** @type {KeyboardEvent} */ event) => pressIn(place.current, { onChoose, onPlay })(event)}
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
              ordered=${Boolean(ordered?.has(card))}
            />
          `,
        )}
      </div>
    </div>
  `;
}
