/**
 * Calls of operators, with their token. It is kept only in session storage, so it is gone with the tab, and for one
 * service.
 */
import { call, Refused } from "./client.js";
import { API } from "./service.js";

const PLACE = `shengji operator ${API}`;
const listeners = new Set(/** @type {(() => void)[]} */ ([]));

let token = stored();

function stored() {
  try {
    return sessionStorage.getItem(PLACE) ?? "";
  } catch {
    return ""; // no storage: it is kept only as long as the page
  }
}

/** Empty: not given yet, or refused. */
export const theOperatorToken = () => token;

/** Calls `listener` after each change. @param {() => void} listener */
export function onOperatorToken(listener) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** @param {string} given */
export function keepOperatorToken(given) {
  token = given;
  try {
    sessionStorage.setItem(PLACE, given);
  } catch {
    // As above.
  }
  for (const listener of listeners) listener();
}

/** The headers of an operator's request. @param {string} [given] */
export const asOperator = (given = token) => ({ headers: { Authorization: `Bearer ${given}` } });

/**
 * @param {string} method
 * @param {string} path below `/v1/operator`
 * @param {object} [body]
 * @throws {Refused} the token is forgotten if that is the reason
 */
export async function operate(method, path, body) {
  try {
    return await call(method, `/operator${path}`, body, { once: true, ...asOperator() });
  } catch (error) {
    if (error instanceof Refused && error.problem.code === "operators-only") keepOperatorToken("");
    throw error;
  }
}
