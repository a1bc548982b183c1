/** Hooks for the catalogue of games. */
import { ofCatalogue, t } from "../texts/texts.js";
import { useLoaded } from "../ui/hooks.js";
import { rulesAt, rulesets } from "./rules.js";

/** What follows the id of a game in the name of the pool in which its games of days are rated. */
export const DAYS = ".days";

/**
 * The name of a game by its id, or that of a pool of ratings; until names are known, the id itself.
 * @returns {(id: string) => string}
 */
export function useGameNames() {
  const { value: games = [] } = useLoaded(rulesets, []);
  const nameOf = (/** @type {string} */ id) => ofCatalogue(games.find((game) => game.id === id)?.names) || id;
  return (id) => (id.endsWith(DAYS) ? t("pool.days", { game: nameOf(id.slice(0, -DAYS.length)) }) : nameOf(id));
}

/** The rules of the table in a view. @param {import("../types").View | null | undefined} view */
export function useRules(view) {
  const { ruleset, players, options } = view ?? {};
  return useLoaded(
    async () => (ruleset && players && options ? rulesAt({ ruleset, players, options }) : undefined),
    [ruleset, players, JSON.stringify(options)],
  ).value;
}
