/**
 * The files of the worker on this device. They are loaded when a player asks for it and never before; from then on the
 * service worker answers with them, with and without a network.
 *
 * @typedef {{ mark: string, bytes: number, files: string[] }} Files `mark` changes with them; `bytes`: compressed
 */

import { isStarted } from "../api/alone.js";

/** Name of the cache, and of the lock of the worker; `service-worker.js` knows it, too. */
const CACHE = "shengji-alone";
/** How long the service worker may take to start, ms. */
const WORKER_MS = 20_000;
/** What the files are, as the service has them. */
const LIST = "alone/files.json";

/** Whether this browser can store them: not over plain HTTP, nor in some private windows. */
export const isAble = "serviceWorker" in navigator && "caches" in window && "indexedDB" in window;

/** @returns {Promise<Files | null>} those on this device; null: none */
export async function stored() {
  if (!isAble || !(await caches.has(CACHE))) return null;
  const list = await (await caches.open(CACHE)).match(LIST);
  return list ? list.json() : null;
}

/** @returns {Promise<Files | null>} those of the service; null: it cannot be reached, or has none */
export async function offered() {
  try {
    const answer = await fetch(LIST, { cache: "no-store" });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/** Load and store all of them, or none. @param {Files} offer */
export async function store({ files }) {
  // What answers with them when there is no network has to be there first.
  const late = new Promise((_, reject) => setTimeout(reject, WORKER_MS));
  await Promise.race([navigator.serviceWorker.ready, late]);
  const fresh = [...files, LIST].map((name) => new Request(name, { cache: "reload" }));
  await (await caches.open(CACHE)).addAll(fresh);
}

/** Remove them from this device. */
export const drop = () => caches.delete(CACHE);

/** Store newer ones, if these are stored. */
export async function renew() {
  const [mine, theirs] = await Promise.all([stored(), offered()]);
  if (mine && theirs && mine.mark !== theirs.mark) await store(theirs).catch(() => {}); // later, then
}

/** Whether another tab of this browser plays at the tables: only one can. */
export async function isElsewhere() {
  if (isStarted()) return false;
  return (await navigator.locks.query()).held?.some(({ name }) => name === CACHE) ?? false;
}
