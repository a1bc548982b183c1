/** Public tables with a free seat. */
import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { call, Refused } from "../api/client.js";
import { codeOf, pathOfCode, placeOf } from "../api/codes.js";
import { onReturn } from "../api/network.js";
import { lengthText } from "../games/length.js";
import { rulesets } from "../games/rules.js";
import { useAccount, useLoaded, useOnline } from "../ui/hooks.js";
import { LobbyLink } from "../people/tablelink.js";
import { PageBar } from "../ui/pagebar.js";
import { Refusal } from "../ui/refusal.js";
import { SignIn } from "../account/signin.js";
import { ofCatalogue, t } from "../texts/texts.js";
import { Field, Select } from "../ui/fields.js";

/** @typedef {import("../types").LobbyTable} LobbyTable */

/** @param {{ code?: string }} props `code`: from a text that was shared with this page */
export function LobbyScreen({ code }) {
  const { token } = useAccount();
  const online = useOnline();
  const [ruleset, setRuleset] = useState("");
  const [status, setStatus] = useState("lobby");
  const query = `?limit=50&status=${status}${ruleset ? `&ruleset=${ruleset}` : ""}`;
  const {
    value: items,
    error,
    again,
  } = useLoaded(
    async () => (token ? /** @type {LobbyTable[]} */ ((await call("GET", `/tables${query}`)).items) : []),
    [query, token],
  );
  useEffect(() => onReturn(again), []);
  return html`
    <main class="page">
      <${PageBar} title=${t("lobby")} />
      ${
        !online &&
        html`
          <p class="offline" role="status">${t("offline.here")}</p>
        `
      }
      ${
        !token &&
        html`
          <${SignIn} />
        `
      }
      <${Refusal} problem=${error?.problem} />
      <${Filters} ruleset=${ruleset} onRuleset=${setRuleset} status=${status} onStatus=${setStatus} />
      <div class="buttons"><button type="button" onClick=${again}>${t("lobby.again")}</button></div>
      <${Tables} items=${items ?? []} />
      ${
        items &&
        !items.length &&
        html`
          <p class="hint">${t(status === "playing" ? "lobby.none" : "lobby.empty")}</p>
        `
      }
      <${CodeForm} key=${code} given=${code} />
      <p>
        <a class="button" href="#/new">${t("create")}</a>
        ${" "}
        <a class="button" href="#/days">${t("lobby.days")}</a>
      </p>
    </main>
  `;
}

/**
 * @typedef {object} FiltersProps
 * @property {string} ruleset "": any
 * @property {(ruleset: string) => void} onRuleset
 * @property {string} status
 * @property {(status: string) => void} onStatus
 */

/** Which tables are listed. @param {FiltersProps} props */
function Filters({ ruleset, onRuleset, status, onStatus }) {
  const { value: games = [] } = useLoaded(rulesets, []);
  /** @type {import("../ui/fields.js").Option[]} */
  const known = games.map((game) => [game.id, ofCatalogue(game.names)]);
  return html`
    <div class="filters">
      <label>
        ${t("lobby.game")}
        <${Select} value=${ruleset} options=${[["", t("lobby.any")], ...known]} onChange=${onRuleset} />
      </label>
      <label>
        ${t("lobby.status")}
        <${Select}
          value=${status}
          options=${[
            ["lobby", t("lobby.free")],
            ["playing", t("lobby.running")],
          ]}
          onChange=${onStatus}
        />
      </label>
    </div>
  `;
}

/** @param {{ items: LobbyTable[] }} props */
function Tables({ items }) {
  return html`
    <ul class="my-tables" aria-label=${t("lobby")}>
      ${items.map(
        (each) => html`
          <li key=${each.table}>
            <${LobbyLink} table=${each}>
              <span class="badge">${each.taken}/${each.players}</span>
              ${
                each.length &&
                html`
                  <span>${lengthText(each.length)}</span>
                `
              }
            <//>
          </li>
        `,
      )}
    </ul>
  `;
}

/** The address of the table to which a code leads. @param {string} code */
const addressOf = async (code) =>
  `#/table/${(await call("GET", pathOfCode(code))).table}?code=${encodeURIComponent(code)}`;

/**
 * A form for a join code or watch code of a table, or the code of a room or a club.
 * @param {{ given?: string }} props
 */
function CodeForm({ given: first = "" }) {
  const [code, setCode] = useState(first);
  const [problem, setProblem] = useState(/** @type {import("../types").Problem | null} */ (null));
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      location.hash = (await placeOf(code)) || (await addressOf(codeOf(code)));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      setProblem(error.problem);
    }
  };
  return html`
    <form class="name" onSubmit=${submit}>
      <${Field}
        label=${t("lobby.code")}
        name="code"
        required
        maxlength="300"
        autocomplete="off"
        value=${code}
        onChange=${setCode}
      />
      <button type="submit">${t("lobby.open")}</button>
      <${Refusal} problem=${problem} onClose=${() => setProblem(null)} />
    </form>
  `;
}
