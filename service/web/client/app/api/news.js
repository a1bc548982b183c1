/**
 * What the account's stream announces while a page is open: invitations, friend requests, and changes of a quick-play
 * ticket. Screens draw `theNews()`.
 *
 * @typedef {import("../types").Invitation} Invitation
 * @typedef {{ player: string, name: string }} Asker
 * @typedef {{ team: string, team_name: string, event: string, event_name: string, name: string }} Entered
 * @typedef {{ table: string, event: string, event_name: string, round?: number, place: string }} BegunRound
 * @typedef {{ room: string, room_name: string, name: string }} OpenedRoom
 * @typedef {{ event: string, event_name: string, team_name: string, meets_at: string, is_agreed: boolean }} Timed
 * @typedef {{ event: string, event_name: string, note: string }} Noted
 * @typedef {object} News
 * @property {Invitation[]} invitations that can still be taken and have not been declined on this device
 * @property {Asker[]} askers who have asked to be a friend since the page was opened
 * @property {Entered[]} entered teams that somebody has entered the player for since the page was opened
 * @property {BegunRound[]} begun the last round, or table of an arena, that has begun since the page was opened
 * @property {OpenedRoom[]} opened rooms whose table somebody has opened since the page was opened
 * @property {Timed[]} times the last times that were proposed or agreed on, one for each event, since then
 * @property {Noted[]} notes the last notes of directors, one for each event, since then
 * @property {number} friends grows whenever something about friends has changed
 */
import { changeAccount, theAccount } from "./account.js";
import { call, Refused } from "./client.js";
import { onReturn } from "./network.js";
import { showTurns } from "./push.js";
import { follow } from "./stream.js";

/** Most declined invitations that a device remembers. */
const MOST_DECLINED = 50;

/** @returns {News} */
const none = () => ({
  invitations: [],
  askers: [],
  entered: [],
  begun: [],
  opened: [],
  times: [],
  notes: [],
  friends: 0,
});

let news = none();
const listeners = new Set(/** @type {(() => void)[]} */ ([]));
const readers = new Set(/** @type {((event: import("../types").AccountEvent) => void)[]} */ ([]));

export const theNews = () => news;

/** Calls `listener` after each change. @param {() => void} listener */
export function onNews(listener) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Calls `reader` with each event of the account. @param {(event: import("../types").AccountEvent) => void} reader */
export function onAccountEvent(reader) {
  readers.add(reader);
  return () => void readers.delete(reader);
}

/** @param {Partial<News>} changes */
export function changeNews(changes) {
  news = { ...news, ...changes };
  for (const listener of listeners) listener();
}

/** Read the invitations that can still be taken. */
async function readInvitations() {
  try {
    const { items } = await call("GET", "/me/invitations", undefined, { once: true });
    const { declined = [] } = theAccount();
    changeNews({ invitations: items.filter((/** @type {Invitation} */ each) => !declined.includes(each.invitation)) });
  } catch (error) {
    if (error instanceof TypeError) throw error; // the next event reads them again
  }
}

/** Sit down at the table of an invitation and open it. @param {Invitation} invitation */
export async function accept({ invitation, table, join_code }) {
  try {
    await call("POST", `/tables/${table}/seats`, join_code ? { join_code } : {}, { once: true });
  } catch (error) {
    if (!(error instanceof Refused) || error.problem.code !== "already-seated") throw error;
  }
  leaveOut(invitation);
  location.hash = `#/table/${table}`;
}

/** Decline an invitation; the inviter is not told. @param {Invitation} invitation */
export function decline({ invitation }) {
  const { declined = [] } = theAccount();
  changeAccount({ declined: [...declined, invitation].slice(-MOST_DECLINED) });
  leaveOut(invitation);
}

/** @param {string} invitation */
const leaveOut = (invitation) =>
  changeNews({ invitations: news.invitations.filter((each) => each.invitation !== invitation) });

/** @param {string} player */
export const answered = (player) =>
  changeNews({ askers: news.askers.filter((each) => each.player !== player), friends: news.friends + 1 });

/** @param {import("../types").AccountEvent} event */
function take(event) {
  if (event.type === "turn") showWaiting(new Set([...waiting, event.data.table]));
  if (event.type === "turn_over") showWaiting(new Set([...waiting].filter((table) => table !== event.data.table)));
  if (event.type === "invited") readInvitations();
  if (event.type === "friend_asked")
    changeNews({
      askers: [...news.askers.filter(({ player }) => player !== event.data.player), event.data],
      friends: news.friends + 1,
    });
  if (event.type === "friend_made") answered(event.data.player);
  if (event.type === "team_entered")
    changeNews({ entered: [...news.entered.filter(({ team }) => team !== event.data.team), event.data] });
  if (event.type === "round_begins" || event.type === "your_table") changeNews({ begun: [event.data] });
  if (event.type === "time_proposed" || event.type === "time_agreed") {
    const timed = { ...event.data, is_agreed: event.type === "time_agreed" };
    changeNews({ times: [...news.times.filter((each) => each.event !== timed.event), timed] });
  }
  if (event.type === "event_note")
    changeNews({ notes: [...news.notes.filter((each) => each.event !== event.data.event), event.data] });
  if (event.type === "room_opened")
    changeNews({ opened: [...news.opened.filter(({ room }) => room !== event.data.room), event.data] });
  for (const reader of readers) reader(event);
}

/** Tables that wait for the player. @type {Set<string>} */
let waiting = new Set();

/** Show on the icon of the app how many tables wait. @param {Set<string>} tables */
function showWaiting(tables) {
  waiting = tables;
  showTurns(tables.size);
}

/** Those of the player's tables that wait. @param {import("../types").MyTable[]} items */
const tablesOf = (items) => new Set(items.filter(({ my_turn }) => my_turn).map(({ table }) => table));

/** Follow the account until `signal` aborts. @param {AbortSignal} signal */
export async function followNews(signal) {
  news = none();
  signal.addEventListener("abort", () => showWaiting(new Set()));
  /** @type {string | null} */
  let place = null;
  let isElsewhere = false;
  signal.addEventListener(
    "abort",
    onReturn(() => isElsewhere && !signal.aborted && open()),
  );
  const open = () => {
    isElsewhere = false;
    return follow(
      "/me",
      {
        after: () => place,
        onEvent: (event, id) => {
          place = id;
          take(event);
        },
        onReset: ({ items }, id) => {
          place = id;
          if (items) showWaiting(tablesOf(items));
        },
        onHeartbeat: () => {},
        onLive: (live) => void (live && readInvitations()),
        onEnd: async (reason) => {
          if (reason === "suspended") changeAccount({ suspended: true });
          // Another page of this device follows the account now: the one last looked at.
          isElsewhere = reason === "newer-stream" || reason === "too-many-streams";
          return !isElsewhere && reason !== "suspended" && reason !== "unauthorized" && reason !== "address-blocked";
        },
      },
      signal,
    );
  };
  await open();
}
