/**
 * Records that the service worker keeps for times without a network belong to a token: once this device has another
 * one,
 * or none, they are deleted. So nobody reads what the player before could read.
 */
import { onAccount, theAccount } from "./account.js";
import { API } from "./service.js";

/**
 * Delete the records of other tokens for this service.
 * @param {boolean} all also those of the token that this device has now
 */
async function forget(all) {
  // The worker may be keeping an answer to a request of the old token just now.
  navigator.serviceWorker.controller?.postMessage({ of: API, token: theAccount().token ?? "" });
  // Releases before 0.4 kept all records in "shengji-1", with the tokens of their requests, whoever was signed in.
  for (const name of await caches.keys())
    if (name === "shengji-1" || (all && name.startsWith(`shengji-of ${API} `))) await caches.delete(name);
}

/** Follow the account while the page is open. */
export function followKept() {
  if (!("serviceWorker" in navigator) || !("caches" in window)) return; // over plain HTTP, nothing is kept
  let { token } = theAccount();
  forget(!token).catch(() => {}); // no storage
  onAccount(() => {
    if (theAccount().token === token) return;
    token = theAccount().token;
    forget(true).catch(() => {});
  });
}
