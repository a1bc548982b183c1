/** Hooks for the catalogue of games. */
import { ofCatalogue } from "../texts/texts.js";
import { useLoaded } from "../ui/hooks.js";
import { rulesAt, rulesets } from "./rules.js";

/** The name of a game by its id; until names are known, the id itself. @returns {(id: string) => string} */
export function useGameNames() {
  const { value: games = [] } = useLoaded(rulesets, []);
  return (id) => ofCatalogue(games.find((game) => game.id === id)?.names) || id;
}

/** The rules of the table in a view. @param {import("../types").View | null | undefined} view */
export function useRules(view) {
  const { ruleset, players, options } = view ?? {};
  return useLoaded(
    async () => (ruleset && players && options ? rulesAt({ ruleset, players, options }) : undefined),
    [ruleset, players, JSON.stringify(options)],
  ).value;
}
