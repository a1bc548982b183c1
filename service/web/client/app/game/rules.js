/**
 * What the catalogue of the API says about a table: its effective options, its cards, and the points that matter.
 *
 * @typedef {import("../types").Ruleset} Ruleset
 * @typedef {import("../types").View} View
 */
import { call } from "../api/client.js";
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

/** Options that change who gains how many levels. */
const SCORING = ["points_per_level", "steps_to_win", "dead_zone", "shut_out_level", "negative_points", "levels_cap", "decks", "special_decks", "kitty_size", "auto_level", "active_passive"];

/**
 * The points from which on a side gains: rows of the score table, where the table's own options leave it as it is.
 * @param {Ruleset | undefined} rules
 * @param {View} view
 */
export function thresholds(rules, view) {
  if (SCORING.some((name) => name in view.options)) return [];
  return rules?.games[view.players]?.scores ?? [];
}

/**
 * What the attackers' points are worth now, and at which number that changes next.
 * @param {Ruleset | undefined} rules
 * @param {View} view
 * @param {number} points
 * @returns {{ side: "declarers" | "attackers" | null, levels: number, next: number | null } | null}
 */
export function worth(rules, view, points) {
  const bands = thresholds(rules, view);
  const at = bands.findLastIndex((band) => band.points <= points);
  if (at < 0) return null;
  const { side, levels, every, points: from } = bands[at];
  if (!every) return { side, levels, next: bands[at + 1]?.points ?? null };
  const more = Math.floor((points - from) / every);
  return { side, levels: levels + more, next: from + (more + 1) * every };
}

/** What points are worth, in words. @param {{ side: string | null, levels: number }} gain */
export function worthText({ side, levels }) {
  if (!side) return t("points.nothing");
  return levels ? t("points.worth", { side: named("side", side), levels }) : t("points.won", { side: named("side", side) });
}
