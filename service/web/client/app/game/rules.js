/**
 * What the catalogue of the API says about a table: its effective options, its cards, and the points that matter.
 *
 * @typedef {import("../types").Ruleset} Ruleset
 * @typedef {import("../types").View} View
 */
import { call } from "../api/client.js";
import { scoreTable } from "./scores.js";
import { named, t } from "../texts/texts.js";

/** @type {Map<string, Promise<Ruleset>>} */
const known = new Map();

/** A ruleset; asked for once. @param {string} id @returns {Promise<Ruleset>} */
export function rulesetOf(id) {
  const asked = known.get(id) ?? call("GET", `/rulesets/${id}`);
  known.set(id, asked);
  asked.catch(() => known.delete(id));
  return asked;
}

/** @returns {Promise<import("../types").RulesetSummary[]>} */
export const rulesets = async () => (await call("GET", "/rulesets")).items;

/** Every option with its value at this table. @param {Ruleset | undefined} rules @param {{ players: number, options: Record<string, any> }} table */
export const optionsOf = (rules, table) => /** @type {Record<string, any>} */ ({ ...rules?.games[table.players]?.options, ...table.options });

/**
 * What the attackers' points are worth now, and at which number that changes next.
 * @param {Ruleset | undefined} rules
 * @param {View} view
 * @param {number} points
 * @returns {{ side: "declarers" | "attackers" | null, levels: number, from: number, next: number | null, marks: number[] } | null}
 *   `from`: the threshold that was reached; `marks`: all thresholds
 */
export function worth(rules, view, points) {
  const bands = rules ? scoreTable(rules, view) : [];
  const at = bands.findLastIndex((band) => band.points <= points);
  if (at < 0) return null;
  const { side, levels, every, points: from } = bands[at];
  // Between none and one point lies no threshold to aim at.
  const marks = bands.map((band) => band.points).filter((mark) => mark > 1);
  if (!every) return { side, levels: capped(levels, view), from, next: marks.find((mark) => mark > points) ?? null, marks };
  const more = Math.floor((points - from) / every);
  return { side, levels: capped(levels + more, view), from: from + more * every, next: from + (more + 1) * every, marks };
}

/** @param {number} levels @param {View} view */
const capped = (levels, { options }) => (typeof options.levels_cap === "number" ? Math.min(levels, options.levels_cap) : levels);

/** What points are worth, in words. @param {{ side: string | null, levels: number }} gain */
export function worthText({ side, levels }) {
  if (!side) return t("points.nothing");
  return levels ? t("points.worth", { side: named("side", side), levels }) : t("points.won", { side: named("side", side) });
}
