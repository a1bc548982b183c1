/**
 * Quick play: this player's ticket, as this page knows it. The page that asked for a game confirms the match and opens
 * the table; other pages of the player, and of friends in the party, only offer to.
 *
 * @typedef {import("../types").Ticket} Ticket
 * @typedef {object} Search
 * @property {Ticket | null} ticket null: no search
 * @property {number} until when AI players join, or until when to confirm: `performance.now()`, ms
 * @property {"" | "unmatched" | "ended" | "missed"} note what happened last: others did not confirm; the ticket has
 *   ended without a game, or that of a friend whom this player has not joined
 * @property {string} asker name of the friend who looks for a game with this player; empty: nobody
 */
import { theAccount } from "./account.js";
import { call, Refused, Unreachable } from "./client.js";
import { onAccountEvent } from "./news.js";
import { onReturn } from "./network.js";
import { API } from "./service.js";

/** How often the number of people looking is read, ms. */
const EVERY_MS = 5_000;
/** In session storage: the player who asked in this tab. A reloaded page goes on with the search. */
const ASKED = `shengji looks ${API}`;

let asked = storedAsked();

/** @type {Search} */
const NOTHING = { ticket: null, until: 0, note: "", asker: "" };

let search = NOTHING;
let timer = 0;
const listeners = new Set(/** @type {(() => void)[]} */ ([]));

export const theSearch = () => search;

/** Calls `listener` after each change. @param {() => void} listener */
export function onSearch(listener) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** @param {Search} found */
function change(found) {
  search = found;
  clearTimeout(timer);
  if (found.ticket) timer = setTimeout(look, EVERY_MS);
  for (const listener of listeners) listener();
}

function storedAsked() {
  try {
    return sessionStorage.getItem(ASKED) ?? "";
  } catch {
    return ""; // no storage
  }
}

/** @param {string} [player] who asks in this tab; left out: nobody */
function asks(player = "") {
  asked = player;
  try {
    sessionStorage.setItem(ASKED, player);
  } catch {
    // Then it lasts as long as the page.
  }
}

/** Whether this tab has asked for a game. */
export const hasAsked = () => asked !== "" && asked === theAccount().player;

/** Look for a game. @param {{ ruleset: string, players: number, with?: string[] }} wanted */
export async function askForGame(wanted) {
  asks(theAccount().player);
  try {
    await take(await call("POST", "/me/ticket", wanted, { once: true }));
  } catch (error) {
    if (!(error instanceof Refused) || error.problem.code !== "ticket-open") throw error;
    await look(); // another page is looking already
  }
}

/** Stop looking. */
export async function stopLooking() {
  asks();
  await call("DELETE", "/me/ticket", undefined, { once: true });
  change(NOTHING);
}

/** Join the search of a friend: the match is then confirmed as soon as there is one. */
export async function joinSearch() {
  asks(theAccount().player);
  if (search.ticket) await take(search.ticket);
}

/** Confirm the match. */
export async function confirm() {
  asks(theAccount().player);
  await take(await call("PUT", "/me/ticket/confirmation", undefined, { once: true }));
}

/** Forget how the last search has ended. */
export const forgetSearch = () => change(NOTHING);

/** @param {Ticket} ticket @param {Search["note"]} [note] */
async function take(ticket, note = "") {
  if (ticket.state === "seated" && ticket.table) {
    change(NOTHING);
    if (hasAsked()) goTo(ticket.table);
    return;
  }
  change({
    ticket,
    until: performance.now() + (ticket.match?.remaining_ms ?? ticket.remaining_ms ?? Infinity),
    note,
    asker: ticket.asker ?? "",
  });
  const mayConfirm = ticket.match && !ticket.match.confirmed && hasAsked();
  // A player who looks at the page is present, and so is one who comes back to it.
  if (!mayConfirm || document.visibilityState !== "visible") return;
  try {
    await confirm();
  } catch (error) {
    if (!(error instanceof Refused)) throw error; // the match is over: reading the ticket tells what became of it
  }
}

/** @param {string} table */
function goTo(table) {
  asks();
  location.hash = `#/table/${table}`;
}

/** The ticket has ended without a game. Whoever has not looked has not stopped looking either. */
function over() {
  change({
    ...NOTHING,
    note: !search.ticket ? "" : search.asker && !hasAsked() ? "missed" : "ended",
    asker: search.asker,
  });
}

/** Read the ticket. @param {Search["note"]} [note] */
async function look(note = search.note) {
  try {
    await take(await call("GET", "/me/ticket", undefined, { once: true }), note);
  } catch (error) {
    if (error instanceof Refused) over();
    else if (!(error instanceof Unreachable)) throw error;
    else change(search); // and again
  }
}

/** @param {import("../types").AccountEvent} event */
function hear(event) {
  if (event.type === "matched" || event.type === "party_opened") look("");
  else if (event.type === "unmatched" && event.data.waiting) look("unmatched");
  else if (event.type === "unmatched" && search.ticket) over();
  else if (event.type === "seated" && search.ticket && event.data.match.startsWith("ma_")) {
    change(NOTHING);
    if (hasAsked()) goTo(event.data.table);
  }
}

/** Follow this player's ticket while there is one. */
export function followSearch() {
  const stops = [onAccountEvent(hear), onReturn(() => void (search.ticket && look()))];
  // A notice of a match opens a page that does not know the match yet.
  if (hasAsked() || location.hash === "#/?look") look();
  return () => {
    for (const stop of stops) stop();
    change(NOTHING);
  };
}
