/** Event streams of tables and of the account, which resume automatically. */
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { type Client, pauseBefore } from "./client.js";
import { PASSING, Problem } from "./problems.js";
import type { AccountEvent, Event, Schemas } from "./types.js";

/** Time without a heartbeat after which a connection is dead, ms. Heartbeats come every ten seconds. */
const SILENCE = 25_000;
/** Duration from which a connection counts as a success, so that the next delay is short again, ms. */
const STABLE = 10_000;

/** A message of a stream. `id` is the position after which to resume; empty: unchanged. */
export type Message<Told = Event | AccountEvent> = { id: string } & (
  | { name: "message"; data: Told }
  | { name: "reset"; data: Schemas["StreamReset"] }
  | { name: "snapshot"; data: Schemas["MyTables"] }
  | { name: "heartbeat"; data: Schemas["StreamHeartbeat"] }
  | { name: "end"; data: Schemas["StreamEnd"] }
);

/** Where a stream begins, and what ends it. */
export interface Following {
  /** Id of the last message read; by default, begin with the current state. */
  after?: string | number;
  /** Ends the stream when aborted. */
  signal?: AbortSignal;
}

/**
 * The messages of a stream, each event once, reconnecting as needed.
 *
 * It ends after the message `end`, which has a `reason`, when no more events can come, and when the signal aborts.
 * After `reset`, discard the current state and continue with the state in the message, or in the `snapshot` after it.
 *
 * @param path `/v1/tables/{table}/events` or `/v1/me/events`
 * @throws Problem the service refuses the stream permanently
 */
export async function* follow<Told = Event | AccountEvent>(client: Client, path: string, { after, signal }: Following = {}): AsyncGenerator<Message<Told>, void> {
  let place = after === undefined ? undefined : String(after);
  for (let failures = 0; !signal?.aborted; failures++) {
    const began = Date.now();
    let pause: number | undefined;
    try {
      for await (const message of connection<Told>(client, path, place, signal)) {
        place = message.id || (message.name === "heartbeat" && message.data.after !== undefined ? String(message.data.after) : place);
        yield message;
        if (message.name === "end") return;
      }
      if (signal?.aborted) return;
    } catch (error) {
      if (signal?.aborted) return;
      // Any other error is a lost connection.
      if (error instanceof Problem) {
        // 400: the service has lost the events before this position in an outage.
        if (error.status === 400 && place !== undefined) place = undefined;
        else if (!PASSING.has(error.status)) throw error;
        pause = error.retryAfter;
      } else if (error instanceof Ended) return;
    }
    if (Date.now() - began > STABLE) failures = 0;
    await client.sleep(pause ?? pauseBefore(failures), signal).catch(() => {});
  }
}

/** No more events can come. */
class Ended extends Error {}

/** The messages of one connection; throws if it is silent for too long. */
async function* connection<Told>(client: Client, path: string, after: string | undefined, signal?: AbortSignal): AsyncGenerator<Message<Told>> {
  const broken = new AbortController();
  const leave = () => broken.abort();
  signal?.addEventListener("abort", leave);
  let timer = setTimeout(leave, SILENCE);
  try {
    const { status, text } = await client.open(path, after, broken.signal);
    if (status === 204) throw new Ended();
    let told: EventSourceMessage[] = [];
    const parser = createParser({ onEvent: (event) => told.push(event) });
    for await (const part of text) {
      // The time that the consumer takes does not count as silence.
      clearTimeout(timer);
      parser.feed(part);
      const messages = told;
      told = [];
      for (const { event, data, id } of messages) yield { name: event ?? "message", data: JSON.parse(data), id: id ?? "" } as Message<Told>;
      timer = setTimeout(leave, SILENCE);
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", leave);
    leave();
  }
}
