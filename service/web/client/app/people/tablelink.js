/** A table of the player in a list. */
import { html } from "../../vendor/preact-htm.js";
import { useGameNames } from "../games/hooks.js";
import { listed, named, t } from "../texts/texts.js";

/**
 * The link to a table; what is inside stands beside its game and its status.
 * @param {{ table: import("../types").MyTable, children?: unknown }} props
 */
export function TableLink({ table, children }) {
  const nameOf = useGameNames();
  const status = named("status", table.closed ? "closed" : table.status);
  return html`
    <a class=${table.my_turn ? "turn" : ""} href=${`#/table/${table.table}`}>
      <b>${nameOf(table.ruleset)}</b>
      <span>${status}${table.round ? ` · ${t("round.number", { number: table.round })}` : ""}</span>
      ${children}
    </a>
  `;
}

/**
 * The link to a table of the lobby; what is inside stands beside its game and who sits there.
 * @param {{ table: import("../types").LobbyTable, children?: unknown }} props
 */
export function LobbyLink({ table: { table, ruleset, names }, children }) {
  const nameOf = useGameNames();
  return html`
    <a href=${`#/table/${table}`}>
      <b>${nameOf(ruleset)}</b>
      <span>${listed(names)}</span>
      ${children}
    </a>
  `;
}
