/**
 * A lesson: a fixed deal, and what the learner is to do, step by step. Progress follows from the view, so a lesson goes
 * on where it was left. An action that is legal but misses the point of a step is not sent.
 *
 * @typedef {import("../types").View} View
 * @typedef {{ en: string, "zh-Hans": string }} Text
 * @typedef {object} Step
 * @property {"play" | "declare" | "discard" | "call"} do
 * @property {keyof typeof import("./words.js").STEPS} say what the coach says
 * @property {keyof typeof import("./rules.js").RULES} rule which cards get the point
 * @property {string[]} [cards] those that the coach names; left out: none
 * @property {boolean} [quiz] whether the cards are named only after a miss
 *
 * @typedef {object} Lesson
 * @property {string} id
 * @property {Text} title
 * @property {Text} intro
 * @property {Text} end
 * @property {Partial<import("../types").NewTable>} table
 * @property {string[]} [bury] cards that the page buries before the lesson begins
 * @property {Step[]} steps
 */
import { isJoker, isTrump, suitOf } from "../cards/cards.js";
import { cardsNamed, RULES } from "./rules.js";
import { Session } from "../live/session.js";

/** Whether two lists have the same cards. @param {readonly string[]} one @param {readonly string[]} other */
const same = (one, other) => [...one].sort().join() === [...other].sort().join();

/** How many tricks are over. @param {View} view */
const tricksOver = ({ round }) => round?.last_trick?.number ?? 0;

/** How many steps are done. @param {Lesson} lesson @param {View} view */
export function stepsDone({ steps }, view) {
  let plays = 0;
  const next = steps.findIndex((step) => !isDone(step, view, step.do === "play" ? ++plays : plays));
  return next < 0 ? steps.length : next;
}

/** @param {Step} step @param {View} view @param {number} plays number of plays in the steps up to this one */
function isDone(step, view, plays) {
  const { round, my } = view;
  if (step.do === "play") return tricksOver(view) >= plays;
  if (step.do === "discard") return Boolean(my?.discard);
  if (step.do === "call") return Boolean(round?.calls?.length);
  return Boolean(round?.trump || round?.declarations?.some(({ seat }) => seat === my?.seat));
}

/** The step that an open decision is for. @param {Lesson} lesson @param {View} view */
export function stepAsked(lesson, view) {
  const step = lesson.steps[stepsDone(lesson, view)];
  return step && step.do === view.decision?.kind && view.decision.seats.includes(view.my?.seat ?? -1) ? step : null;
}

/** The cards that the coach names for a step. @param {Step} step @param {View} view */
export const namedBy = ({ cards, rule }, view) => (cards ? cardsNamed({ cards, rule }, view) : []);

/**
 * Whether the game has left the course of the lesson, so that no card gets the point of a step.
 * @param {Step} step
 * @param {View} view
 */
export const isOff = (step, view) => step.cards !== undefined && !namedBy(step, view).length;

/**
 * Whether an action gets the point of a step.
 * @param {Step} step
 * @param {string} action
 * @param {any} body
 * @param {View} view
 */
export function fits(step, action, body, view) {
  if (step.do === "call") return body.calls[0].ordinal === 1 && RULES[step.rule]([body.calls[0].card], view);
  return action === step.do && body.cards?.length > 0 && RULES[step.rule](body.cards, view);
}

/** Whether cards are of several suits, which no lead may be. @param {string[]} cards @param {View} view */
function isMixed(cards, { my }) {
  const groups = cards.map((card) => (isJoker(card) || (my && isTrump(card, my.sorted_by)) ? "trumps" : suitOf(card)));
  return new Set(groups).size > 1;
}

/** The table of a lesson. */
export class LessonSession extends Session {
  /** @param {string} table @param {Lesson} lesson */
  constructor(table, lesson) {
    super(table);
    this.lesson = lesson;
    this.teaches = true;
    /** How often the learner has missed the point, and of which step. */
    this.misses = { count: 0, step: -1 };
  }

  /** Answer the open decision, unless that misses the point of the step. @param {string} action @param {any} body */
  async act(action, body = {}) {
    const { view } = this.state;
    const step = view && stepAsked(this.lesson, view);
    if (!view || !step || fits(step, action, body, view) || !(await this.allows(action, body, view)))
      return super.act(action, body);
    this.misses = { count: this.misses.count + 1, step: stepsDone(this.lesson, view) };
    this.change({ refusal: null });
    return false;
  }

  /**
   * Whether the rules allow an action, as far as the page knows. Illegal ones are sent, so that the service refuses
   * them in its own words.
   * @param {string} action
   * @param {any} body
   * @param {View} view
   */
  async allows(action, body, view) {
    if (action !== "play")
      return action !== "discard" || body.cards.length === /** @type {any} */ (view.decision?.hints)?.cards;
    const { plays, complete } = await this.get("/legal-plays?limit=500");
    return complete ? plays.some((/** @type {string[]} */ play) => same(play, body.cards)) : !isMixed(body.cards, view);
  }
}
