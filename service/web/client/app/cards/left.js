/** Which cards are still out. */
import { RANKS, SUITS } from "./cards.js";

/**
 * How many copies of each card have not been played and are not known to this viewer: they are in other hands or in the
 * kitty. Null if the cards of the game are not known. Cards that are not in the game are left out.
 * @param {import("../types").View} view
 * @param {import("../games/rules.js").TableRules | undefined} rules
 * @returns {Record<string, number> | null}
 */
export function left(view, rules) {
  const cards = rules?.game.composition;
  if (!cards || !view.round) return null;
  // Which further cards are removed may depend on the level; then only their number is given.
  if (cards.removed_count && !cards.removed && !cards.removed_ranks) return null;
  const counts = countsOf(cards);
  const { hand = [], discard = [] } = view.my ?? {};
  for (const card of [...(cards.removed ?? []), ...hand, ...(discard ?? [])]) counts[card] -= 1;
  for (const [card, played] of Object.entries(view.round.played)) counts[card] -= played;
  return Object.fromEntries(Object.entries(counts).map(([card, count]) => [card, Math.max(0, count)]));
}

/**
 * How many copies of each card are in a game, apart from single cards that are removed.
 * @param {NonNullable<import("../games/rules.js").TableRules["game"]["composition"]>} cards
 */
function countsOf({ big_jokers, little_jokers, decks, removed_ranks }) {
  /** @type {Record<string, number>} */
  const counts = { BJ: big_jokers, LJ: little_jokers };
  const ranks = [...RANKS].filter((rank) => !removed_ranks?.includes(rank));
  for (const suit of SUITS) for (const rank of ranks) counts[rank + suit] = decks;
  return counts;
}
