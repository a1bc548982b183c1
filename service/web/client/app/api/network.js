/** Whether the service can be reached, as the last request or the browser found it; new connections, and waiting that ends early when the service may be back. */
import { API } from "./account.js";

let online = true;
const listeners = new Set(/** @type {((online: boolean) => void)[]} */ ([]));

/** @param {boolean} [found] what a request found; without, nothing changes */
export function isOnline(found = online) {
  if (found !== online) {
    online = found;
    for (const listener of listeners) listener(online);
  }
  return online;
}

/** @param {(online: boolean) => void} listener */
export function onNetwork(listener) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

addEventListener("offline", () => isOnline(false));
addEventListener("online", () => isOnline(true)); // a stream may have outlived a short cut

// --- connections ---

/** How long an answer may take to begin, ms. */
export const HEAD_MS = 5_000;
/** Most connections that browsers keep to a host, if they send one request at a time on each. */
const KEPT = 6;
/** How often connections are tried out at most while a busy service might be what is slow, ms. */
const TRIED_MS = 30_000;

/**
 * Browsers keep connections with and without credentials apart: a request with the other value gets another connection
 * where those of this value are dead. Nothing is sent by either, as the service sets no cookies.
 * @type {RequestCredentials}
 */
let kind = "same-origin";
/** When connections of a kind were last tried out. */
const tried = /** @type {Record<string, number>} */ ({});

/** Which connections are used now. */
export const connections = () => kind;

/**
 * Use other connections from now on, unless that has happened since, and get rid of those that are dead: each kept
 * connection gets a small request, and browsers close one whose request is given up.
 * @param {RequestCredentials} dead
 */
export function discard(dead) {
  if (dead === kind) kind = dead === "omit" ? "same-origin" : "omit";
  if (performance.now() < (tried[dead] ?? -TRIED_MS) + TRIED_MS) return;
  tried[dead] = performance.now();
  const how = { credentials: dead, cache: /** @type {RequestCache} */ ("no-store"), signal: new AbortController().signal };
  for (let count = 0; count < KEPT; count++) answerTo(`${API}/v1`, how).then((answer) => answer.text(), () => {});
}

/**
 * Send a request; fails if the answer does not begin in time, and then the next request gets another connection.
 * @param {string} url
 * @param {RequestInit & { signal: AbortSignal }} how
 * @param {number} [patience] ms
 */
export async function answerTo(url, how, patience = HEAD_MS) {
  const late = new AbortController();
  const credentials = how.credentials ?? kind;
  const timer = setTimeout(() => {
    discard(credentials);
    late.abort();
  }, patience);
  try {
    return await fetch(url, { ...how, credentials, signal: AbortSignal.any([how.signal, late.signal]) });
  } finally {
    clearTimeout(timer);
  }
}

// --- coming back ---

/** What comes at once when somebody returns, as when a phone is unlocked in another network, is one return, ms. */
const ONE_RETURN_MS = 1_000;
const returns = new Set(/** @type {(() => void)[]} */ ([]));
let returned = -ONE_RETURN_MS;

/**
 * Calls `listener` when the page is looked at again or the network is back. Meanwhile connections may have died without
 * a sign, so requests use others from then on.
 * @param {() => void} listener
 */
export function onReturn(listener) {
  returns.add(listener);
  return () => void returns.delete(listener);
}

function isBack() {
  if (performance.now() < returned + ONE_RETURN_MS) return;
  returned = performance.now();
  discard(kind);
  for (const listener of [...returns]) listener();
}

addEventListener("online", isBack);
addEventListener("pageshow", ({ persisted }) => persisted && isBack());
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && isBack());

/**
 * Wait, but no longer than until the network is back or the page is looked at again.
 * @param {number} ms
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function wait(ms, signal) {
  const { promise, resolve } = deferred();
  const timer = setTimeout(resolve, ms);
  const stop = onReturn(resolve);
  addEventListener("online", resolve); // also when it is back right after the return
  signal?.addEventListener("abort", resolve);
  return promise.finally(() => {
    clearTimeout(timer);
    stop();
    removeEventListener("online", resolve);
    signal?.removeEventListener("abort", resolve);
  });
}

function deferred() {
  /** @type {() => void} */
  let resolve = () => {};
  const promise = /** @type {Promise<void>} */ (new Promise((done) => void (resolve = () => done())));
  return { promise, resolve };
}
