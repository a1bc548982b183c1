/**
 * Keeps the page for times without a network: the client's own files and the records of finished rounds. The network
 * comes first, so that nobody plays an old version; games themselves are never kept.
 */
const KEPT = "shengji-1";
const SHELL = /\/(app|style|art|vendor)\/|\/manifest\.webmanifest$|\/$/;
const FINISHED = /\/v1\/(games\/[^/]+\/rounds\/|games\/[^/]+$|rulesets)/;

const worker = /** @type {any} */ (self);

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name !== KEPT) await caches.delete(name);
      await worker.clients.claim();
    })(),
  );
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const url = new URL(request.url);
  const kept = request.method === "GET" && ((url.origin === location.origin && SHELL.test(url.pathname)) || FINISHED.test(url.pathname));
  if (kept) event.respondWith(networkFirst(request));
});

/** @param {Request} request @returns {Promise<Response>} */
async function networkFirst(request) {
  const cache = await caches.open(KEPT);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
  } catch (error) {
    const known = await cache.match(request, { ignoreVary: true });
    if (known) return known;
    throw error;
  }
}
