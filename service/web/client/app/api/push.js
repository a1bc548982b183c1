/**
 * Notices on this device while no page is open: a Web Push subscription, from a tap on the bell until the device signs
 * out.
 */
import { changeAccount, onAccount, theAccount } from "./account.js";
import { call, freshKey, Refused, Unreachable } from "./client.js";
import { isElsewhere } from "./service.js";

/** Whether this browser can get notices: it supports them, and the service worker is ours. */
const canPush = () =>
  "serviceWorker" in navigator && "PushManager" in window && "Notification" in window && !isElsewhere;

/** The key to subscribe with; null: there are no notices here. @returns {Promise<string | null>} */
export async function pushKey() {
  if (!canPush() || !theAccount().token) return null;
  return (await call("GET", "/push-key", undefined, { once: true })).key;
}

/**
 * Ask for permission and subscribe; false: the player refuses. Browsers allow this only after a tap.
 * @param {string} key
 */
export async function subscribe(key) {
  if ((await Notification.requestPermission()) !== "granted") return false;
  const { pushManager } = await navigator.serviceWorker.ready;
  const id = theAccount().push ?? freshKey();
  await put(id, await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  changeAccount({ push: id });
  return true;
}

/** Unsubscribe. */
export async function unsubscribe() {
  const { push } = theAccount();
  changeAccount({ push: undefined });
  await forget();
  if (push) await call("DELETE", `/me/push-subscriptions/${push}`, undefined, { once: true });
}

/** @param {string} id @param {PushSubscription} made */
async function put(id, made) {
  const { endpoint, keys } = made.toJSON();
  await call(
    "PUT",
    `/me/push-subscriptions/${id}`,
    { carrier: "webpush", endpoint, p256dh: keys?.p256dh, auth: keys?.auth },
    { once: true },
  );
}

/** Unsubscribe, and take away the notices that are still shown. */
async function forget() {
  const ready = await navigator.serviceWorker.ready;
  await (await ready.pushManager.getSubscription())?.unsubscribe();
  for (const notice of await ready.getNotifications()) notice.close();
}

/** Tell the service about changes made by the browser, or by the player in its settings. */
async function renew() {
  const { push, token } = theAccount();
  if (!push || !token) return;
  const { pushManager } = await navigator.serviceWorker.ready;
  const made = Notification.permission === "granted" && (await pushManager.getSubscription());
  if (made) await put(push, made);
  else await unsubscribe();
}

/** Not essential: the next start tries again. @param {unknown} error */
function unless(error) {
  if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
}

/** Follow the browser and the account while the page is open. */
export function followPush() {
  if (!canPush()) return;
  renew().catch(unless);
  onAccount(() => {
    if (theAccount().token || !theAccount().push) return;
    changeAccount({ push: undefined });
    forget();
  });
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    if (data?.open) location.hash = data.open;
    if (data?.renew) renew().catch(unless);
  });
}

/** Show on the icon of the app how many tables wait for the player. @param {number} count */
export function showTurns(count) {
  /** @type {any} */ (navigator).setAppBadge?.(count)?.catch(() => {}); // not installed
}
