/** Event streams that resume: of a table, and of the account. */
import { EventSourceParserStream } from "eventsource-parser/stream";
import { type Client, pauseBefore } from "./client.js";
import { PASSING, Problem } from "./problems.js";
import type { AccountEvent, Event, Schemas } from "./types.js";

/** Heartbeats come every ten seconds; without one for so long, the connection is dead, ms. */
const SILENCE = 25_000;
/** A connection that has lasted so long counts as a success: the next pause is short again, ms. */
const STABLE = 10_000;

/** A message of a stream. `id` is the place to resume after; empty: as before. */
export type Message<Told = Event | AccountEvent> = { id: string } & (
  | { name: "message"; data: Told }
  | { name: "reset"; data: Schemas["StreamReset"] }
  | { name: "snapshot"; data: Schemas["MyTables"] }
  | { name: "heartbeat"; data: Schemas["StreamHeartbeat"] }
  | { name: "end"; data: Schemas["StreamEnd"] }
);

/** Where a stream begins, and what ends it. */
export interface Following {
  /** Id of the last message that was read; without, begin with what is now. */
  after?: string | number;
  /** Ends it. */
  signal?: AbortSignal;
}

/**
 * The messages of a stream, each event once, over as many connections as it takes.
 *
 * It ends after the message `end`, whose `reason` tells why, where nothing more is to come, and when the signal aborts.
 * After `reset`, discard what you have and continue with what it, or the `snapshot` after it, brings.
 *
 * @param path `/v1/tables/{table}/events` or `/v1/me/events`
 * @throws Problem the service refuses the stream for good
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
      // Anything else is a lost connection: as if the stream had broken off.
      if (error instanceof Problem) {
        // 400: the service has lost what came before this place, in an outage.
        if (error.status === 400 && place !== undefined) place = undefined;
        else if (!PASSING.has(error.status)) throw error;
        pause = error.retryAfter;
      } else if (error instanceof Ended) return;
    }
    if (Date.now() - began > STABLE) failures = 0;
    await client.sleep(pause ?? pauseBefore(failures), signal).catch(() => {});
  }
}

/** There is nothing more to come. */
class Ended extends Error {}

/** The messages of one connection; fails where it is silent for too long. */
async function* connection<Told>(client: Client, path: string, after: string | undefined, signal?: AbortSignal): AsyncGenerator<Message<Told>> {
  const broken = new AbortController();
  const leave = () => broken.abort();
  signal?.addEventListener("abort", leave);
  let timer = setTimeout(leave, SILENCE);
  try {
    const answered = await client.open(path, after, broken.signal);
    if (answered.status === 204 || !answered.body) throw new Ended();
    const decoder = new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>;
    const reader = answered.body.pipeThrough(decoder).pipeThrough(new EventSourceParserStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      // What the reader of the messages does with them is no silence.
      clearTimeout(timer);
      if (done) return;
      yield { name: value.event ?? "message", data: JSON.parse(value.data), id: value.id ?? "" } as Message<Told>;
      timer = setTimeout(leave, SILENCE);
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", leave);
    leave();
  }
}
