/** My past games, filtered by the address, so that a filtered list can be bookmarked. */
import { html, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { rulesets } from "../games/rules.js";
import { useAccount, useLoaded } from "../ui/hooks.js";
import { PastGames } from "./pastgames.js";
import { profileOf } from "./player.js";
import { endOfDay, ofCatalogue, t } from "../texts/texts.js";
import { Select } from "../ui/fields.js";

const SHOWN = 20;

/** What of an address filters the list. */
const FILTERS = ["ruleset", "rated", "with", "until"];

/** The address of the list. @param {Record<string, string>} asked */
function pathOf(asked) {
  const { ruleset, rated, until } = asked;
  const filters = { ruleset, rated, with: asked.with, before: until && endOfDay(until) };
  const given = Object.entries(filters).filter(([, value]) => value);
  return `/me/games?${new URLSearchParams([["limit", String(SHOWN)], ...given])}`;
}

/**
 * The other players of the listed games: id -> name.
 * @param {string} me
 */
function useMet(me) {
  const [known, setKnown] = useState(/** @type {Record<string, string>} */ ({}));
  const meet = (/** @type {import("../types").PastGame[]} */ items) => {
    const met = items
      .flatMap(({ seats }) => seats.map(({ occupant }) => occupant))
      .filter(({ player }) => player && player !== me && !(player in known))
      .map(({ player, name }) => [player, name]);
    if (met.length) setKnown({ ...known, ...Object.fromEntries(met) });
  };
  return { known, meet };
}

/** @param {{ asked: Record<string, string> }} props `ruleset`, `rated`, `with` and `until` (a day) */
export function Games({ asked }) {
  const { player = "" } = useAccount();
  const { known, meet } = useMet(player);
  const isFiltered = FILTERS.some((filter) => asked[filter]);
  return html`
    <${Filters} asked=${asked} known=${known} />
    <div class="buttons">
      <a class="button" href=${profileOf(player)}>${t("player.mine")}</a>
      ${
        isFiltered &&
        html`
          <a class="button" href="#/games">${t("games.clear")}</a>
        `
      }
    </div>
    <${PastGames} path=${pathOf(asked)} empty=${t(isFiltered ? "games.none" : "games.empty")} onItems=${meet} />
  `;
}

/**
 * @typedef {object} FiltersProps
 * @property {Record<string, string>} asked
 * @property {Record<string, string>} known the players of the listed games, id -> name
 */

/** What is listed. @param {FiltersProps} props */
function Filters({ asked, known }) {
  const { value: games = [] } = useLoaded(rulesets, []);
  // The player in the filter may be in none of the listed games.
  const { value: partner } = useLoaded(
    async () =>
      asked.with
        ? /** @type {import("../types").PublicPlayer} */ (
            await call("GET", `/players/${encodeURIComponent(asked.with)}`)
          )
        : undefined,
    [asked.with],
  );
  const names = { ...known, ...(asked.with && { [asked.with]: partner?.name ?? known[asked.with] ?? "…" }) };
  const choose = (/** @type {string} */ name) => (/** @type {string} */ value) => {
    const chosen = Object.entries({ ...asked, [name]: value }).filter(([, each]) => each);
    location.hash = `#/games${chosen.length ? `?${new URLSearchParams(chosen)}` : ""}`;
  };
  /** @type {[name: string, label: string, options: import("../ui/fields.js").Option[]][]} */
  const choices = [
    ["ruleset", t("lobby.game"), [["", t("lobby.any")], ...games.map(optionOf)]],
    [
      "rated",
      t("rating"),
      [
        ["", t("games.all")],
        ["true", t("past.rated")],
        ["false", t("games.unrated")],
      ],
    ],
    ["with", t("games.with"), [["", t("games.anybody")], ...Object.entries(names)]],
  ];
  return html`
    <div class="filters">
      ${choices.map(
        ([name, label, options]) => html`
          <label>
            ${label}
            <${Select} name=${name} value=${asked[name] ?? ""} options=${options} onChange=${choose(name)} />
          </label>
        `,
      )}
      <label>
        ${t("games.until")}
        <input
          type="date"
          name="until"
          value=${asked.until ?? ""}
          onChange=${(/** @type {any} */ event) => choose("until")(event.target.value)}
        />
      </label>
    </div>
  `;
}

/** @param {import("../types").RulesetSummary} game @returns {import("../ui/fields.js").Option} */
const optionOf = ({ id, names }) => [id, ofCatalogue(names)];
