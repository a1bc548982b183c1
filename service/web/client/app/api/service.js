/**
 * The service to which this page talks, and the only one that gets what is stored here. A page that a service has
 * served
 * talks to that service alone. A page that is hosted elsewhere talks to those that its host has written into it:
 *
 *     <meta name="service" content="https://play.example.org" data-sign-in="Google,Club">
 *
 * namely to the first, unless `?api=` names another one of them. An address can never name a service that is not
 * listed.
 */

/**
 * @typedef {object} Service
 * @property {string} origin
 * @property {string} [signIn] names of its OpenID providers, with commas
 */

/** The origin of an http(s) URL; null for everything else, such as `javascript:…`. @param {string | null} text */
export function originOf(text) {
  try {
    const { origin, protocol } = new URL(text ?? "");
    return protocol === "https:" || protocol === "http:" ? origin : null;
  } catch {
    return null;
  }
}

/**
 * Where the page itself is: the origin and, behind a gateway that serves it under a path, that path, without a slash at
 * its end.
 */
const OWN = location.origin + location.pathname.replace(/\/[^/]*$/, "");

/** @returns {Service[]} */
function listed() {
  const told = [.../** @type {NodeListOf<HTMLMetaElement>} */ (document.querySelectorAll('meta[name="service"]'))];
  const found = told.flatMap(({ content, dataset }) => {
    const origin = originOf(content);
    return origin ? [{ origin, signIn: dataset.signIn }] : [];
  });
  return found.length ? found : [{ origin: OWN }];
}

/**
 * In session storage: the service chosen in this tab, since addresses that lead back from a provider do not name it.
 */
const CHOSEN = "shengji service";

/** @param {string} [origin] what to store; left out: nothing */
function remembered(origin) {
  try {
    if (origin) sessionStorage.setItem(CHOSEN, origin);
    return sessionStorage.getItem(CHOSEN);
  } catch {
    return origin ?? null; // no storage
  }
}

const asked = new URLSearchParams(location.search).get("api");

/** Those that this page may talk to: its own, or what its host lists. */
export const SERVICES = listed();

const wanted = originOf(asked ?? remembered());
const chosen = SERVICES.find(({ origin }) => originOf(origin) === wanted);

/**
 * Whether the address names a service to which this page does not talk. Then the page does nothing else than say so.
 */
export const isRefused = asked !== null && !chosen;

const { origin, signIn } = chosen ?? SERVICES[0];
if (asked !== null && chosen && SERVICES.length > 1) remembered(origin);

/**
 * The address of the service, its origin and a path if it has one: requests, tokens and codes go there and nowhere
 * else.
 */
export const API = origin;

/** The names of its OpenID providers. A service writes them into the page that it serves. */
export const providers = (signIn ?? document.documentElement.dataset.signIn ?? "").split(",").filter(Boolean);

/** Whether people can talk in rooms. A service that has a TURN server writes that into the page that it serves. */
export const hasVoice = document.documentElement.dataset.voice !== undefined;

/** Whether the page is hosted elsewhere. */
export const isElsewhere = API !== OWN;

/** Whether this page shares its storage with nobody: a service at the root of its host, whose page this is. */
export const isAtRoot = API === location.origin && !isElsewhere;

/** The host of the service, as people are told it. */
export const HOST = new URL(API).host;

/** Where a provider leads back to: this page, named by its path below the service if that has served it. */
export const returnTo = isElsewhere ? location.origin + location.pathname : "/";

/** This page for links to others: whatever else was asked of it, but with its service if there are several. */
export const sharedPage =
  location.origin + location.pathname + (SERVICES.length > 1 ? `?${new URLSearchParams({ api: API })}` : "");
