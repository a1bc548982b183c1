/** The player of this device and their preferences: kept in local storage, for each service apart, never in a URL. */
import { API, isAtRoot } from "./service.js";

const KEY = "shengji";

/**
 * @typedef {object} Account
 * @property {string} [token] the bearer token
 * @property {string} [player] id of the player
 * @property {string} [name]
 * @property {"en" | "zh-Hans"} [language]
 * @property {boolean} [traditional] whether Chinese is written in Traditional characters
 * @property {"auto" | "light" | "dark"} [theme]
 * @property {boolean} [fourColours]
 * @property {boolean} [sounds]
 * @property {boolean} [obvious] whether the page does what leaves no choice by itself
 * @property {"long" | "short" | "none"} [pause] how long a finished trick is shown
 * @property {{
 *   done: string[],
 *   open?: { id: string, table: string },
 * }} [lessons] those done, and the table of the one in progress
 * @property {boolean} [out] whether the token became void elsewhere; `player` and `name` still tell whose it was
 * @property {boolean} [suspended] whether the service has said that the account is suspended
 * @property {string} [game] the ruleset last chosen
 * @property {number} [waiting] how many tables and rooms the start page listed last, for which it leaves room
 * @property {Record<string, { rounds: number, game: string }>} [sent] table in the page -> how many of its rounds were
 *   kept as which past game
 * @property {Record<string, number>} [seen] table that takes days -> the last of its events that was shown here
 * @property {string[]} [declined] invitations that were declined here
 * @property {string} [push] id of this device's push subscription
 * @property {boolean} [offered] whether a recovery code was made or declined, so that none is offered again
 * @property {{
 *   provider: string,
 *   verifier: string,
 *   to: string,
 * }} [begun] a sign-in with an external account that was begun here, and its proof
 * @property {{
 *   path: string,
 *   code: string,
 *   key: string,
 *   keep?: string[],
 * }} [unfinished] a code being spent, and the `Idempotency-Key` with which a retry returns its token
 */

/** Services under several paths of a host share its storage, so only the one at its root has the short name. */
const PLACE = isAtRoot ? KEY : `${KEY} ${API}`;

/** @returns {Account} */
function stored() {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? "{}");
  } catch {
    return {}; // no storage, as in some private windows, or not ours
  }
}

/** @type {Account} */
let account = stored();
const listeners = new Set(/** @type {(() => void)[]} */ ([]));

export const theAccount = () => account;

/** @param {Partial<Account>} changes */
export function changeAccount(changes) {
  account = { ...account, ...changes };
  try {
    localStorage.setItem(PLACE, JSON.stringify(account));
  } catch {
    // Then it is kept only as long as the page.
  }
  for (const listener of listeners) listener();
}

/** What a device knows of one account alone. @satisfies {Partial<Account>} */
const NOTHING = {
  token: undefined,
  player: undefined,
  name: undefined,
  out: undefined,
  suspended: undefined,
  offered: undefined,
  declined: undefined,
  seen: undefined,
  waiting: undefined,
  sent: undefined,
};

/**
 * Keep an account on this device, replacing any other.
 * @param {{ player: { id: string, name: string }, token: string }} signedIn
 */
export function signIn({ player, token }) {
  changeAccount({ ...NOTHING, token, player: player.id, name: player.name, unfinished: undefined });
}

/** Forget the account; preferences stay, and a code being spent, which may be the last way to its player. */
export function signOut() {
  changeAccount({ ...NOTHING, begun: undefined });
}

/** The service has refused a token. Another tab may have a new one already. @param {string | undefined} token */
export function isSignedOut(token) {
  if (token && account.token === token && (stored().token ?? token) === token)
    changeAccount({ token: undefined, out: true });
}

/** Calls `listener` after each change, here or in another tab. @param {() => void} listener */
export function onAccount(listener) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

addEventListener("storage", (event) => {
  if (event.key !== PLACE) return;
  account = stored();
  for (const listener of listeners) listener();
});
