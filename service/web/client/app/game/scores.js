/** The score table of a table whose house rules change it, as docs/rules.md §9 has it. */

/** @typedef {import("../types").Ruleset["games"][string]["scores"][number]} Band */

/** Options that give another score table than the catalogue's. */
const OWN_TABLE = ["decks", "points_per_level", "steps_to_win", "dead_zone", "shut_out_level", "active_passive"];

/** Points per deck, side and levels with `active_passive`; and in `zhaopengyou`. @type {[number, Band["side"], number][]} */
const ACTIVE = [[0, "declarers", 2], [40, "attackers", 1], [80, "attackers", 2], [100, "attackers", 3]];
/** @type {[number, Band["side"], number][]} */
const ZHAOPENGYOU = [[0, "declarers", 3], [20, "declarers", 1], [40, null, 0], [60, "attackers", 1], [80, "attackers", 2], [100, "attackers", 3]];

/**
 * From how many points of the attackers on which side gains how many levels, from 0 points up.
 * @param {import("../types").Ruleset} rules
 * @param {{ players: number, options: Record<string, any> }} table
 * @returns {readonly Band[]}
 */
export function scoreTable(rules, { players, options: chosen }) {
  const game = rules.games[players];
  if (!game?.scores.length || !OWN_TABLE.some((name) => name in chosen)) return game?.scores ?? [];
  const options = /** @type {Record<string, any>} */ ({ ...game.options, ...chosen });
  const decks = options.decks ?? game.composition.decks;
  if (options.active_passive) return perDeck(ACTIVE, decks, 1);
  // A ruleset's own step grows with the decks.
  const own = /** @type {any} */ (game.options).points_per_level;
  const step = chosen.points_per_level ?? (own && (own / game.composition.decks) * decks);
  if (step) return inSteps(step, options.steps_to_win === null ? 40 * decks : options.steps_to_win * step, options.dead_zone, options.shut_out_level);
  if (rules.id !== "zhaopengyou_80") return perDeck(ZHAOPENGYOU, decks, 2);
  const unit = { 2: 40, 3: 55 }[/** @type {number} */ (decks)] ?? 20 * decks;
  return [band(0, "declarers", 3), band(1, "declarers", 2), band(unit, "declarers", 1), ...[2, 3, 4, 5].map((at) => band(at * unit, "attackers", at - 1))];
}

/** @param {number} points @param {Band["side"]} side @param {number} levels @returns {Band} */
const band = (points, side, levels) => ({ points, side, levels });

/** @param {[number, Band["side"], number][]} rows @param {number} decks @param {number} first levels of the declarers from 1 point on */
function perDeck(rows, decks, first) {
  const [none, ...others] = rows.map(([points, side, levels]) => band(points * decks, side, levels));
  return [none, band(1, "declarers", first), ...others];
}

/** @param {number} step @param {number} win points that win the round @param {number} dead steps that win no level @param {boolean} shutOut @returns {Band[]} */
function inSteps(step, win, dead, shutOut) {
  const steps = win / step;
  return [
    band(0, "declarers", steps + Number(shutOut)),
    ...Array.from({ length: steps }, (_, at) => band(Math.max(1, at * step), "declarers", steps - at)),
    ...(dead > 1 ? [band(win, "attackers", 0)] : []),
    { ...band(win + Math.max(0, dead - 1) * step, "attackers", Number(dead === 0)), every: step },
  ];
}
