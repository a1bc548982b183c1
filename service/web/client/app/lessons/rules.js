/**
 * The rules of the steps of lessons: which cards get the point of a step. A step accepts whatever its rule allows, not
 * just the cards that the coach names. The service decides what is legal.
 */
import { isJoker, isTrump, pointsOf, RANKS, rankOf, strength, suitOf } from "../cards/cards.js";

/** @typedef {import("../types").View} View */
/** @typedef {(cards: readonly string[], view: View) => boolean} Rule */

/** @param {View} view */
const trumpsOf = ({ my }) => /** @type {NonNullable<View["my"]>} */ (my).sorted_by;
/** @param {View} view */
const handOf = ({ my }) => /** @type {string[]} */ (my?.hand ?? []);

/** The suit of a card, or that it is a trump. @param {string} card @param {View} view */
const groupOf = (card, view) => (isTrump(card, trumpsOf(view)) ? "trumps" : suitOf(card));

/** Whether cards are all of one suit, or all trumps. @param {readonly string[]} cards @param {View} view */
const areAlike = (cards, view) => new Set(cards.map((card) => groupOf(card, view))).size === 1;

/**
 * Whether as many identical cards as were led win the trick so far.
 * @param {readonly string[]} cards
 * @param {View} view
 */
function wins(cards, view) {
  const { trick } = view.round ?? {};
  const best = trick?.plays.find(({ seat }) => seat === trick.winning)?.cards ?? [];
  if (!best.length || cards.length !== best.length || new Set(cards).size > 1) return false;
  const [mine, theirs] = [groupOf(cards[0], view), groupOf(best[0], view)];
  if (mine === theirs) return strength(cards[0], trumpsOf(view)) > strength(best[0], trumpsOf(view));
  return mine === "trumps";
}

/** Whether a card may be spared: no trump, no points, no ace. @param {string} card @param {View} view */
export const maySpare = (card, view) => !isTrump(card, trumpsOf(view)) && !pointsOf(card) && rankOf(card) !== "A";

/** Whether cards are two pairs of neighbouring ranks. @param {readonly string[]} cards @param {View} view */
function isTractor(cards, view) {
  const kinds = [...new Set(cards)];
  if (cards.length !== 4 || kinds.length !== 2 || cards.filter((card) => card === kinds[0]).length !== 2) return false;
  if (!areAlike(cards, view) || groupOf(cards[0], view) === "trumps") return false;
  const ranks = [...RANKS].filter((rank) => rank !== trumpsOf(view).rank);
  return Math.abs(ranks.indexOf(rankOf(kinds[0])) - ranks.indexOf(rankOf(kinds[1]))) === 1;
}

/**
 * Whether nobody can beat a card of a side suit: an ace, or a king if the hand has both aces.
 * @param {string} card
 * @param {View} view
 */
const isSure = (card, view) =>
  rankOf(card) === "A" ||
  (rankOf(card) === "K" && handOf(view).filter((held) => held === `A${suitOf(card)}`).length === 2);

/** Whether cards are several different ones of a side suit. @param {readonly string[]} cards @param {View} view */
const isThrow = (cards, view) =>
  new Set(cards).size > 1 && areAlike(cards, view) && groupOf(cards[0], view) !== "trumps" && !isTractor(cards, view);

/** The suits of the sets that may be shown, in which the hand has most cards. @param {View} view */
function longest(view) {
  const hints = /** @type {{ possible?: string[][] }} */ (view.decision?.hints ?? {});
  const suits = (hints.possible ?? []).map(([card]) => suitOf(card)).filter(Boolean);
  const count = (/** @type {string} */ suit) => handOf(view).filter((card) => suitOf(card) === suit).length;
  return suits.filter((suit) => suits.every((other) => count(other) <= count(suit)));
}

/**
 * Whether a low card of a suit without its ace is left besides these.
 * @param {readonly string[]} cards
 * @param {View} view
 */
