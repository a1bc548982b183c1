/**
 * Records that the service worker keeps for times without a network. They belong to a token: once this device has
 * another one, or none, they are deleted. So nobody reads what the player before could read.
 */
import { onAccount, theAccount } from "./account.js";
import { API } from "./service.js";

/** Releases before 0.4 kept all records here, with the tokens of their requests, whoever was signed in. */
const BEFORE = "shengji-1";

/** The cache of a token's records, as the service worker names it. @param {string} token */
async function nameOf(token) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`Bearer ${token}`)));
  return `shengji-of ${API} ${[...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Delete the records of all other tokens for this service. */
async function forgetOthers() {
  const { token } = theAccount();
  const mine = token ? await nameOf(token) : "";
  // The worker may be keeping an answer to a request of the old token just now.
  navigator.serviceWorker.controller?.postMessage({ of: API, mine });
  for (const name of await caches.keys()) if (name === BEFORE || (name.startsWith(`shengji-of ${API} `) && name !== mine)) await caches.delete(name);
}

/** Follow the account while the page is open. */
export function followKept() {
  if (!("serviceWorker" in navigator) || !("caches" in window)) return; // over plain HTTP, nothing is kept
  let { token } = theAccount();
  const forget = () => void forgetOthers().catch(() => {}); // no storage
  forget();
  onAccount(() => {
    if (theAccount().token === token) return;
    token = theAccount().token;
    forget();
  });
}
