/** Animation of cards: from a hand to the table, and with a finished trick to its winner. */
import { useLayoutEffect, useRef } from "../../vendor/preact-htm.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
/** Duration of a card's movement, ms. */
const FLIGHT = { duration: 260, easing: "cubic-bezier(.2, .7, .3, 1)" };

/** The way from the middle of one box to that of another. @param {DOMRect} from @param {DOMRect} to */
const way = (from, to) =>
  `translate(${from.x + from.width / 2 - to.x - to.width / 2}px, ${from.y + from.height / 2 - to.y - to.height / 2}px)`;

/**
 * Where the cards of the hand last lay: a played card has left the hand by the time it appears on the table.
 * @type {Map<string, DOMRect[]>}
 */
const lay = new Map();

/** Note where the cards of the hand lie. @param {ParentNode} hand */
export function noteHand(hand) {
  if (still.matches) return;
  lay.clear();
  for (const card of /** @type {NodeListOf<HTMLElement>} */ (hand.querySelectorAll("[data-card]"))) {
    const name = card.dataset.card ?? "";
    lay.set(name, [...(lay.get(name) ?? []), card.getBoundingClientRect()]);
  }
}

/**
 * Move what a seat plays to the table: one's own cards from the hand, those of others from their seat.
 * @param {readonly string[] | undefined} cards that are shown
 * @param {boolean} mine
 */
export function useArrival(cards, mine) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    if (!cards || still.matches || !place.current) return;
    const chip = place.current.closest(".seat")?.querySelector(".chip")?.getBoundingClientRect();
    // Read all positions before anything moves, or each card would force a new layout.
    const shown = [.../** @type {NodeListOf<HTMLElement>} */ (place.current.querySelectorAll(".card"))].map((card) => ({
      card,
      to: card.getBoundingClientRect(),
    }));
    cards.forEach((name, at) => {
      const from = (mine ? lay.get(name)?.pop() : undefined) ?? chip;
      if (!from || !shown[at]) return;
      const { card, to } = shown[at];
      card.animate(
        [{ transform: `${way(from, to)} scale(${mine ? from.width / to.width : 0.5})`, opacity: mine ? 1 : 0 }, {}],
        FLIGHT,
      );
    });
  }, [cards?.join(" ")]);
  return place;
}

/**
 * Let cards that arrive in the hand drop into it.
 * @param {import("../../vendor/preact-htm.js").Ref<HTMLElement | null>} hand
 * @param {readonly { key: string }[]} held
 */
export function useDealt(hand, held) {
  const known = useRef(/** @type {Set<string> | null} */ (null));
  useLayoutEffect(() => {
    const fresh = held.filter(({ key }) => known.current && !known.current.has(key));
    known.current = new Set(held.map(({ key }) => key));
    if (still.matches) return;
    fresh.forEach(({ key }, at) => {
      const card = hand.current?.querySelector(`[data-key="${key}"]`);
      card?.animate([{ transform: "translateY(-4rem)", opacity: 0 }, {}], {
        ...FLIGHT,
        delay: 12 * at,
        fill: "backwards",
      });
    });
  }, [held]);
}

/**
 * Move a finished trick to its winner when it leaves the table.
 * @param {import("../../vendor/preact-htm.js").Ref<HTMLElement | null>} cloth
 * @param {{ number: number, winner?: number | null, points?: number | null } | null} trick
 */
export function useGathering(cloth, trick) {
  const before = useRef(trick);
  const { current: last } = before;
  const gone = last !== null && typeof last.winner === "number" && trick?.number !== last.number;
  // Measured before the new trick is drawn: what each seat has played, where it lies, and the width of a card.
  const left =
    gone && !still.matches
      ? [.../** @type {NodeListOf<HTMLElement>} */ (cloth.current?.querySelectorAll(".played .cards") ?? [])].map(
          (cards) => ({
            cards,
            box: cards.getBoundingClientRect(),
            width: cards.firstElementChild?.getBoundingClientRect().width,
          }),
        )
      : [];
  const winner = gone ? last.winner : null;
  before.current = trick;
  useLayoutEffect(() => {
    const goal = cloth.current?.querySelector(`[data-seat="${winner}"] .chip`)?.getBoundingClientRect();
    if (!goal) return;
    if (left.length && last?.points) rise(`+${last.points}`, goal);
    for (const { cards, box, width } of left) {
      const copy = /** @type {HTMLElement} */ (cards.cloneNode(true));
      copy.className = `flying ${cards.className}`;
      copy.setAttribute("aria-hidden", "true");
      copy.style.cssText += `left: ${box.x}px; top: ${box.y}px; --card: ${width}px`;
      document.body.append(copy);
      const end = () => copy.remove();
      copy.animate([{}, { transform: `${way(goal, box)} scale(.4)`, opacity: 0.2 }], FLIGHT).finished.then(end, end);
    }
  }, [trick?.number]);
}

/** How long gained points are shown, ms. */
const READ = { duration: 1400, easing: "ease-out" };

/** Let a text rise from a box and fade. @param {string} text @param {DOMRect} from */
function rise(text, from) {
  const note = document.createElement("span");
  note.className = "gained";
  note.textContent = text;
  note.setAttribute("aria-hidden", "true"); // the line about the trick says it
  Object.assign(note.style, { left: `${from.x + from.width / 2}px`, top: `${from.y + from.height / 2}px` });
  document.body.append(note);
  const end = () => note.remove();
  note
    .animate(
      [
        { transform: "translate(-50%, -50%) scale(.6)" },
        { transform: "translate(-50%, -130%) scale(1)", offset: 0.2 },
        { transform: "translate(-50%, -160%)", opacity: 1, offset: 0.75 },
        { transform: "translate(-50%, -200%)", opacity: 0 },
      ],
      READ,
    )
    .finished.then(end, end);
}
