/** Trumps before they are fixed: what the standing declaration would make them. */
import { isJoker, rankOf, suitOf } from "./cards.js";

/**
 * The trumps by which a hand is shown: of the round, else of the declaration that stands, else the level alone.
 * @param {import("../types").View} view
 * @returns {import("../types").Trump | null}
 */
export function displayTrump(view) {
  const { round } = view;
  if (!round) return null;
  if (round.trump) return round.trump;
  const isRank = (/** @type {string} */ level) => /^[2-9TJQKA]$/.test(level);
  const standing = round.declarations.at(-1);
  if (standing) {
    const card = standing.cards[0];
    return isJoker(card) ? { rank: levelRank(round.level), suit: null } : { rank: rankOf(card), suit: /** @type {"S"} */ (suitOf(card)) };
  }
  // In games of friends everybody declares with a level of their own.
  const own = view.my && view.seats[view.my.seat].level;
  const level = round.level && isRank(levelRank(round.level) ?? "") ? round.level : (own ?? "");
  return view.ruleset === "arms_length" ? null : { rank: levelRank(level), suit: null };
}

/** @param {string} level */
function levelRank(level) {
  const rank = level.replace(/\++$/, "");
  return /^[2-9TJQKA]$/.test(rank) ? rank : null;
}
