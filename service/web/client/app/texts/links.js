/** Links that people share: with a picture and a sentence where they are pasted, in the language of who shares them. */
import { API, isElsewhere, SERVICES, sharedPage } from "../api/service.js";
import { language } from "./texts.js";

/** @typedef {"room" | "club" | "table" | "deal" | "event" | "replay" | "friend"} Kind */

/**
 * A link to a screen of this page. The service has a page for each kind, which goes on to the screen: what is behind
 * the `#` is sent to nobody. A page that is hosted elsewhere has none.
 * @param {Kind} kind
 * @param {string} hash the screen, with its `#`
 */
export const sharedLink = (kind, hash) =>
  isElsewhere || SERVICES.length > 1
    ? `${sharedPage}${hash}`
    : `${API}/${language() === "en" ? "en" : "zh"}/${kind}${hash}`;
