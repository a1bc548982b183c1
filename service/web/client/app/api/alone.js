/**
 * Tables in the page itself, for times without a network. The rules and the AI players of the service run in a worker,
 * which answers the requests about such a table as the service answers those about its own. Nothing of it is loaded
 * before somebody has asked for it (`app/alone/files.js`).
 *
 * @typedef {import("../types").Event} Event
 * @typedef {{ status: number, body: any }} Answer `status` 0: what answers could not be started
 */
import { theAccount } from "./account.js";

/** Paths of such tables; ids of the service have no such form. */
const PATH = /^\/tables\/(alone(?:-\w+)?)(?=$|[/?])/;

/** The table in the page that a path below `/v1` is about; undefined: something else. @param {string} path */
const tableOf = (path) => PATH.exec(path)?.[1];

/** Whether requests to a path are answered in the page. @param {string} path */
export const isHere = (path) => tableOf(path) !== undefined;

/** Whether a table is in the page. @param {string} table */
export const isInPage = (table) => isHere(`/tables/${table}`);

/** The worker, once there was a request. @type {Worker | null} */
let worker = null;
let last = 0;
const waiting = /** @type {Map<number, { resolve: (answer: Answer) => void, reject: (error: Error) => void }>} */ (
  new Map()
);
const followers = new Set(/** @type {((table: string, events: Event[]) => void)[]} */ ([]));

/** Whether this tab has started it. */
export const isStarted = () => worker !== null;

function theWorker() {
  if (worker) return worker;
  const made = new Worker("alone/worker.js", { type: "module" });
  made.onmessage = ({ data: { id, table, events, ...answer } }) => {
    for (const hear of followers) hear(table, events);
    waiting.get(id)?.resolve(answer);
    waiting.delete(id);
  };
  made.onerror = () => {
    worker = null;
    for (const { reject } of waiting.values()) reject(new Error("the worker of tables in the page has failed"));
    waiting.clear();
  };
  return (worker = made);
}

/** What a player without a name is called. */
const me = () => theAccount().name || (document.documentElement.lang === "en" ? "Me" : "我");

/**
 * Send a request to the worker.
 * @param {string} method
 * @param {string} path below `/v1`
 * @param {object} [body]
 * @returns {Promise<Answer>}
 */
export function askHere(method, path, body) {
  const id = ++last;
  // These tables stay this player's whoever signs in on this device.
  const occupant = { kind: "human", player: "pl_alone", name: me() };
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    theWorker().postMessage({ id, method, path, body, occupant, language: document.documentElement.lang });
  });
}

/**
 * Follow a table in the page until `signal` aborts, as `stream.js` follows those of the service.
 * @param {string} path of the table
 * @param {import("./stream.js").Listener} listener
 * @param {AbortSignal} signal
 */
export async function followHere(path, listener, signal) {
  const early = /** @type {Event[]} */ ([]);
  let take = (/** @type {Event[]} */ events) => events.forEach((event) => early.push(event));
  const hear = (/** @type {string} */ table, /** @type {Event[]} */ events) => {
    if (table === tableOf(path)) take(events);
  };
  followers.add(hear);
  try {
    const { body } = await askHere("GET", `${path}/events?after=${listener.after() ?? 0}`);
    take = (events) => events.forEach((event) => listener.onEvent(event, String(event.seq)));
    listener.onLive(true);
    take([...(body.events ?? []), ...early]);
    listener.onHeartbeat(new Date().toISOString());
    await new Promise((resolve) => (signal.aborted ? resolve(0) : signal.addEventListener("abort", resolve)));
  } finally {
    followers.delete(hear);
  }
}
