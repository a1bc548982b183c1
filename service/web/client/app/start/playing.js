/** Where people play just now: tables to watch, some with the seat of an AI player to take after the round. */
import { html } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { LobbyLink } from "../people/tablelink.js";
import { t } from "../texts/texts.js";
import { useLoaded } from "../ui/hooks.js";

/** @typedef {import("../types").LobbyTable} LobbyTable */

/** Tables that are shown. */
const MOST = 3;
/** Those with more people come first. @param {LobbyTable} one @param {LobbyTable} other */
const byPeople = (one, other) => other.humans - one.humans;

export function Playing() {
  const { value: tables = [] } = useLoaded(async () => {
    const { items } = await call("GET", "/tables?status=playing&kind=human&limit=20");
    return /** @type {LobbyTable[]} */ (items).filter(({ practice }) => !practice).sort(byPeople);
  }, []);
  if (!tables.length) return null;
  const people = tables.reduce((sum, { humans }) => sum + humans, 0);
  return html`
    <section aria-labelledby="playing">
      <h2 id="playing">${t("start.playing", { count: people })}</h2>
      <ul class="my-tables">
        ${tables.slice(0, MOST).map(
          (each) => html`
            <li key=${each.table}>
              <${LobbyLink} table=${each}>
                <span class="badge">${t(each.ais ? "start.playing.seat" : "start.playing.watch")}</span>
              <//>
            </li>
          `,
        )}
      </ul>
    </section>
  `;
}
