/** The page of one's standing orders at a table that takes days: what is done for the player who does not look. */
import { html, useState } from "../../vendor/preact-htm.js";
import { PlayersPage } from "../account/signin.js";
import { call } from "../api/client.js";
import { cardText, isTrump, SIGNS, suitOf } from "../cards/cards.js";
import { text } from "../texts/both.js";
import { language, said, t } from "../texts/texts.js";
import { Check, Select } from "../ui/fields.js";
import { useAttempt, useLoaded } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";

/** @typedef {import("../types").View} View */
/** @typedef {import("../types").StandingOrder} Order */
/** @typedef {import("../types").StandingOrders} Orders */

const TEXTS = {
  title: text("Standing orders", "预令"),
  about: text(
    "Done for you some minutes after your turn has begun. Nobody else can see them, nor tell which of your plays they made.",
    "轮到您几分钟后自动执行。别人看不到预令，也看不出哪些牌是预令出的。",
  ),
  claim: text("Claim the rest when I surely win it", "余下各轮必归我时声明"),
  forced: text("Play when only one play is legal", "只有一种出法时自动出"),
  partner: text("My side is winning the trick: points, else low cards", "己方最大时垫分，没有分出小牌"),
  ready: text("Be ready for the next round", "自动准备下一局"),
  pass: text("Declare nothing, unless somebody shows two cards or more", "不亮主，除非有人亮出两张以上"),
  led: text("On a lead of {suit}", "领出{suit}"),
  lead: text("If I lead", "我领出"),
  ask: text("ask me", "等我决定"),
  lowest: text("the lowest", "出最小的"),
  highest: text("the highest", "出最大的"),
  save: text("Save", "保存"),
  acts: text("Done for you", "已替您执行"),
  act: text("Round {round}: {what}", "第 {round} 局：{what}"),
  didCards: text("the card that you had named", "您指定的牌"),
  didPartner: text("points for your side, or a low card", "给己方垫分，或出小牌"),
  didForced: text("the only legal play", "唯一能出的牌"),
  didClaim: text("claimed the rest", "声明余下各轮"),
  didPass: text("declared nothing", "不亮主"),
  didReady: text("was ready", "已准备"),
};

/** Like `t`. @param {keyof typeof TEXTS} key @param {Record<string, string | number>} [values] */
const say = (key, values) => said(TEXTS[key][language()], values);

/** What an order has done. @type {Record<Order["do"], keyof typeof TEXTS>} */
const DID = {
  cards: "didCards",
  lowest: "lowest",
  highest: "highest",
  partner: "didPartner",
  forced: "didForced",
  claim: "didClaim",
  pass: "didPass",
  ready: "didReady",
};

/** Orders without a card, each a box to check, in the order in which they are tried. */
const PLAIN = /** @type {const} */ (["claim", "forced", "partner", "ready", "pass"]);

/** What may be led. */
const LED = ["S", "H", "C", "D", "trumps", "nothing"];

/** @param {import("../routes.js").Address} address */
export const ordersScreen = ({ rest: [table] }) =>
  table &&
  html`
    <${PlayersPage} title=${say("title")} from=${`#/table/${table}`}>
      <${OrdersOf} table=${table} />
    <//>
  `;

/** @param {{ table: string }} props */
function OrdersOf({ table }) {
  const { value, error } = useLoaded(
    () => Promise.all([call("GET", `/tables/${table}`), call("GET", addressOf(table))]),
    [table],
  );
  return html`
    <${Refusal} problem=${error?.problem} />
    ${
      value &&
      html`
        <${OrdersForm} view=${value[0]} orders=${value[1]} />
      `
    }
  `;
}

/** @param {string} table */
const addressOf = (table) => `/tables/${table}/seats/me/orders`;

/** @param {{ view: View, orders: Orders }} props */
function OrdersForm({ view, orders }) {
  const [plain, setPlain] = useState(new Set(orders.orders.map((order) => order.do)));
  const [led, setLed] = useState(() => choicesOf(orders.orders, view.my?.hand ?? []));
  const { attempt, busy, problem } = useAttempt();
  const save = () =>
    attempt(async () => {
      await call("PUT", addressOf(view.id), { orders: ordersOf(plain, led) });
      location.hash = `#/table/${view.id}`;
    });
  const check = (/** @type {Order["do"]} */ name, /** @type {boolean} */ on) => {
    const next = new Set(plain);
    if (on) next.add(name);
    else next.delete(name);
    setPlain(next);
  };
  return html`
    <div class="giving-orders">
      <p>${say("about")}</p>
      ${PLAIN.filter((name) => isPossible(name, view)).map(
        (name) => html`
          <${Check}
            text=${say(name)}
            checked=${plain.has(name)}
            onChange=${(/** @type {boolean} */ on) => check(name, on)}
          />
        `,
      )}
      ${
        view.round?.trump &&
        LED.map(
          (each) => html`
            <${Led}
              led=${each}
              cards=${cardsOf(each, view)}
              choice=${led[each] ?? ""}
              onChange=${(/** @type {string} */ choice) => setLed({ ...led, [each]: choice })}
            />
          `,
        )
      }
      <${Refusal} problem=${problem} />
      <div class="buttons">
        <button type="button" class="main" disabled=${busy} onClick=${save}>${say("save")}</button>
      </div>
      <${Acts} orders=${orders} />
    </div>
  `;
}

