/** Tables that take days: what this device has shown of each, and the next one that waits. */
import { useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { changeAccount, theAccount } from "../api/account.js";
import { call } from "../api/client.js";

/** @typedef {import("../types").View} View */

/** Of how many tables it is remembered what was shown. */
const MOST = 60;

/** How long a table is shown after one's own play, before the page goes to the next one, ms. */
const STAY_MS = 1_500;

/** Note that everything up to an event has been shown. @param {string} table @param {number} seq */
export function noteSeen(table, seq) {
  const { [table]: before = 0, ...others } = theAccount().seen ?? {};
  if (seq <= before) return;
  const latest = Object.entries(others).slice(1 - MOST);
  changeAccount({ seen: Object.fromEntries([...latest, [table, seq]]) });
}

/**
 * Leads to what has happened since the last look, and after one's own play to the next table that waits.
 * @param {View} view
 * @param {boolean} asks whether it is the viewer's turn
 * @returns {boolean} whether the page is about to show what has happened
 */
export function useDays(view, asks) {
  const takesDays = Boolean(view.clock.correspondence && view.my);
  const [isBehind] = useState(() => takesDays && (theAccount().seen?.[view.id] ?? view.version) < view.version);
  const asking = useRef(asks);
  useEffect(() => {
    if (isBehind) location.replace(`#/since/${view.id}`);
    else if (takesDays && document.visibilityState === "visible") noteSeen(view.id, view.version);
  }, [view.version]);
  useEffect(() => {
    const wasAsked = asking.current;
    asking.current = asks;
    if (!takesDays || !wasAsked || asks) return;
    const timer = setTimeout(() => goToNext(view.id), STAY_MS);
    return () => clearTimeout(timer);
  }, [asks]);
  return isBehind;
}

/** @param {string} table where the viewer is now */
async function goToNext(table) {
  const { items } = await call("GET", "/me/tables?turn=mine").catch(() => ({ items: [] }));
  const next = /** @type {import("../types").MyTable[]} */ (items).find(
    (each) => each.table !== table && each.status === "playing",
  );
  if (next) location.hash = `#/table/${next.table}`;
}
