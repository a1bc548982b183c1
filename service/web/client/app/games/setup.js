/** Creating tables. */
import { call } from "../api/client.js";
import { shownRank } from "../cards/cards.js";
import { once } from "./rules.js";
import { listed, named, ofCatalogue, t } from "../texts/texts.js";

/** Levels of AI players, weakest first. @returns {Promise<import("../types").AiLevel[]>} */
export const aiLevels = () => once("levels", async () => (await call("GET", "")).ai_levels);

/** Times to think for a card, seconds. */
export const TIMES = [10, 20, 30, 60, 120, 600];

/** Times for games that take days, seconds: eight hours to a week. */
export const DAYS = [8, 24, 48, 72, 168].map((hours) => hours * 3600);

/** The service's default, seconds; for a person alone with AI players, the default is no limit. */
export const USUAL = 30;

/** How fast cards are dealt to a person without other people, ms per card. */
export const QUICK_DEAL = { deal_interval_ms: 180 };

/** What else is chosen for a game that takes days. @typedef {{ weekends_off?: boolean, remind?: boolean }} OfDays */

/** The time limits of a table with this many seconds for a card. @param {number} seconds @param {OfDays} [days] */
export const clockOf = (seconds, { weekends_off, remind } = {}) =>
  seconds >= DAYS[0]
    ? {
        correspondence: { decision_hours: seconds / 3600, ...(weekends_off && { weekends_off }) },
        ...(remind && { on_timeout: /** @type {const} */ ("remind") }),
      }
    : {
        play_ms: seconds * 1000,
        ...(seconds > 60 && { discard_ms: seconds * 2000, call_ms: seconds * 1000 }),
      };

/** @param {number} seconds */
export const timeText = (seconds) =>
  !seconds
    ? t("time.none")
    : seconds < 120
      ? t("create.seconds", { count: seconds })
      : seconds < DAYS[0]
        ? t("create.minutes", { count: seconds / 60 })
        : seconds < 86_400
          ? t("create.hours", { count: seconds / 3600 })
          : t("create.days", { count: seconds / 86_400 });

/**
 * Create a table, sit down, and optionally fill it with AI players and start.
 * @param {Partial<import("../types").NewTable>} spec
 * @param {{
 *   ai?: string,
 *   seat?: number,
 *   path?: string,
 * }} [how] `ai`: the level of all others; the game begins at once. `seat`: where to sit. `path`: of a table in the page
 * @returns {Promise<string>} id of the table
 */
export async function makeTable(spec, { ai, seat = 0, path = "/tables" } = {}) {
  const { id, players } = await call("POST", path, spec);
  await call("POST", `/tables/${id}/seats`, { seat });
  if (ai) {
    const others = Array.from({ length: players }, (_, each) => each).filter((each) => each !== seat);
    await Promise.all(others.map((each) => call("PUT", `/tables/${id}/seats/${each}/ai`, { level: ai })));
    await call("PUT", `/tables/${id}/seats/me/ready`, {});
  }
  return id;
}

/**
 * Create a practice table that deals the cards of a finished round again, at the level at which it was played.
 * @param {import("../types").View} view of that round
 * @param {import("../types").RecordedRound} record
 * @param {number} seat where to sit
 */
export function dealAgain(view, record, seat) {
  const { server_seed, shuffle_name, entropy } = record.shuffle;
  const level = record.standings?.[record.declarer ?? record.starter]?.level ?? "";
  // With another size of the kitty, the removed cards depend on the first level.
  const options = {
    ...view.options,
    ...(/^([2-9TJQKA]|NT)$/.test(level) && !("kitty_size" in view.options) && { start_level: level }),
  };
  const deal = {
    server_seed,
    shuffle_name,
    entropy,
    round: record.round,
    starter: record.starter,
    declarer: record.declarer ?? undefined,
  };
  return makeTable(
    { ruleset: /** @type {any} */ (view.ruleset), players: view.players, options, deal },
    { ai: "normal", seat },
  );
}

/**
 * The options that were chosen, in words.
 * @param {import("../types").Ruleset | undefined} rules
 * @param {Record<string, unknown>} options
 */
export const chosenOptions = (rules, options) =>
  (rules?.options ?? [])
    .filter((option) => option.name in options)
    .map((option) => ({ title: ofCatalogue(option.title), value: valueText(option, options[option.name]) }));

/** A value of an option, in words. @param {import("../types").Option} option @param {any} value */
export function valueText(option, value) {
  const known = option.values.find((each) => JSON.stringify(each.value) === JSON.stringify(value));
  const meaning = ofCatalogue(known?.meaning);
  if (meaning) return meaning;
  if (typeof value === "boolean") return t(value ? "value.yes" : "value.no");
  if (Array.isArray(value))
    return (
      value
        .map((each) => (typeof each === "string" ? shownRank(each) : partsText(each)))
        .join(typeof value[0] === "string" ? " " : "; ") || t("value.none")
    );
  if (value && typeof value === "object") return partsText(value) || t("value.none");
  return value === null || value === undefined ? t("value.none") : shownRank(String(value));
}

/** The parts of a value, in words; ranks that fall to other ranks as "Q → 6". @param {Record<string, unknown>} value */
const partsText = (value) =>
  listed(
    Object.entries(value).map(([name, each]) =>
      name.length === 1
        ? `${shownRank(name)} → ${shownRank(String(each))}`
        : each === true
          ? named("part", name)
          : `${named("part", name)}: ${shownRank(String(each))}`,
    ),
  );
