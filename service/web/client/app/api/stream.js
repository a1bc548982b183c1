/**
 * The event stream of a table: opened, watched, and opened again after the last event. Read with `fetch`, so that the
 * token travels in a header and refusals can be read; `EventSource` can do neither.
 *
 * @typedef {import("../types").View} View
 * @typedef {import("../types").Event} Event
 */
import { API } from "./account.js";
import { heading, pause, Refused } from "./client.js";
import { isOnline, wait } from "./network.js";

/** A connection that is silent for so long is dead: heartbeats come every ten seconds. */
const SILENCE_MS = 25_000;

/**
 * @typedef {object} Listener
 * @property {() => number | null} after seq to resume after; null: begin with a view
 * @property {(event: Event) => void} onEvent
 * @property {(view: View) => void} onReset discard everything, go on from this view
 * @property {(serverTime: string) => void} onHeartbeat
 * @property {(live: boolean) => void} onLive whether the stream is open
 */

/**
 * Follow a table until `signal` aborts or the game is over and everything has been read.
 * @param {string} table
 * @param {Listener} listener
 * @param {AbortSignal} signal
 * @throws {Refused} the table is gone, or must not be seen
 */
export async function follow(table, listener, signal) {
  for (let attempt = 0; !signal.aborted; attempt++) {
    const done = await once(table, listener, signal, () => void (attempt = 0));
    listener.onLive(false);
    if (done || signal.aborted) return;
    await wait(pause(attempt), signal);
  }
}

/**
 * Open the stream once and read it to its end; true if there is nothing more to follow. After a game there is: another
 * one may begin at the table, and a stream that is opened now waits for it.
 * @param {string} table
 * @param {Listener} listener
 * @param {AbortSignal} signal
 * @param {() => void} opened
 */
async function once(table, listener, signal, opened) {
  const dead = new AbortController();
  const abort = () => dead.abort();
  signal.addEventListener("abort", abort);
  let watch = setTimeout(abort, SILENCE_MS);
  try {
    const after = listener.after();
    const query = after === null ? "" : `?after=${after}`;
    const answer = await fetch(`${API}/v1/tables/${table}/events${query}`, {
      headers: { ...heading(), Accept: "text/event-stream" },
      signal: dead.signal,
    });
    isOnline(true);
    if (answer.status === 204) return true;
    if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) throw new Refused(await answer.json());
    if (!answer.ok || !answer.body) return false;
    opened();
    listener.onLive(true);
    let news = false;
    for await (const message of messages(answer.body)) {
      isOnline(true);
      clearTimeout(watch);
      watch = setTimeout(abort, SILENCE_MS);
      news ||= message.event === "message";
      if (message.event === "message") listener.onEvent(message.data);
      else if (message.event === "reset") listener.onReset(message.data.view);
      else if (message.event === "heartbeat") listener.onHeartbeat(message.data.server_time);
      else if (message.event === "end") return !(news && message.data.reason === "over");
    }
    return false;
  } catch (error) {
    if (error instanceof Refused) throw error;
    if (!signal.aborted) isOnline(navigator.onLine && dead.signal.aborted);
    return false;
  } finally {
    clearTimeout(watch);
    signal.removeEventListener("abort", abort);
  }
}

/**
 * The messages of a stream of server-sent events (HTML standard, 9.2).
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<{ event: string, data: any }>}
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
      const fields = Object.fromEntries(block.split("\n").map((line) => [line.split(":", 1)[0], line.replace(/^[^:]*: ?/, "")]));
      if (fields.data) yield { event: fields.event ?? "message", data: JSON.parse(fields.data) };
    }
  }
}
