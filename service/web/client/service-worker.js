/**
 * Keeps the page for times without a network: the client's own files, and the records of finished rounds that a player
 * has looked at. The network comes first, so that nobody plays an old version; running games are never kept. The first
 * page was loaded before there was a worker, so the worker fetches the client's files itself when it is installed.
 *
 * Records are private: each token has a cache of its own, which the page deletes when the device has another token
 * (`app/api/kept.js`). A cache holds addresses and answers, never the headers of a request.
 */
const KEPT = "shengji-2";
/** With the origin of the service and the SHA-256 of the header with the token: the cache of a token's records. */
const OWN = "shengji-of ";
/** The files for tables in the page, which `app/alone/files.js` stores when a player asks for it. */
const ALONE = "shengji-alone";
const OF_ALONE = /\/alone\/[\w.-]+$/;
const SHELL = /\/(app|style|art|vendor)\/|\/manifest\.webmanifest$|\/$/;
/** The same for everybody. */
const PUBLIC = /\/v1\/rulesets/;
const FINISHED = /\/v1\/(games\/[^/]+\/rounds\/|shared-rounds\/|games\/[^/]+$)/;
/** Answers after which what was kept is not the caller's to read any more. */
const GONE = new Set([401, 403, 404, 410]);
/** How long the network may take to answer if there is another answer, ms. */
const PATIENCE_MS = 5_000;
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
      for (const name of await caches.keys())
        if (name !== KEPT && name !== ALONE && !name.startsWith(OWN)) await caches.delete(name);
      await worker.clients.claim();
    })(),
  );
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET") return;
  if ((url.origin === location.origin && SHELL.test(url.pathname)) || PUBLIC.test(url.pathname))
    event.respondWith(networkFirst(request, KEPT));
  else if (url.origin === location.origin && OF_ALONE.test(url.pathname)) event.respondWith(storedFirst(request));
  else if (FINISHED.test(url.pathname))
    event.respondWith(recordFirst(request, url.origin + url.pathname.slice(0, url.pathname.search(FINISHED))));
});

/**
 * Origin of a service -> the only cache of records there that may be kept, as a page has said; "": none.
 * @type {Map<string, string>}
 */
const allowed = new Map();

/** Whether a page has said that the token of a cache is gone. @param {string} name */
const isGone = (name) => [...allowed].some(([of, mine]) => name.startsWith(`${OWN}${of} `) && name !== mine);

/**
 * The cache of a token's records.
 * @param {string} of origin of the service
 * @param {string} sent the header with the token
 */
async function nameOf(of, sent) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(sent)));
  return `${OWN}${of} ${[...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** A page says which token the device has; "": none. Records of others are deleted. */
worker.addEventListener("message", (/** @type {any} */ event) => {
  const { of, token } = event.data ?? {};
  if (typeof of !== "string" || typeof token !== "string") return;
  event.waitUntil(
    (async () => {
      allowed.set(of, token && (await nameOf(of, `Bearer ${token}`)));
      for (const name of await caches.keys()) if (isGone(name)) await caches.delete(name);
    })(),
  );
});

/** Notices that are answered on the start page, and its address; a visible page shows them already. */
const ASKED = /** @type {Record<string, string>} */ ({ invited: "#/", matched: "#/?look" });
/** Type of a notice about the account -> the page about it. */
const ABOUT = /** @type {Record<string, string>} */ ({ signed_in: "#/devices", access_added: "#/devices" });

/**
 * Notify of a turn, the end of a game, an invitation, a game that is ready, or a table of a room; the texts are in the
 * player's language already.
 */
worker.addEventListener("push", (/** @type {any} */ event) => {
  const said = event.data.json();
  const { room, table, count } = said.data ?? {};
  const place = room ? `#/room/${room}` : table ? `#/table/${table}` : "#/";
  const open = ASKED[said.type] ?? ABOUT[said.type] ?? (count > 1 ? "#/tables" : place);
  const how = {
    body: said.body,
    lang: said.language,
    tag: count ? "turns" : `${said.type} ${table}`,
    icon: "art/icon-192.png",
    data: { open },
  };
  event.waitUntil(
    (async () => {
      const pages =
        said.type in ASKED ? await worker.clients.matchAll({ type: "window", includeUncontrolled: true }) : [];
      // How many tables wait is told by the next page that is opened.
      if (said.type === "turn") await worker.navigator.setAppBadge?.().catch(() => {});
      if (!pages.some((/** @type {any} */ page) => page.visibilityState === "visible"))
        await worker.registration.showNotification(said.title, how);
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

/**
 * Keep the page and every file that it refers to. Without a network this fails, and the browser installs the worker at
 * the next visit.
 */
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

/**
 * A record, from the cache of the token that asks for it. Visitors without one see what everybody may see.
 * @param {Request} request
 * @param {string} of address of the service
 */
async function recordFirst(request, of) {
  const sent = request.headers.get("Authorization");
  if (!sent) return networkFirst(request, KEPT);
  return networkFirst(request, await nameOf(of, sent));
}

/**
 * A file that was stored as one of several that fit together; what asks for the list of newer ones gets those.
 * @param {Request} request
 */
async function storedFirst(request) {
  const known =
    request.cache !== "no-store" &&
    request.cache !== "reload" &&
    (await caches.match(request.url, { cacheName: ALONE }));
  return known || fetch(request);
}

/**
 * The answer of the network, which is kept; without one, or when it takes too long as in a tunnel, what was kept last.
 * @param {Request} request
 * @param {string} name of the cache
 * @returns {Promise<Response>}
 */
async function networkFirst(request, name) {
  const url = new URL(request.url);
  // What an address asks of the page changes nothing about the page, and may hold codes.
  const key = request.mode === "navigate" ? url.origin + url.pathname : url.href.split("#")[0];
  const known = async () => asKept(await caches.match(key, { cacheName: name, ignoreVary: true }));
  const fresh = fromNetwork(request, name, key);
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS)).then(known);
  try {
    return await Promise.race([fresh, late.then((answer) => answer ?? fresh)]);
  } catch (error) {
    const answer = await known();
    if (answer) return answer;
    throw error;
  }
}

/**
 * What was kept, with a header that says so: the page must not take it for a sign of the network.
 * @param {Response | undefined} answer
 */
function asKept(answer) {
  if (!answer) return answer;
  const headers = new Headers(answer.headers);
  headers.set("X-Kept", "1");
  return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
}

/** @param {Request} request @param {string} name of the cache @param {string} key */
async function fromNetwork(request, name, key) {
  const answer = await fetch(request);
  if (answer.ok) await (await caches.open(name)).put(key, answer.clone());
  else if (GONE.has(answer.status) && request.mode !== "navigate" && (await caches.has(name)))
    await (await caches.open(name)).delete(key);
  if (isGone(name)) await caches.delete(name);
  return answer;
}
