/**
 * Requests to the API: with the token, in the player's language, and repeated until there is an answer. Repeating any
 * of them is safe (docs/contract.md §3): actions name a decision, creations carry an `Idempotency-Key`.
 *
 * @typedef {import("../types").Problem} Problem
 * @typedef {import("../types").Outcome} Outcome
 * @typedef {import("../types").View} View
 */
import { isSignedOut, theAccount } from "./account.js";
import { askHere, isHere } from "./alone.js";
import { answerTo, HEAD_MS, isOnline, wait } from "./network.js";
import { API } from "./service.js";

/** A refusal: `problem` says why, in the player's language. */
export class Refused extends Error {
  /** @param {Problem} problem */
  constructor(problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** There is no answer to a request that is not repeated. */
export class Unreachable extends Error {}

const LONGEST_PAUSE_MS = 8_000;
/** Timeout for the body of an answer and, from the third attempt on, for its head, ms. */
const PATIENCE_MS = 15_000;
/** Statuses after which the same request is sent again. */
const BUSY = new Set([429, 502, 503, 504]);

/**
 * Send a request and return the body of the answer. Waits out lost connections and a busy service. Tables in the page
 * are asked there.
 * @param {string} method
 * @param {string} path below `/v1`
 * @param {object} [body]
 * @param {{
 *   signal?: AbortSignal,
 *   once?: boolean,
 *   headers?: Record<string, string>,
 *   asText?: boolean,
 * }} [how] `asText`: return the body as it is. `once`: do not repeat until there is an answer; try only twice, since
 * the first attempt may have met a dead connection
 * @returns {Promise<any>}
 * @throws {Refused}
 * @throws {Unreachable} there was no answer, with `once`
 */
export async function call(method, path, body, how = {}) {
  return isHere(path)
    ? answeredHere(await askHere(method, path, body).catch(() => null))
    : callService(method, path, body, how);
}

/** @type {typeof call} */
async function callService(method, path, body, how = {}) {
  const headers = headersOf(method, how.headers);
  for (let attempt = 0; ; attempt++) {
    const answer = await send(method, path, body, headers, attempt < 2 ? HEAD_MS : PATIENCE_MS, how.signal);
    if (answer?.ok) return bodyOf(answer, how.asText);
    how.signal?.throwIfAborted();
    if (answer?.status === 401) isSignedOut(headers.Authorization?.replace("Bearer ", ""));
    if (answer && (how.once || !BUSY.has(answer.status))) throw new Refused(problemOf(answer));
    if (how.once && attempt) throw new Unreachable();
    await wait(Math.max(askedBy(answer), pause(attempt)), how.signal);
  }
}

/**
 * The body of an answer of this page itself.
 * @param {import("./alone.js").Answer | null} answer null: what answers is not on this device
 * @throws {Refused}
 * @throws {Unreachable}
 */
function answeredHere(answer) {
  if (!answer?.status) throw new Unreachable();
  if (answer.status >= 400) throw new Refused(answer.body);
  return answer.body;
}

/** @param {string} method @param {Record<string, string>} [more] */
function headersOf(method, more) {
  const headers = /** @type {Record<string, string>} */ ({ ...heading(), ...more });
  if (method !== "GET") headers["Content-Type"] = "application/json";
  if (method === "POST") headers["Idempotency-Key"] ??= freshKey();
  return headers;
}

/** The pause that an answer asks for, ms. @param {{ headers: Headers } | null} answer */
const askedBy = (answer) => Number(answer?.headers.get("Retry-After") ?? 0) * 1000;

/** @param {{ text: string }} answer @param {boolean} [asText] as it is */
function bodyOf({ text }, asText = false) {
  if (asText) return text;
  return text ? JSON.parse(text) : null;
}

/** A random UUID (version 4); over plain HTTP, browsers offer no `crypto.randomUUID`. */
export function freshKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** The pause before attempt number `attempt` + 1, with jitter, ms. @param {number} attempt */
export const pause = (attempt) => Math.min(LONGEST_PAUSE_MS, 250 * 2 ** attempt) * (0.75 + Math.random() / 2);

/** Headers of every request. @returns {Record<string, string>} */
export function heading() {
  const { token, language, traditional } = theAccount();
  return {
    ...(language && { "Accept-Language": traditional ? "zh-Hant" : language }),
    ...(token && { Authorization: `Bearer ${token}` }),
  };
}

/**
 * The answer, or null if there is none or its body does not arrive as a whole.
 * @param {string} method
 * @param {string} path
 * @param {object | undefined} body
 * @param {Record<string, string>} headers
 * @param {number} patience timeout until the answer begins, ms
 * @param {AbortSignal} [signal]
 */
async function send(method, path, body, headers, patience, signal) {
  const late = AbortSignal.timeout(patience + PATIENCE_MS);
  try {
    const how = {
      method,
      headers,
      body: body && JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, late]) : late,
    };
    const answer = await answerTo(`${API}/v1${path}`, how, patience);
    const text = await answer.text();
    isOnline(!answer.headers.has("X-Kept")); // the service worker answers where the network does not
    return { ok: answer.ok, status: answer.status, reason: answer.statusText, headers: answer.headers, text };
  } catch {
    if (!signal?.aborted) isOnline(false);
    return null;
  }
}

/** @param {{ status: number, reason: string, text: string }} answer @returns {Problem} */
function problemOf({ status, reason, text }) {
  try {
    return JSON.parse(text);
  } catch {
    return /** @type {Problem} */ ({ code: "unreadable", status, title: "", detail: reason });
  }
}