function keepsLure(cards, view) {
  const left = [...handOf(view)];
  for (const card of cards) if (left.includes(card)) left.splice(left.indexOf(card), 1);
  return left.some((card) => maySpare(card, view) && !handOf(view).includes(`A${suitOf(card)}`));
}

/** The card that the viewer has called. @param {View} view */
const called = ({ round }) => /** @type {{ card?: string }[]} */ (round?.calls ?? [])[0]?.card ?? "";

/** Name of a rule -> what it allows. */
export const RULES = /** @satisfies {Record<string, Rule>} */ ({
  /** Ten points for whoever is winning. */
  tens: (cards, view) => cards.length === 1 && pointsOf(cards[0]) === 10 && !wins(cards, view),
  wins,
  /** A card of the level wins. */
  level: (cards, view) => rankOf(cards[0]) === trumpsOf(view).rank && wins(cards, view),
  /** The highest card of all. */
  boss: (cards) => cards.length === 1 && cards[0] === "BJ",
  /** An ace of a side suit. */
  ace: (cards, view) => cards.length === 1 && rankOf(cards[0]) === "A" && groupOf(cards[0], view) !== "trumps",
  /** Any card of the suit that was led. */
  follows: (cards, view) =>
    cards.every((card) => groupOf(card, view) === groupOf(view.round?.trick?.plays[0].cards[0] ?? "", view)),
  /** Nothing that is worth keeping. */
  spares: (cards, view) => cards.every((card) => maySpare(card, view)),
  tractor: isTractor,
  /** All cards of a suit that nobody can beat. */
  sure: (cards, view) =>
    isThrow(cards, view) &&
    cards.every((card) => isSure(card, view)) &&
    handOf(view).filter((card) => suitOf(card) === suitOf(cards[0]) && isSure(card, view)).length === cards.length,
  /** Two cards, of which somebody may beat one. */
  unsure: (cards, view) => cards.length === 2 && isThrow(cards, view) && !cards.every((card) => isSure(card, view)),
  /** A card of the level, of the longest suit. */
  longest: (cards, view) => cards.length === 1 && longest(view).includes(suitOf(cards[0])),
  /** Low cards, but one is left to lead to a friend. */
  sparesButLure: (cards, view) => cards.every((card) => maySpare(card, view)) && keepsLure(cards, view),
  /** An ace that the viewer does not hold, of a suit that can be led low. */
  friend: ([card], view) =>
    rankOf(card) === "A" &&
    !isJoker(card) &&
    !handOf(view).includes(card) &&
    handOf(view).some((held) => suitOf(held) === suitOf(card) && maySpare(held, view)),
  /** A card without points of the suit that was called. */
  lure: (cards, view) => cards.length === 1 && suitOf(cards[0]) === suitOf(called(view)) && maySpare(cards[0], view),
});

/**
 * Cards that a step names: those of the lesson, or, if the learner has chosen others before, some of the hand that its
 * rule allows. Empty: there are none.
 * @param {{ cards: string[], rule: keyof typeof RULES }} step
 * @param {View} view
 * @returns {string[]}
 */
export function cardsNamed({ cards, rule }, view) {
  const left = [...handOf(view)];
  if (rule === "friend" && RULES.friend(cards, view)) return cards;
  if (cards.every((card) => left.includes(card) && left.splice(left.indexOf(card), 1)) && RULES[rule](cards, view))
    return cards;
  const pool = rule === "friend" ? ["AS", "AH", "AC", "AD"] : handOf(view);
  return choices(pool, cards.length).find((each) => RULES[rule](each, view)) ?? [];
}

/**
 * All ways to choose so many of these cards, of few cards at once; otherwise those that hold together.
 * @param {string[]} cards
 * @param {number} count
 * @returns {string[][]}
 */
function choices(cards, count) {
  if (count === 1) return cards.map((card) => [card]);
  const pairs = [...new Set(cards.filter((card, at) => cards.indexOf(card) !== at))];
  if (count === 4) return pairs.flatMap((one) => pairs.map((other) => [one, one, other, other]));
  if (count === 2) return cards.flatMap((one, at) => cards.slice(at + 1).map((other) => [one, other]));
  return [];
}
