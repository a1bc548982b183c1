/** How wide a hand may be, and how many cards it must hold. */
import { useEffect, useRef, useState } from "../../vendor/preact-htm.js";

/** The largest width of a hand, px: on a television it grows with the screen. */
const widest = () => Math.max(1184, Math.min(0.48 * innerWidth, 0.85 * innerHeight));

/**
 * The largest hand of a round: what each seat is dealt, and the kitty, which may be in a hand at the moment.
 * @param {import("../types").View} view
 * @returns {import("../cards/hand.js").Size}
 */
export function sizeOf({ round, seats, players }) {
  const dealt = Math.ceil((round?.dealt.of ?? 0) / players);
  const most = Math.max(...seats.map((seat) => seat.hand_count));
  return { cards: dealt, kitty: Math.max(round?.kitty?.count ?? 0, most - dealt, 0) };
}

/**
 * A ref to an element, and the current width for a hand below it.
 * @param {boolean} sided whether there is a panel beside it
 * @returns {[import("../../vendor/preact-htm.js").Ref<HTMLElement | null>, number]}
 */
export function useWidth(sided) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const [width, set] = useState(() => Math.min(innerWidth, widest()));
  useEffect(() => {
    const table = place.current?.parentElement;
    if (!table) return;
    const cloth = /** @type {HTMLElement} */ (place.current);
    // What is beside the hand, too, and not just beside the cloth, as the controls on a phone on its side.
    const isBeside = (/** @type {DOMRect} */ at) =>
      at.left >= cloth.getBoundingClientRect().right - 1 && at.bottom >= table.getBoundingClientRect().bottom - 1;
    const observer = new ResizeObserver(() => {
      const beside = [...table.querySelectorAll(":scope > .side, :scope > .panel")]
        .map((part) => part.getBoundingClientRect())
        .find(isBeside);
      set(Math.min(table.clientWidth - (beside?.width ?? 0), widest()));
    });
    observer.observe(table);
    observer.observe(cloth);
    return () => observer.disconnect();
  }, [sided]);
  return [place, width];
}
