/**
 * Keeps the page for times without a network: the client's own files and the records of finished rounds. The network
 * comes first, so that nobody plays an old version; running games are never kept. The first page was loaded before
 * there was a worker, so the worker fetches the client's files itself when it is installed.
 */
const KEPT = "shengji-1";
const SHELL = /\/(app|style|art|vendor)\/|\/manifest\.webmanifest$|\/$/;
const FINISHED = /\/v1\/(games\/[^/]+\/rounds\/|shared-rounds\/|games\/[^/]+$|rulesets)/;
/** How a file of the client refers to another: `from "../x.js"`, `href="style/base.css"`. */
const NAMED = /\b(?:from |import ?\(?|src=|href=)"([^"]+)"/g;

const worker = /** @type {any} */ (self);

worker.addEventListener("install", (/** @type {any} */ event) => {
  worker.skipWaiting();
  event.waitUntil(keepClient());
});
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

/** Notices that are answered on the start page, and its address; a visible page shows them already. */
const ASKED = /** @type {Record<string, string>} */ ({ invited: "#/", matched: "#/?look" });

/** Notify of a turn, the end of a game, an invitation, or a game that is ready; the texts are in the player's language already. */
worker.addEventListener("push", (/** @type {any} */ event) => {
  const said = event.data.json();
  const table = said.data?.table;
  const open = ASKED[said.type] ?? (table ? `#/table/${table}` : "#/");
  const how = { body: said.body, lang: said.language, tag: `${said.type} ${table}`, icon: "art/icon-192.png", data: { open } };
  event.waitUntil(
    (async () => {
      const pages = said.type in ASKED ? await worker.clients.matchAll({ type: "window", includeUncontrolled: true }) : [];
      if (!pages.some((/** @type {any} */ page) => page.visibilityState === "visible")) await worker.registration.showNotification(said.title, how);
    })(),
  );
});

/** An open page goes to the table; otherwise a new one is opened. */
worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  const { open } = event.notification.data;
  event.waitUntil(
    (async () => {
      const [page] = await worker.clients.matchAll({ type: "window" });
      if (!page) return worker.clients.openWindow(`./${open}`);
      page.postMessage({ open });
      await page.focus().catch(() => {}); // it may be on another desktop
    })(),
  );
});

/** The browser has replaced the subscription: an open page tells the service, or else the next one that is opened. */
worker.addEventListener("pushsubscriptionchange", (/** @type {any} */ event) => {
  event.waitUntil(
    (async () => {
      if (event.oldSubscription) await worker.registration.pushManager.subscribe(event.oldSubscription.options);
      for (const page of await worker.clients.matchAll({ type: "window" })) page.postMessage({ renew: true });
    })(),
  );
});

/** Keep the page and every file that it refers to. Without a network this fails, and the browser installs the worker at the next visit. */
async function keepClient() {
  const cache = await caches.open(KEPT);
  const seen = new Set();
  const keep = async (/** @type {URL} */ url) => {
    url.hash = "";
    if (seen.has(url.href) || url.origin !== location.origin || !SHELL.test(url.pathname)) return;
    seen.add(url.href);
    const answer = await fetch(url);
    if (!answer.ok) return;
    await cache.put(url, answer.clone());
    if (!/\.js$|\/$/.test(url.pathname)) return;
    const names = [...(await answer.text()).matchAll(NAMED)].map(([, name]) => name);
    await Promise.all(names.map((name) => keep(new URL(name, url))));
  };
  await keep(new URL("./", location.href));
}

/** @param {Request} request @returns {Promise<Response>} */
async function networkFirst(request) {
  const cache = await caches.open(KEPT);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
  } catch (error) {
    const known = await cache.match(request, { ignoreVary: true, ignoreSearch: request.mode === "navigate" });
    if (known) return known;
    throw error;
  }
}
