/** The deals that the player has sent. */
import { html } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { PlayersPage } from "../account/signin.js";
import { useGameNames } from "../games/hooks.js";
import { momentText } from "../texts/texts.js";
import { useLoaded } from "../ui/hooks.js";
import { Loading } from "../ui/loading.js";
import { say } from "./dealwords.js";

export const SentDeals = () => html`
  <${PlayersPage} title=${say("sent")} from="#/games"><${List} /><//>
`;

function List() {
  const nameOf = useGameNames();
  const { value, error } = useLoaded(
    async () => /** @type {import("../types").DealLink[]} */ ((await call("GET", "/me/deal-links")).items),
    [],
  );
  if (!value)
    return html`
      <${Loading} error=${error} />
    `;
  if (!value.length)
    return html`
      <p class="hint">${say("sent.none")}</p>
    `;
  return html`
    <ul class="my-tables" aria-label=${say("sent")}>
      ${value.map(
        (deal) => html`
          <li key=${deal.code}>
            <a class="button" href=${`#/deal/${deal.code}`}>
              ${nameOf(deal.ruleset)}${" · "}${say("sent.when", { when: momentText(deal.sent_at) })}
              ${" · "}${say("played", { count: deal.played })}
            </a>
          </li>
        `,
      )}
    </ul>
  `;
}
