/**
 * The event stream of a table or of the account: opened, watched, and reopened after the last event. It uses `fetch`,
 * which can send the token in a header and read refusals; `EventSource` can do neither.
 */
import { followHere, isHere } from "./alone.js";
import { heading, pause } from "./client.js";
import { answerTo, connections, discard, isOnline, onReturn, wait } from "./network.js";
import { API } from "./service.js";

/** Interval of heartbeats requested from the service, s. */
const HEARTBEAT_S = 5;
/** A connection silent for this long is dead, ms: one heartbeat is missing, and the next is almost due. */
const SILENCE_MS = 9_000;

/**
 * @typedef {object} Listener
 * @property {() => number | string | null} after where to resume; null: from the beginning
 * @property {(event: any, id: string) => void} onEvent
 * @property {(data: any, id: string) => void} onReset discard everything and go on from this: `reset`, or the
 *   `snapshot` of an account
 * @property {(serverTime: string) => void} onHeartbeat also once when all missed events have arrived
 * @property {(live: boolean) => void} onLive whether the stream is open
 * @property {(reason: string) => Promise<boolean>} onEnd the service has ended or refused the stream; whether to open
 *   another one
 */

/** @typedef {{ event: string, id: string, data: any }} Message */

/** Why reading a stream stopped: the reason given by the service; it broke off; or the page became visible again. */
const BROKEN = Symbol("broken");
const RETURNED = Symbol("returned");

/**
 * Follow a table or the account until `signal` aborts or `onEnd` returns false.
 * @param {string} path what is followed, below `/v1`
 * @param {Listener} listener
 * @param {AbortSignal} signal
 */
export async function follow(path, listener, signal) {
  if (isHere(path)) return followHere(path, listener, signal);
  for (let attempt = 0; !signal.aborted; attempt++) {
    const begun = performance.now();
    const end = await once(path, listener, signal);
    if (performance.now() - begun > SILENCE_MS) attempt = 0;
    if (end === RETURNED) continue;
    listener.onLive(false);
    if (signal.aborted || (typeof end === "string" && !(await listener.onEnd(end)))) return;
    await wait(pause(attempt), signal);
  }
}

/**
 * Kind of message -> what the listener is told.
 * @type {Record<string, (listener: Listener, message: Message) => void>}
 */
const TELLS = {
  message: (listener, { data, id }) => listener.onEvent(data, id),
  reset: (listener, { data, id }) => listener.onReset(data, id),
  snapshot: (listener, { data, id }) => listener.onReset(data, id),
  heartbeat: (listener, { data }) => listener.onHeartbeat(data.server_time),
};

/**
 * Open the stream once and read it to its end; return why it is over.
 * @param {string} path
 * @param {Listener} listener
 * @param {AbortSignal} signal
 */
async function once(path, listener, signal) {
  const dead = new AbortController();
  let end = /** @type {symbol | string} */ (BROKEN);
  const leave = () => dead.abort();
  const back = () => {
    end = RETURNED;
    leave();
  };
  const used = connections();
  const silent = () => {
    discard(used);
    leave();
  };
  const stop = onReturn(back);
  signal.addEventListener("abort", leave);
  let watch = 0;
  try {
    const after = listener.after();
    const query = `?heartbeat=${HEARTBEAT_S}${after === null ? "" : `&after=${encodeURIComponent(after)}`}`;
    const answer = await answerTo(`${API}/v1${path}/events${query}`, {
      headers: { ...heading(), Accept: "text/event-stream" },
      signal: dead.signal,
    });
    isOnline(true);
    if (answer.status === 204) return "over";
    if (answer.status >= 400 && answer.status < 500) {
      const { code } = await answer.json();
      return code === "rate-limited" ? BROKEN : String(code);
    }
    if (!answer.ok || !answer.body) return BROKEN;
    listener.onLive(true);
    watch = setTimeout(silent, SILENCE_MS);
    for await (const message of messages(answer.body)) {
      isOnline(true);
      clearTimeout(watch);
      watch = setTimeout(silent, SILENCE_MS);
      if (message.event === "end") return String(message.data.reason);
      TELLS[message.event]?.(listener, message);
    }
  } catch {
    // The rest of an abandoned stream, or of a broken connection.
    if (!signal.aborted && end === BROKEN) isOnline(navigator.onLine && dead.signal.aborted);
  } finally {
    stop();
    clearTimeout(watch);
    signal.removeEventListener("abort", leave);
  }
  return end;
}

/**
 * The messages of a stream of server-sent events (HTML standard, 9.2).
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<Message>}
 */
async function* messages(body) {
  const reader = body.pipeThrough(/** @type {any} */ (new TextDecoderStream())).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (text + value).split("\n\n");
    text = /** @type {string} */ (blocks.pop());
    for (const block of blocks) {
      const fields = Object.fromEntries(
        block.split("\n").map((line) => [line.split(":", 1)[0], line.replace(/^[^:]*: ?/, "")]),
      );
      if (fields.data) yield { event: fields.event ?? "message", id: fields.id, data: JSON.parse(fields.data) };
    }
  }
}
