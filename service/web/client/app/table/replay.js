/**
 * A finished round, step by step: the view when it was opened and its events give the view after every action.
 *
 * @typedef {import("../types").View} View
 * @typedef {import("../types").Event} Event
 */
import { apply } from "./model.js";

/**
 * The view after each action of the record, and the throw that failed in it.
 * @param {import("../types").RoundEvents} round
 * @param {readonly { seq: number }[]} actions
 * @returns {{ view: View, failed: import("../live/session.js").FailedThrow | null }[]}
 */
export function stepsOf({ view, events }, actions) {
  const wanted = new Set(actions.map(({ seq }) => seq));
  /** @type {ReturnType<typeof stepsOf>} */
  const steps = [];
  let now = view;
  for (const event of /** @type {Event[]} */ (events)) {
    now = apply(now, event);
    if (wanted.has(event.seq)) steps.push({ view: now, failed: event.type === "throw_failed" ? event.data : null });
  }
  return steps;
}
