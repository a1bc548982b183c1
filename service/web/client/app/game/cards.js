/**
 * Cards: their names, and how a hand is sorted. A card is a rank and a suit, "TS" for the ten of spades; "LJ" and "BJ"
 * are the jokers.
 * @typedef {import("../types").Trump} Trump
 */

export const RANKS = "23456789TJQKA";
/** Black and red take turns. */
export const SUITS = /** @type {const} */ (["S", "H", "C", "D"]);
export const SIGNS = /** @type {Record<string, string>} */ ({ S: "♠", H: "♥", C: "♣", D: "♦" });

/** @param {string} card */
export const isJoker = (card) => card === "LJ" || card === "BJ";
/** @param {string} card */
export const rankOf = (card) => (isJoker(card) ? "" : card[0]);
/** @param {string} card */
export const suitOf = (card) => (isJoker(card) ? "" : card[1]);
/** @param {string} card */
export const pointsOf = (card) => ({ 5: 5, T: 10, K: 10 })[rankOf(card)] ?? 0;
/** The rank as people write it. @param {string} rank */
export const shownRank = (rank) => rank.replace("T", "10");

/**
 * Whether a card is one of the trumps.
 * @param {string} card
 * @param {Trump | null} trump
 * @param {boolean} [twos] twos are always trumps
 */
export function isTrump(card, trump, twos = false) {
  if (isJoker(card)) return trump !== null;
  return Boolean(trump) && (suitOf(card) === trump?.suit || rankOf(card) === trump?.rank || (twos && rankOf(card) === "2"));
}

/**
 * How strong a card is within the trumps or its suit; higher beats lower.
 * @param {string} card
 * @param {Trump | null} trump
 * @param {boolean} [twos]
 */
export function strength(card, trump, twos = false) {
  if (card === "BJ") return 100;
  if (card === "LJ") return 99;
  const inSuit = suitOf(card) === trump?.suit ? 1 : 0;
  if (trump && rankOf(card) === trump.rank) return 60 + inSuit;
  if (trump && twos && rankOf(card) === "2") return 50 + inSuit;
  return RANKS.indexOf(rankOf(card));
}

/**
 * The groups of a hand for display: trumps first, then the suits, each from high to low.
 * @param {readonly string[]} hand
 * @param {Trump | null} trump
 * @param {boolean} [twos]
 * @returns {{ group: string, cards: string[] }[]} `group`: "trumps" or a suit
 */
export function grouped(hand, trump, twos = false) {
  const known = trump ?? { rank: null, suit: null };
  const groups = new Map(["trumps", ...SUITS].map((group) => [group, /** @type {string[]} */ ([])]));
  for (const card of hand) groups.get(isTrump(card, known, twos) ? "trumps" : suitOf(card))?.push(card);
  return [...groups]
    .filter(([, cards]) => cards.length)
    .map(([group, cards]) => ({
      group,
      cards: cards.sort(
        (one, other) =>
          strength(other, known, twos) - strength(one, known, twos) ||
          SUITS.indexOf(/** @type {"S"} */ (suitOf(one))) - SUITS.indexOf(/** @type {"S"} */ (suitOf(other))),
      ),
    }));
}

/**
 * `cards` without `taken`, as multisets.
 * @param {readonly string[]} cards
 * @param {readonly string[]} taken
 */
export function without(cards, taken) {
  const left = [...cards];
  for (const card of taken) {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}
