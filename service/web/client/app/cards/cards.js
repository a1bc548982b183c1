/**
 * Cards: their names, and how a hand is sorted. A card is a rank and a suit, "TS" for the ten of spades; "LJ" and "BJ"
 * are the jokers.
 * @typedef {import("../types").Trump} Trump
 */

export const RANKS = "23456789TJQKA";
export const SUITS = ["S", "H", "D", "C"];
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
export const shownRank = (rank) => rank.replace(/^T(?=\+*$)/, "10");

/**
 * The trumps of a round: with `twos` the twos are always trumps, with `red_fives` these are the highest.
 * @typedef {Pick<Trump, "rank" | "suit"> & { twos?: boolean, red_fives?: boolean }} Trumps
 */

/** The highest trumps, ascending. @param {Trumps} trump */
const topOf = (trump) => (trump.red_fives ? ["LJ", "BJ", "5D", "5H"] : ["LJ", "BJ"]);

/** Whether a card is one of the trumps. @param {string} card @param {Trumps} trump */
export function isTrump(card, trump) {
  const always = topOf(trump).includes(card) || (trump.twos && rankOf(card) === "2");
  return always || suitOf(card) === trump.suit || rankOf(card) === trump.rank;
}

/**
 * How strong a card is within the trumps or its suit; higher beats lower.
 * @param {string} card
 * @param {Trumps} trump
 */
export function strength(card, trump) {
  const top = topOf(trump).indexOf(card);
  if (top >= 0) return 90 + top;
  const inSuit = suitOf(card) === trump.suit ? 1 : 0;
  if (rankOf(card) === trump.rank) return 60 + inSuit;
  if (trump.twos && rankOf(card) === "2") return 50 + inSuit;
  return RANKS.indexOf(rankOf(card));
}

/**
 * A hand in order: trumps first, then the suits, each from high to low.
 * @param {readonly string[]} hand
 * @param {Trumps} trump
 */
export function sorted(hand, trump) {
  /** @param {string} card */
  const place = (card) => {
    const group = isTrump(card, trump) ? 0 : 1 + SUITS.indexOf(suitOf(card));
    return [group, -strength(card, trump), SUITS.indexOf(suitOf(card))];
  };
  return [...hand].sort((one, other) => {
    const [mine, theirs] = [place(one), place(other)];
    return mine[0] - theirs[0] || mine[1] - theirs[1] || mine[2] - theirs[2];
  });
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

/** A card in characters: "10♠"; jokers by their letters. @param {string} card */
export const cardText = (card) => (isJoker(card) ? card : `${shownRank(rankOf(card))}${SIGNS[suitOf(card)]}`);

/** A text of the service with its cards as people write them: "3♠" for "3S". @param {string} text */
export const withSigns = (text) =>
  text.replace(/\b([2-9TJQKA])([SHCD])\b/g, (_, rank, suit) => `${shownRank(rank)}${SIGNS[suit]}`);
