/** The cards of a hand that must be played to a lead. @typedef {import("../types").PlayHints} Hints */
import { isTrump, suitOf, without } from "./cards.js";

/**
 * The cards of a hand that are of a suit, or trumps.
 * @param {NonNullable<import("../types").View["my"]>} my
 * @param {string} group a suit or "trumps"; in Arm's Length the trumps are a suit like the others
 */
const ofGroup = ({ hand, sorted_by: by }, group) =>
  hand.filter((card) => (isTrump(card, by) && by.suit !== group ? group === "trumps" : suitOf(card) === group));

/**
 * The cards that can follow suit, if there are no more of them than asked for, so that all must be played. Otherwise
 * null.
 * @param {Hints} hints
 * @param {NonNullable<import("../types").View["my"]>} my
 */
export function allThatFollow({ cards, must_follow }, my) {
  const held = must_follow ? ofGroup(my, must_follow) : [];
  return cards !== null && held.length && held.length <= cards ? held : null;
}

/**
 * The cards that every legal play contains.
 * @param {string[][]} plays
 * @param {boolean} complete whether these are all legal plays
 * @param {Hints} hints
 * @param {NonNullable<import("../types").View["my"]>} my
 */
export function forced(plays, complete, hints, my) {
  if (complete) return plays.reduce((common, play) => without(common, without(common, play)), plays[0] ?? []);
  // A bomb (as many identical cards as are asked for) need not follow suit.
  const bomb = my.hand.some((card) => my.hand.filter((other) => other === card).length >= (hints.cards ?? 1));
  return bomb ? [] : (allThatFollow(hints, my) ?? []);
}