/**
 * What to do if this is led.
 * @param {{ led: string, cards: string[], choice: string, onChange: (choice: string) => void }} props
 */
const Led = ({ led, cards, choice, onChange }) =>
  cards.length > 0 &&
  html`
    <label class="order">
      ${ledText(led)}
      <${Select}
        value=${choice}
        options=${[
          ["", say("ask")],
          ...(led === "nothing"
            ? []
            : [
                ["lowest", say("lowest")],
                ["highest", say("highest")],
              ]),
          ...cards.map((card) => [card, cardText(card)]),
        ]}
        onChange=${onChange}
      />
    </label>
  `;

/** What orders have done. @param {{ orders: Orders }} props */
const Acts = ({ orders }) =>
  orders.acts.length > 0 &&
  html`
    <section>
      <h3>${say("acts")}</h3>
      <ul>
        ${[...orders.acts].reverse().map(
          (act) => html`
            <li>${say("act", { round: act.round, what: say(DID[/** @type {Order["do"]} */ (act.do)]) })}</li>
          `,
        )}
      </ul>
    </section>
  `;

/** Whether a plain order can act at a table. @param {string} name @param {View} view */
function isPossible(name, { ruleset, settings }) {
  if (name === "claim") return Boolean(settings.claims) && ruleset !== "arms_length";
  return ruleset !== "arms_length" || !["partner", "pass"].includes(name);
}

/** Who is asked what, if this was led. @param {string} led */
const ledText = (led) =>
  led === "nothing" ? say("lead") : say("led", { suit: led === "trumps" ? t("trumps") : SIGNS[led] });

/**
 * The different cards of the hand that may be ordered if this was led.
 * @param {string} led
 * @param {View} view
 */
function cardsOf(led, { my, ruleset }) {
  const isOf = (/** @type {string} */ card) => {
    const trump = Boolean(my && ruleset !== "arms_length" && isTrump(card, my.sorted_by));
    return led === "nothing" || (led === "trumps" ? trump : !trump && suitOf(card) === led);
  };
  return [...new Set(my?.hand)].filter(isOf);
}

/**
 * What is chosen for each thing that may be led; cards that have been played are not.
 * @param {readonly Order[]} orders
 * @param {readonly string[]} hand
 * @returns {Record<string, string>}
 */
const choicesOf = (orders, hand) =>
  Object.fromEntries(
    orders.flatMap((order) => {
      const card = order.cards?.[0] ?? "";
      if (!order.led || (order.do === "cards" && !hand.includes(card))) return [];
      return [[order.led, order.do === "cards" ? card : order.do]];
    }),
  );

/**
 * The orders in the order in which they are tried: what is sure, then what was said of a suit, then the rest.
 * @param {Set<string>} plain
 * @param {Record<string, string>} led
 * @returns {Order[]}
 */
function ordersOf(plain, led) {
  const checked = (/** @type {string[]} */ ...names) =>
    names.filter((name) => plain.has(name)).map((name) => ({ do: name }));
  const [leads, follows] = [LED.slice(-1), LED.slice(0, -1)].map((which) =>
    which.filter((each) => led[each]).map((each) => ofLed(each, led[each])),
  );
  const passes = plain.has("pass") ? [{ do: "pass", decisions: ["declare"], unless_cards: 2 }] : [];
  return /** @type {any} */ ([
    ...checked("claim", "forced"),
    ...leads,
    ...checked("partner"),
    ...follows,
    ...passes,
    ...checked("ready"),
  ]);
}

/** The order for what is led. @param {string} led @param {string} choice */
const ofLed = (led, choice) =>
  choice === "lowest" || choice === "highest" ? { do: choice, led } : { do: "cards", led, cards: [choice] };
