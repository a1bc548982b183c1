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
  /** @type {Record<string, number>} */
  const counts = { BJ: cards.big_jokers, LJ: cards.little_jokers };
  for (const suit of SUITS)
    for (const rank of RANKS) if (!cards.removed_ranks?.includes(rank)) counts[rank + suit] = cards.decks;
  const known = [...(cards.removed ?? []), ...(view.my?.hand ?? []), ...(view.my?.discard ?? [])];
  for (const card of known) counts[card] -= 1;
  for (const [card, played] of Object.entries(view.round.played)) counts[card] -= played;
  return Object.fromEntries(Object.entries(counts).map(([card, count]) => [card, Math.max(0, count)]));
}
