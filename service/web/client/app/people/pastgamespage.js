/** My past games, filtered by the address, so that a filtered list can be bookmarked. */
import { html, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { rulesets } from "../games/rules.js";
import { useAccount, useLoaded } from "../ui/hooks.js";
import { PastGames } from "./pastgames.js";
import { profileOf } from "./player.js";
import { PlayersPage } from "../account/signin.js";
import { endOfDay, ofCatalogue, t } from "../texts/texts.js";

const SHOWN = 20;

/** @param {{ asked: Record<string, string> }} props `ruleset`, `rated`, `with` and `until` (a day) */
export const GamesScreen = ({ asked }) => html`
  <${PlayersPage} title=${t("games")}><${Games} asked=${asked} /><//>
`;

/** @param {{ asked: Record<string, string> }} props */
function Games({ asked }) {
  const { player = "" } = useAccount();
  const { ruleset, rated, until } = asked;
  const query = new URLSearchParams({
    limit: String(SHOWN),
    ...(ruleset && { ruleset }),
    ...(rated && { rated }),
    ...(asked.with && { with: asked.with }),
    ...(until && { before: endOfDay(until) }),
  });
  const { value: games = [] } = useLoaded(rulesets, []);
  const [known, setKnown] = useState(/** @type {Record<string, string>} */ ({}));
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
  const meet = (/** @type {import("../types").PastGame[]} */ items) => {
    const met = items.flatMap(({ seats }) =>
      seats.flatMap(({ occupant }) =>
        occupant.player && occupant.player !== player && !(occupant.player in known)
          ? [[occupant.player, occupant.name]]
          : [],
      ),
    );
    if (met.length) setKnown({ ...known, ...Object.fromEntries(met) });
  };
  const choose = (/** @type {string} */ name) => (/** @type {any} */ event) => {
    const chosen = Object.entries({ ...asked, [name]: event.target.value }).filter(([, value]) => value);
    location.hash = `#/games${chosen.length ? `?${new URLSearchParams(chosen)}` : ""}`;
  };
  const isFiltered = Boolean(ruleset || rated || asked.with || until);
  return html`
    <div class="filters">
      <label>
        ${t("lobby.game")}
        <select name="ruleset" value=${ruleset ?? ""} onChange=${choose("ruleset")}>
          <option value="">${t("lobby.any")}</option>
          ${games.map(
            ({ id, names: title }) => html`
              <option value=${id}>${ofCatalogue(title)}</option>
            `,
          )}
        </select>
      </label>
      <label>
        ${t("rating")}
        <select name="rated" value=${rated ?? ""} onChange=${choose("rated")}>
          <option value="">${t("games.all")}</option>
          <option value="true">${t("past.rated")}</option>
          <option value="false">${t("games.unrated")}</option>
        </select>
      </label>
      <label>
        ${t("games.with")}
        <select name="with" value=${asked.with ?? ""} onChange=${choose("with")}>
          <option value="">${t("games.anybody")}</option>
          ${Object.entries(names).map(
            ([id, name]) => html`
              <option value=${id}>${name}</option>
            `,
          )}
        </select>
      </label>
      <label>
        ${t("games.until")}
        <input type="date" name="until" value=${until ?? ""} onChange=${choose("until")} />
      </label>
    </div>
    <div class="buttons">
      <a class="button" href=${profileOf(player)}>${t("player.mine")}</a>
      ${
        isFiltered &&
        html`
          <a class="button" href="#/games">${t("games.clear")}</a>
        `
      }
    </div>
    <${PastGames} path=${`/me/games?${query}`} empty=${t(isFiltered ? "games.none" : "games.empty")} onItems=${meet} />
  `;
}
