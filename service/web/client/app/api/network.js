/** Whether the service can be reached, as the last request or the browser found it; and waiting that ends early when it may be back. */

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

/**
 * Wait, but no longer than until the network is back or the page is looked at again.
 * @param {number} ms
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function wait(ms, signal) {
  const { promise, resolve } = deferred();
  const timer = setTimeout(resolve, ms);
  const seen = () => document.visibilityState === "visible" && resolve();
  addEventListener("online", resolve);
  document.addEventListener("visibilitychange", seen);
  signal?.addEventListener("abort", resolve);
  return promise.finally(() => {
    clearTimeout(timer);
    removeEventListener("online", resolve);
    document.removeEventListener("visibilitychange", seen);
    signal?.removeEventListener("abort", resolve);
  });
}

function deferred() {
  /** @type {() => void} */
  let resolve = () => {};
  const promise = /** @type {Promise<void>} */ (new Promise((done) => void (resolve = () => done())));
  return { promise, resolve };
}
