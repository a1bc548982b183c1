/**
 * What the catalogue of the API says about a table: its effective options, its cards, and the points that matter.
 *
 * @typedef {import("../types").Ruleset} Ruleset
 * @typedef {import("../types").View} View
 * @typedef {import("../types").GameOfPlayers} Game
 * @typedef {Ruleset & { game: Game | (Pick<Game, "options"> & { composition: null, scores: [] }) }} TableRules
 *   a ruleset, and the game that a table's house rules make of it; cards and scores are missing without an answer
 */
import { theAccount } from "../api/account.js";
import { call } from "../api/client.js";
import { named, t } from "../texts/texts.js";
import { inOrder } from "./offered.js";

/** @type {Map<string, Promise<any>>} */
const known = new Map();

/**
 * Fetch what does not change, once.
 * @template Value
 * @param {string} key
 * @param {() => Promise<Value>} ask
 * @returns {Promise<Value>}
 */
export function once(key, ask) {
  const asked = known.get(key) ?? ask();
  known.set(key, asked);
  asked.catch(() => known.delete(key));
  return asked;
}

/** @param {string} id @returns {Promise<Ruleset>} */
export const rulesetOf = (id) => once(id, () => call("GET", `/rulesets/${id}`));

/** The games, the classic first. @returns {Promise<import("../types").RulesetSummary[]>} */
export const rulesets = () => once("rulesets", async () => inOrder((await call("GET", "/rulesets")).items));

/**
 * The rules of a table; the service computes what its house rules change.
 * @param {{ ruleset: string, players: number, options: Record<string, unknown> }} table
 * @returns {Promise<TableRules>}
 */
export async function rulesAt({ ruleset, players, options }) {
  const rules = await rulesetOf(ruleset);
  const own = rules.games[players] ?? rules.games[rules.players[0]];
  if (!Object.keys(options).length) return { ...rules, game: own };
  const question = { players, options };
  const unknown = { options: { ...own.options, ...options }, composition: null, scores: /** @type {[]} */ ([]) };
  if (!theAccount().token) return { ...rules, game: unknown };
  const asked = once(`${ruleset} ${JSON.stringify(question)}`, () =>
    call("POST", `/rulesets/${ruleset}/game`, question, { once: true }),
  );
  return { ...rules, game: await asked.catch(() => unknown) };
}

/**
 * @typedef {object} Worth
 * @property {"declarers" | "attackers" | null} side that gains; null: neither
 * @property {number} levels
 * @property {number} from the threshold that was reached
 * @property {number | null} next
 * @property {number[]} marks all thresholds
 * @property {string} name players' name for it; empty: none
 */

/** Players' name for taking this many points; empty: none. @param {Game["scores"]} bands @param {number} at */
export function nameOf(bands, at) {
  const { side, levels, points } = bands[at];
  const kept = bands.filter((band) => band.side === "declarers");
  if (side === "declarers" && points === 0 && kept.length > 1) return t("band.shut_out");
  if (side === "declarers" && kept.length > 2 && bands[at] === kept[1]) return t("band.low");
  return side === "attackers" && levels === 0 ? t("band.over") : "";
}

/**
 * What the attackers' points are worth now, and at how many points that changes next.
 * @param {TableRules | undefined} rules
 * @param {View} view
 * @param {number} points
 * @returns {Worth | null}
 */
export function worth(rules, view, points) {
  const bands = rules?.game.scores ?? [];
  const at = bands.findLastIndex((band) => band.points <= points);
  if (at < 0) return null;
  const { side, levels, every, points: from } = bands[at];
  // A threshold at one point is nothing to aim at.
  const marks = bands.map((band) => band.points).filter((mark) => mark > 1);
  const name = nameOf(bands, at);
  if (!every)
    return { name, side, levels: capped(levels, view), from, next: marks.find((mark) => mark > points) ?? null, marks };
  const more = Math.floor((points - from) / every);
  return {
    name: more ? "" : name,
    side,
    levels: capped(levels + more, view),
    from: from + more * every,
    next: from + (more + 1) * every,
    marks,
  };
}

/** @param {number} levels @param {View} view */
const capped = (levels, { options }) =>
  typeof options.levels_cap === "number" ? Math.min(levels, options.levels_cap) : levels;

/** What points are worth, in words. @param {{ side: string | null, levels: number, name?: string }} gain */
export function worthText({ side, levels, name = "" }) {
  const text = !side
    ? t("points.nothing")
    : levels
      ? t("points.worth", { side: named("side", side), levels })
      : named("points.won", side);
  // Without a level, the text itself says what the name does.
  return name && levels ? t("band.named", { name, text }) : text;
}
