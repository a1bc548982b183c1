/**
 * Whether the service can be reached, as last seen by a request or the browser; new connections; and waits that end
 * early when the service may be back.
 */
import { API } from "./service.js";

let online = true;
const listeners = new Set(/** @type {((online: boolean) => void)[]} */ ([]));

/** @param {boolean} [found] what a request found; left out: nothing changes */
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
addEventListener("online", () => isOnline(true)); // a stream may have survived a short outage

// --- connections ---

/** Timeout until an answer begins, ms. */
export const HEAD_MS = 5_000;
/** Most connections that browsers keep to a host over HTTP/1. */
const KEPT = 6;
/** Shortest time between tests of connections, ms: the service may just be busy. */
const TRIED_MS = 30_000;

/**
 * Browsers keep connections with and without credentials apart: if those of one mode are dead, a request with the
 * other gets another connection. Neither sends anything, since the service sets no cookies.
 * @type {RequestCredentials}
 */
let kind = "same-origin";
/** When connections of each mode were last tested. */
const tried = /** @type {Record<string, number>} */ ({});

/** The mode of credentials in use. */
export const connections = () => kind;

/**
 * Use other connections from now on, unless that has happened already, and get rid of the dead ones: each kept
 * connection gets a small request, and browsers close a connection whose request is aborted.
 * @param {RequestCredentials} dead
 */
export function discard(dead) {
  if (dead === kind) kind = dead === "omit" ? "same-origin" : "omit";
  if (performance.now() < (tried[dead] ?? -TRIED_MS) + TRIED_MS) return;
  tried[dead] = performance.now();
  const how = {
    credentials: dead,
    cache: /** @type {RequestCache} */ ("no-store"),
    signal: new AbortController().signal,
  };
  for (let count = 0; count < KEPT; count++)
    answerTo(`${API}/v1`, how).then(
      (answer) => answer.text(),
      () => {},
    );
}

/**
 * Send a request. It fails if the answer does not begin in time; the next request then gets another connection.
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
    // The service has no redirects, and what is sent to it must not be led on to another host.
    return await fetch(url, {
      ...how,
      credentials,
      redirect: "error",
      signal: AbortSignal.any([how.signal, late.signal]),
    });
  } finally {
    clearTimeout(timer);
  }
}

// --- coming back ---

/** Signs of a return within this time are one return, as when a phone is unlocked in another network, ms. */
const ONE_RETURN_MS = 1_000;
const returns = new Set(/** @type {(() => void)[]} */ ([]));
let returned = -ONE_RETURN_MS;

/**
 * Calls `listener` when the page becomes visible again or the network is back. Connections may have died silently
 * meanwhile, so requests use others from then on.
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
 * Wait, but no longer than until the network is back or the page becomes visible again.
 * @param {number} ms
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function wait(ms, signal) {
  const { promise, resolve } = deferred();
  const timer = setTimeout(resolve, ms);
  const stop = onReturn(resolve);
  addEventListener("online", resolve); // also when the network is back right after the return
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
