/** Public tables with a free seat. */
import { html, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { rulesets } from "../game/rules.js";
import { useAccount, useLoaded } from "../parts/hooks.js";
import { NameForm } from "../parts/name.js";
import { PageBar } from "../parts/pagebar.js";
import { Refusal } from "../parts/refusal.js";
import { ofCatalogue, t } from "../texts/texts.js";

/** @typedef {import("../types").LobbyTable} LobbyTable */

export function LobbyScreen() {
  const { token } = useAccount();
  const [ruleset, setRuleset] = useState("");
  const { value: games = [] } = useLoaded(rulesets, []);
  const query = ruleset ? `?limit=50&ruleset=${ruleset}` : "?limit=50";
  const { value: items, error, again } = useLoaded(
    async () => (token ? /** @type {LobbyTable[]} */ ((await call("GET", `/tables${query}`)).items) : []),
    [query, token],
  );
  const nameOf = (/** @type {string} */ id) => ofCatalogue(games.find((game) => game.id === id)?.names) || id;
  return html`<main class="page">
    <${PageBar} title=${t("lobby")} />
    ${!token && html`<${NameForm} />`}
    ${error?.problem && html`<${Refusal} problem=${error.problem} />`}
    <div class="buttons">
      <label class="check">${t("lobby.game")}
        <select value=${ruleset} onChange=${(/** @type {any} */ event) => setRuleset(event.target.value)}>
          <option value="">${t("lobby.any")}</option>
          ${games.map((game) => html`<option value=${game.id}>${ofCatalogue(game.names)}</option>`)}
        </select></label>
      <button type="button" onClick=${again}>${t("lobby.again")}</button>
    </div>
    <ul class="my-tables">
      ${items?.map(
        (each) => html`<li key=${each.table}><a href=${`#/table/${each.table}`}>
          <b>${nameOf(each.ruleset)}</b><span>${each.names.join(", ")}</span><span class="badge">${each.taken}/${each.players}</span>
        </a></li>`,
      )}
    </ul>
    ${items && !items.length && html`<p class="hint">${t("lobby.empty")}</p>`}
    <p><a class="button" href="#/new">${t("create")}</a></p>
  </main>`;
}
