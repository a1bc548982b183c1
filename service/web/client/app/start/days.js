/** Open tables of games that take days, and a place at one of them. */
import { html, useState } from "../../vendor/preact-htm.js";
import { PlayersPage } from "../account/signin.js";
import { call } from "../api/client.js";
import { rulesets } from "../games/rules.js";
import { LobbyLink } from "../people/tablelink.js";
import { text } from "../texts/both.js";
import { language, momentText, ofCatalogue, said, t } from "../texts/texts.js";
import { Select } from "../ui/fields.js";
import { useAttempt, useLoaded } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";

/** @typedef {import("../types").LobbyTable} LobbyTable */

const TEXTS = {
  take: text("Take a place", "入座"),
  how: text(
    "You sit down at an open table, or at a new one where others join you. The game begins when all seats are taken, and you are told when it is your turn.",
    "入座公开的牌桌；没有空位时新开一桌等人加入。坐满即开局，轮到您时会通知。",
  ),
  since: text("open since {time}", "{time} 起等人"),
  none: text("No table waits for players now.", "现在没有等人的牌桌。"),
  late: text(
    "A day for each decision. Whoever lets the time run out twice in a row is played by an AI player until they are back. Games count for ratings of their own.",
    "每步一天。连续两次超时者由电脑代打，直到本人回来。积分单独计算。",
  ),
};

/** Like `t`. @param {keyof typeof TEXTS} key @param {Record<string, string>} [values] */
const say = (key, values) => said(TEXTS[key][language()], values);

export const daysScreen = () => html`
  <${PlayersPage} title=${t("lobby.days")} from="#/lobby">
    <${Places} />
    <${OpenTables} />
  <//>
`;

/** Takes a place at an open table of the game, or at a new one. */
function Places() {
  const { value: games = [] } = useLoaded(rulesets, []);
  const [ruleset, setRuleset] = useState("shengji");
  const { attempt, busy, problem } = useAttempt();
  const game = games.find(({ id }) => id === ruleset);
  const take = () =>
    attempt(async () => {
      const asked = { ruleset, players: game?.players[0], clock: "days" };
      location.hash = `#/table/${(await call("POST", "/me/ticket", asked)).table}`;
    });
  return html`
    <label>
      ${t("lobby.game")}
      <${Select}
        value=${ruleset}
        options=${games.map(({ id, names }) => [id, ofCatalogue(names)])}
        onChange=${setRuleset}
      />
    </label>
    <p class="hint">${say("late")}</p>
    <div class="buttons">
      <button type="button" class="main" disabled=${busy || !game} onClick=${take}>${say("take")}</button>
    </div>
    <p class="hint">${say("how")}</p>
    <${Refusal} problem=${problem} />
  `;
}

function OpenTables() {
  const { value, error } = useLoaded(
    async () => /** @type {LobbyTable[]} */ ((await call("GET", "/tables?limit=50&pace=days")).items),
    [],
  );
  return html`
    <${Refusal} problem=${error?.problem} />
    ${
      value &&
      !value.length &&
      html`
        <p role="status">${say("none")}</p>
      `
    }
    <ul class="my-tables" aria-label=${t("lobby")}>
      ${(value ?? []).map(
        (each) => html`
          <li key=${each.table}>
            <${LobbyLink} table=${each}>
              <span class="badge">${each.taken}/${each.players}</span>
              <span>${say("since", { time: momentText(each.created_at) })}</span>
            <//>
          </li>
        `,
      )}
    </ul>
  `;
}
