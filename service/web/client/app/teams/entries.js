/**
 * Teams of an event, as data.
 *
 * @typedef {import("../types").TeamEvent} TeamEvent
 * @typedef {import("../types").TeamOfEvent} Team
 */
import { say } from "./words.js";

/** Whether every other seat of a game is on the same side; not where friends are found. @param {string} ruleset */
export const hasSides = (ruleset) => !/^(zhaopengyou|finding_friends)/.test(ruleset);

/** @param {TeamEvent} event @param {string} team */
export const teamNamed = ({ entries }, team) =>
  // The AI team is among the entries from the first round on in which it plays.
  entries.find((each) => each.team === team)?.name ?? (team === "tm_house" ? "AI" : team);

/**
 * What to do to enter a team, a pair, or a player.
 * @param {TeamEvent} event
 * @param {boolean} [own] with the reader
 */
export const enterText = ({ size, players }, own = false) => {
  const unit = size === 1 ? "player" : size < players ? "pair" : "team";
  return say(own ? `enter.own.${unit}` : `enter.${unit}`);
};

/** @param {TeamEvent} event @returns {Team | undefined} */
export const myTeam = ({ entries, mine }) => entries.find(({ team }) => team === mine.team);

/** Who still has to agree, or is missing. @param {Team} team */
export const lacking = ({ members }) =>
  members.filter(({ confirmed }) => !confirmed).map(({ name }) => name || say("nobody"));

/**
 * A refusal that names teams and players instead of their ids.
 * @template {import("../types").Problem | null} Of
 * @param {Of} problem
 * @param {TeamEvent} event
 * @returns {Of}
 */
export function withNames(problem, event) {
  if (!problem) return problem;
  const members = event.entries.flatMap((team) => team.members.map(({ player, name }) => [player, name]));
  const names = Object.fromEntries([
    [event.event, event.name],
    ...event.entries.map(({ team, name }) => [team, name]),
    ...members,
  ]);
  const named = (/** @type {string} */ text) =>
    text.replace(/\b(?:ev|tm|pl)_\w+/g, (id) => names[id] ?? (id.startsWith("tm_") ? say("this") : id));
  return {
    ...problem,
    detail: named(problem.detail),
    errors: problem.errors?.map((fault) => ({ ...fault, detail: named(fault.detail) })),
  };
}

/** The numbers of the boards of a round. @param {{ boards: number }} event @param {number} round */
export const boardsOf = ({ boards }, round) => Array.from({ length: boards }, (_, at) => (round - 1) * boards + at + 1);
