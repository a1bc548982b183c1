/** What has happened at a table that takes days since it was last looked at on this device, trick by trick. */
import { html, useEffect } from "../../vendor/preact-htm.js";
import { PlayersPage } from "../account/signin.js";
import { theAccount } from "../api/account.js";
import { call } from "../api/client.js";
import { Cards } from "../cards/card.js";
import { withNames } from "../people/aiplayer.js";
import { text } from "../texts/both.js";
import { language, said, t, wonText } from "../texts/texts.js";
import { useLoaded } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { noteSeen } from "./seen.js";

/** @typedef {import("../types").View} View */
/** @typedef {import("../types").Event} Event */
/** @typedef {{ plays: { seat: number, cards: readonly string[] }[], winner?: number, points?: number | null }} Trick */
/** A trick, or a sentence. @typedef {{ trick: Trick } | { line: string }} Step */

const TEXTS = {
  title: text("Since your last look", "上次查看以来"),
  go: text("Go to the table", "进入牌桌"),
  declared: text("{who} showed cards to declare trumps.", "{who} 亮主。"),
  late: text("{who} let the time run out.", "{who} 超时。"),
  opened: text("A round began.", "新的一局开始。"),
  scored: text("The round is over.", "本局结束。"),
  open: text("The trick on the table", "本轮"),
};

/** Like `t`. @param {keyof typeof TEXTS} key @param {Record<string, string>} [values] */
const say = (key, values) => said(TEXTS[key][language()], values);

/** Most events that are shown: two rounds. */
const MOST = 500;

/** @param {import("../routes.js").Address} address */
export const sinceScreen = ({ rest: [table] }) =>
  table &&
  html`
    <${PlayersPage} title=${say("title")} from=${`#/tables`}>
      <${Since} key=${table} table=${table} />
    <//>
  `;

/** @param {string} table */
async function happened(table) {
  const after = theAccount().seen?.[table] ?? 0;
  const [view, { events }] = await Promise.all([
    call("GET", `/tables/${table}`),
    call("GET", `/tables/${table}/events?after=${after}&limit=${MOST}`),
  ]);
  return { view: withNames(/** @type {View} */ (view)), events: /** @type {Event[]} */ (events) };
}

/** @param {{ table: string }} props */
function Since({ table }) {
  const { value, error } = useLoaded(() => happened(table), [table]);
  const steps = value && stepsOf(value.events, value.view);
  useEffect(() => {
    if (!value) return;
    noteSeen(table, value.events.at(-1)?.seq ?? value.view.version);
    if (!steps?.length) location.replace(`#/table/${table}`);
  }, [value]);
  if (!value || !steps?.length)
    return html`
      <${Refusal} problem=${error?.problem} />
    `;
  return html`
    <ol class="since" aria-label=${say("title")}>
      ${steps.map(
        (step) => html`
          <li>
            ${
              "trick" in step
                ? html`
                    <${Plays} trick=${step.trick} view=${value.view} />
                  `
                : step.line
            }
          </li>
        `,
      )}
    </ol>
    <div class="buttons"><a class="button main" href=${`#/table/${table}`}>${say("go")}</a></div>
  `;
}

/** @param {View} view @param {number} seat */
const nameOf = (view, seat) => view.seats[seat].occupant?.name ?? "";

/** @param {{ trick: Trick, view: View }} props */
const Plays = ({ trick, view }) => html`
  <ul class="trick" style=${{ "--plays": trick.plays.length }}>
    ${trick.plays.map(
      ({ seat, cards }) => html`
        <li key=${seat} class=${seat === trick.winner ? "won" : ""}>
          <span>${nameOf(view, seat)}</span>
          <${Cards} cards=${cards} size="tiny" />
        </li>
      `,
    )}
  </ul>
  <p class="hint">${trick.winner === undefined ? say("open") : wonText(trick, nameOf(view, trick.winner))}</p>
`;

/** What events have brought, in order. @param {readonly Event[]} events @param {View} view @returns {Step[]} */
function stepsOf(events, view) {
  /** @type {Step[]} */
  const steps = [];
  /** @type {Trick | null} */
  let trick = null;
  for (const event of events) {
    if (event.type === "played") {
      if (!trick) steps.push({ trick: (trick = { plays: [] }) });
      trick.plays.push(event.data);
    } else if (event.type === "trick_won") {
      if (trick) Object.assign(trick, { winner: event.data.seat, points: event.data.points });
      trick = null;
    } else {
      const line = lineOf(event, view);
      if (line) steps.push({ line });
    }
  }
  return steps;
}

/** What else has happened, in a sentence; "": nothing to tell. @param {Event} event @param {View} view */
function lineOf(event, view) {
  if (event.type === "declared") return say("declared", { who: nameOf(view, event.data.seat) });
  if (event.type === "round_opened") return say("opened");
  if (event.type === "round_scored") return say("scored");
  if (event.type === "decision_timed_out")
    return event.data.seats.map((seat) => say("late", { who: nameOf(view, seat) })).join(t("gap"));
  return "";
}
