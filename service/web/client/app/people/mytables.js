/** My tables: first those that wait for me, the most urgent one at the top, then the others. */
import { html } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { PlayersPage } from "../account/signin.js";
import { text } from "../texts/both.js";
import { language, momentText, said, t } from "../texts/texts.js";
import { useLoaded, useRepeated } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { TableLink } from "./tablelink.js";

/** @typedef {import("../types").MyTable} MyTable */

/** How often the list is read while the page is visible, ms. */
const LOOK_MS = 10_000;

const TEXTS = {
  waiting: text("They wait for me", "等我出手"),
  others: text("The others", "其他牌桌"),
  until: text("until {time}", "截止 {time}"),
  nobody: text("No table waits for you.", "没有牌桌在等您。"),
  none: text("You sit at no table.", "您没有坐在任何牌桌。"),
};

/** Like `t`. @param {keyof typeof TEXTS} key @param {Record<string, string>} [values] */
const say = (key, values) => said(TEXTS[key][language()], values);

/** @param {{ label: string, tables: MyTable[] }} props */
const List = ({ label, tables }) => html`
  <ul class="my-tables" aria-label=${label}>
    ${tables.map(
      (each) => html`
        <li key=${each.table}>
          <${TableLink} table=${each}>
            ${
              each.my_turn &&
              each.deadline_at &&
              html`
                <span class="badge">${say("until", { time: momentText(each.deadline_at) })}</span>
              `
            }
          <//>
        </li>
      `,
    )}
  </ul>
`;

/** The service sorts them: first those that wait for me, by deadline. */
function Tables() {
  const { value, error, again } = useLoaded(
    async () => /** @type {MyTable[]} */ ((await call("GET", "/me/tables")).items),
    [],
  );
  useRepeated(again, LOOK_MS);
  const waiting = value?.filter((each) => each.my_turn) ?? [];
  const others = value?.filter((each) => !each.my_turn) ?? [];
  if (!value)
    return error?.problem
      ? html`
          <${Refusal} problem=${error.problem} />
        `
      : html`
          <p class="loading" role="status">${t("loading")}</p>
        `;
  if (!value.length)
    return html`
      <p role="status">${say("none")}</p>
    `;
  return html`
    <section>
      <h2>${say("waiting")}</h2>
      ${
        waiting.length
          ? html`
              <${List} label=${say("waiting")} tables=${waiting} />
            `
          : html`
              <p role="status">${say("nobody")}</p>
            `
      }
    </section>
    ${
      others.length > 0 &&
      html`
        <section>
          <h2>${say("others")}</h2>
          <${List} label=${say("others")} tables=${others} />
        </section>
      `
    }
  `;
}

export const myTablesScreen = () => html`
  <${PlayersPage} title=${t("start.mine")}>
    <${Tables} />
    <p><a href="#/calendar">${t("calendar")}</a></p>
  <//>
`;
