/** Standing orders at a table that takes days: the link to their page, and the cards that they name. */
import { html } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { t } from "../texts/texts.js";
import { useLoaded } from "../ui/hooks.js";

/** @typedef {import("../types").View} View */
/** @typedef {import("../types").StandingOrders} Orders */

/** Whether players give standing orders at a table. @param {View} view */
const takesOrders = (view) => Boolean(view.my && view.clock.correspondence && view.game && view.status === "playing");

/**
 * One's orders at a table; undefined where it takes none.
 * @param {View} view
 * @returns {Orders | undefined}
 */
export function useOrders(view) {
  const takes = takesOrders(view);
  const { value } = useLoaded(
    async () =>
      takes ? /** @type {Promise<Orders>} */ (call("GET", `/tables/${view.id}/seats/me/orders`)) : undefined,
    [takes, view.decision?.id],
  );
  return value;
}

/** The cards that orders name. @param {Orders | undefined} orders */
export const orderedCards = (orders) => new Set(orders?.orders.flatMap(({ cards = [] }) => cards));

/**
 * The link to the page of the orders, with their number.
 * @param {{ table: string, orders: Orders | undefined }} props
 */
export const OrdersLink = ({ table, orders }) =>
  orders &&
  html`
    <a class="button plain opens-orders" href=${`#/orders/${table}`}>
      ${t("orders.link", { count: orders.orders.length })}
    </a>
  `;
