/** The page of one's calendar: when one's clock stands still at tables where a decision takes days. */
import { html, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { text } from "../texts/both.js";
import { dayText, language, said, t } from "../texts/texts.js";
import { aiLevel } from "../table/model.js";
import { Check, Select, Span } from "../ui/fields.js";
import { useAttempt, useInOrder, useLoaded } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { PlayersPage } from "./signin.js";

/** @typedef {import("../types").Calendar} Calendar */
/** @typedef {import("../types").Holiday} Holiday */
/** @typedef {Calendar["quiet_hours"]} Hours */

const TEXTS = {
  about: text(
    "For games in which a decision takes hours or days: your clock stands still in your quiet hours and on holiday. While a table waits for you, everybody there sees until when you are on holiday.",
    "用于按小时或天计时的牌局：休息时间和假期中您的计时暂停。牌桌等您时，同桌都能看到您的假期到何时结束。",
  ),
  zone: text("Time zone", "时区"),
  here: text("Use that of this device: {zone}", "使用本设备的时区：{zone}"),
  from: text("Quiet hours from", "休息时间从"),
  until: text("until", "到"),
  none: text("None. At most twelve hours a day.", "未设置，每天最多十二小时。"),
  holidays: text("Holidays", "假期"),
  left: text("Days left in {year}: {count}", "{year} 年剩余天数：{count}"),
  days: text("{first} to {last}", "{first} 至 {last}"),
  one: text("one table", "一张牌桌"),
  end: text("End now", "现在结束"),
  takeBack: text("Take back", "取消"),
  first: text("First day", "第一天"),
  last: text("Last day", "最后一天"),
  here_only: text("Only at the table from which I come", "只用于刚才的牌桌"),
  take: text("Take this holiday", "休这个假"),
  more: text("More time for opponents", "给对手加时"),
  give: text("Give {who} a day more", "给 {who} 加一天"),
};

/** Like `t`. @param {keyof typeof TEXTS} key @param {Record<string, string | number>} [values] */
const say = (key, values) => said(TEXTS[key][language()], values);

/** @param {import("../routes.js").Address} address */
export const calendarScreen = ({ rest: [table] }) => html`
  <${PlayersPage} title=${t("calendar")} from=${`#/${table ? `table/${table}` : "tables"}`}>
    <${Loaded} table=${table} />
  <//>
`;

const read = async () => /** @type {Calendar} */ (await call("GET", "/me/calendar"));

/** @param {{ table: string | undefined }} props */
function Loaded({ table }) {
  const { value, error, again } = useLoaded(read, []);
  const { attempt, busy, problem } = useAttempt();
  const inOrder = useInOrder();
  const change = (/** @type {() => Promise<unknown>} */ action) =>
    inOrder(() =>
      attempt(async () => {
        await action();
        again();
      }),
    );
  return html`
    <${Refusal} problem=${error?.problem} />
    ${
      value &&
      html`
        <div class="settings">
          <p>${say("about")}</p>
          <${Clock} calendar=${value} change=${change} />
          <section>
            <h2>${say("holidays")}</h2>
            ${value.years.map(
              ({ year, days_left }) => html`
                <p>${say("left", { year, count: days_left })}</p>
              `,
            )}
            <${Holidays} holidays=${value.holidays} busy=${busy} change=${change} />
            <${Asked} table=${table} busy=${busy} change=${change} />
          </section>
          ${
            table &&
            html`
              <${MoreTime} table=${table} busy=${busy} change=${change} />
            `
          }
          <${Refusal} problem=${problem} />
        </div>
      `
    }
  `;
}

/** Changes something, and reads the calendar again. @typedef {(action: () => Promise<unknown>) => unknown} Change */

/** The time zone and the quiet hours. @param {{ calendar: Calendar, change: Change }} props */
function Clock({ calendar, change }) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const zones = new Set([calendar.time_zone, timeZone, ...(Intl.supportedValuesOf?.("timeZone") ?? [])]);
  const patch = (/** @type {object} */ changes) => change(() => call("PATCH", "/me/calendar", changes, { once: true }));
  return html`
    <label>
      ${say("zone")}
      <${Select}
        value=${calendar.time_zone}
        options=${[...zones].sort().map((zone) => [zone, zone])}
        onChange=${(/** @type {string} */ time_zone) => patch({ time_zone })}
      />
    </label>
    ${
      calendar.time_zone !== timeZone &&
      html`
        <button type="button" onClick=${() => patch({ time_zone: timeZone })}>
          ${say("here", { zone: timeZone })}
        </button>
      `
    }
    <${QuietHours} hours=${calendar.quiet_hours} patch=${patch} />
  `;
}

/** @param {{ hours: Hours, patch: (changes: object) => unknown }} props */
function QuietHours({ hours, patch }) {
  const quiet = hours ?? { start: "23:00", end: "23:00" };
  return html`
    <${Span}
      span=${quiet}
      from=${say("from")}
      until=${say("until")}
      onChange=${(/** @type {object} */ quiet_hours) => patch({ quiet_hours })}
    />
    ${
      !hours &&
      html`
        <p class="hint">${say("none")}</p>
      `
    }
  `;
}

/** Those that have not ended. @param {{ holidays: readonly Holiday[], busy: boolean, change: Change }} props */
function Holidays({ holidays, busy, change }) {
  const left = holidays.filter(({ until }) => Date.parse(until) > Date.now());
  const remove = (/** @type {string} */ id) => change(() => call("DELETE", `/me/holidays/${id}`));
  return (
    left.length > 0 &&
    html`
      <ul class="holidays">
        ${left.map(
          ({ id, first, last, since, table }) => html`
            <li key=${id}>
              <span>
                ${say("days", { first: dayText(first), last: dayText(last) })}
                ${
                  table &&
                  html`
                    ${" "}
                    <a href=${`#/table/${table}`}>${say("one")}</a>
                  `
                }
              </span>
              ${" "}
              <button type="button" disabled=${busy} onClick=${() => remove(id)}>
                ${say(Date.parse(since) <= Date.now() ? "end" : "takeBack")}
              </button>
            </li>
          `,
        )}
      </ul>
    `
  );
}

/** The holiday to take. @param {{ table: string | undefined, busy: boolean, change: Change }} props */
function Asked({ table, busy, change }) {
  const [days, setDays] = useState({ first: "", last: "" });
  const [only, setOnly] = useState(false);
  const take = (/** @type {Event} */ event) => {
    event.preventDefault();
    const asked = { first: days.first, last: days.last || days.first, ...(only && table && { table }) };
    return change(async () => {
      await call("POST", "/me/holidays", asked, { once: true });
      setDays({ first: "", last: "" });
    });
  };
  return html`
    <form onSubmit=${take}>
      ${["first", "last"].map(
        (name) => html`
          <label>
            ${say(/** @type {"first" | "last"} */ (name))}
            <input
              type="date"
              required=${name === "first"}
              value=${days[/** @type {"first" | "last"} */ (name)]}
              onInput=${(/** @type {any} */ { target: { value } }) => setDays({ ...days, [name]: value })}
            />
          </label>
        `,
      )}
      ${
        table &&
        html`
          <${Check} text=${say("here_only")} checked=${only} onChange=${setOnly} />
        `
      }
      <button type="submit" disabled=${busy}>${say("take")}</button>
    </form>
  `;
}

/** The games in which sides are found in each round; in the others, every second seat is a partner. */
const WITH_FRIENDS = ["zhaopengyou", "zhaopengyou_80", "finding_friends"];

/** What is given at once, hours. */
const DAY = 24;

/** The seats that may be given more time. @param {import("../types").View} view */
function opponentsAsked({ decision, my, ruleset, seats }) {
  if (!my || !decision?.deadline_at) return [];
  const isOpponent = (/** @type {number} */ seat) =>
    WITH_FRIENDS.includes(ruleset) ? seat !== my.seat : (seat - my.seat) % 2 !== 0;
  return decision.seats.filter((seat) => isOpponent(seat) && !aiLevel(seats[seat]));
}

/** Who may be given more time at the table. @param {{ table: string, busy: boolean, change: Change }} props */
function MoreTime({ table, busy, change }) {
  const { value: view } = useLoaded(
    async () => /** @type {import("../types").View} */ (await call("GET", `/tables/${table}`)),
    [table],
  );
  const seats = view ? opponentsAsked(view) : [];
  return (
    view &&
    seats.length > 0 &&
    html`
      <section>
        <h2>${say("more")}</h2>
        <div class="buttons">
          ${seats.map(
            (seat) => html`
              <button
                type="button"
                disabled=${busy}
                onClick=${() => change(() => call("POST", `/tables/${table}/seats/${seat}/time`, { hours: DAY }))}
              >
                ${say("give", { who: view.seats[seat].occupant?.name ?? "" })}
              </button>
            `,
          )}
        </div>
      </section>
    `
  );
}
