/** Recorded games, for tests of apps: a `fetch` with an in-process service, whose time stands still. */
import { Client } from "./client.js";
import { fold } from "./fold.js";
import { MADE_FOR } from "./made.js";
import { PROBLEMS, RECORDINGS } from "./recordings.js";
import { Table } from "./table.js";
import type { Event, Outcome, ProblemBody, View } from "./types.js";

/** A game recorded by a service. */
export interface Recording {
  first: View;
  events: Event[];
  /** Decisions answered by the player, with `seq` and `version` of the outcome; an empty id: ready for the game. */
  answers: [string, number, number][];
}

/** Seat of the recorded player. */
const SEAT = 0;
const URL_OF_SERVICE = "http://recorded";

/** The rulesets with a recorded game. */
export const rulesets: readonly string[] = Object.keys(RECORDINGS);
/** An example of each problem of the service, by code. */
export const problems: Readonly<Record<string, ProblemBody>> = PROBLEMS;

/**
 * A recorded game, as seen by the player on seat 0, and its current position.
 *
 * It begins before the player is ready. The test advances it with `step`, `until` and `turn`; after `run`, actions of
 * others follow at once. Requests of the player are stored in `sent`, and the game continues as recorded, whatever was
 * sent; only an action for a decision that is not open is refused, with `stale-decision`.
 */
export class RecordedGame {
  /** Requests of the player. */
  readonly sent: { method: string; path: string; body?: unknown }[] = [];
  /** Delays that clients would have made, ms. */
  readonly slept: number[] = [];
  private current: View;
  private readonly answers: Map<string, number>;
  private readonly refusals: string[] = [];
  private running = false;
  private listeners: (() => void)[] = [];

  constructor(private readonly recording: Recording) {
    this.current = recording.first;
    this.answers = new Map(recording.answers.map(([answered, , version]) => [answered, version]));
  }

  /** The game of one of the `rulesets`. */
  static async of(ruleset = "shengji"): Promise<RecordedGame> {
    const recording = RECORDINGS[ruleset];
    if (!recording) throw new RangeError(`there is no game of ${ruleset}, only of ${rulesets.join(", ")}`);
    return new RecordedGame((await recording()).default);
  }

  /** The current view. */
  get view(): View {
    return this.current;
  }

  /** The time of the last event. */
  get now(): string {
    return this.current.server_time;
  }

  /** Whether all events have happened. */
  get isOver(): boolean {
    return this.told === this.recording.events.length;
  }

  /** A client of the recorded player, without delays. */
  client(): Client {
    const sleep = async (ms: number) => void this.slept.push(ms);
    return new Client(URL_OF_SERVICE, { token: "sjt_recorded", fetch: this.fetch, sleep });
  }

  /** The table for a client. */
  table(): Table {
    return new Table(this.client(), this.current.id);
  }

  /** Advance by an event, and return it. */
  step(): Event {
    const event = this.recording.events[this.told];
    if (!event) throw new RangeError("the game is over");
    this.current = { ...fold(this.current, event), server_time: event.at };
    for (const listener of this.listeners.splice(0)) listener();
    return event;
  }

  /** Advance to the next event of a type, and return it. */
  until(type: string): Event {
    for (;;) {
      const event = this.step();
      if (event.type === type) return event;
    }
  }

  /** Advance until a decision waits for the player, or the game is over; return the view. */
  turn(): View {
    while (!this.isOver && !this.waits()) this.step();
    return this.current;
  }

  /** From now on, let actions of others follow at once. */
  run(): void {
    this.running = true;
    this.turn();
  }

  /** Answer the next requests with an example of a problem. */
  refuse(code: string, times = 1): void {
    if (!problems[code]) throw new RangeError(`there is no problem ${code}`);
    for (let count = 0; count < times; count++) this.refusals.push(code);
  }

  /** Answers requests, for other clients than `client()`. */
  readonly fetch = async (address: string, { method = "GET", headers, body, signal }: RequestInit = {}): Promise<Response> => {
    const { pathname, searchParams } = new URL(address);
    if (pathname === "/v1") return Response.json({ version: MADE_FOR, api_versions: ["v1"] });
    const given = body ? (JSON.parse(String(body)) as { decision_id?: string }) : undefined;
    this.sent.push({ method, path: pathname, ...(given && { body: given }) });
    const refused = this.refusals.shift();
    if (refused) return problem(refused);
    const asked = new Headers(headers);
    if (asked.get("Accept") !== "text/event-stream") return this.plain(method, pathname, searchParams, given ?? {});
    const after = asked.get("Last-Event-ID") ?? searchParams.get("after");
    if (after !== null && Number(after) - this.recording.first.version === this.recording.events.length) return new Response(null, { status: 204 });
    return new Response(this.stream(after, signal ?? undefined), { headers: { "Content-Type": "text/event-stream" } });
  };

  private get told(): number {
    return this.current.version - this.recording.first.version;
  }

  /** Whether the player is asked, and answered in the recording. */
  private waits(): boolean {
    const { decision } = this.current;
    return !this.told || Boolean(decision && decision.seats.includes(SEAT) && this.answers.has(decision.id));
  }

  private plain(method: string, path: string, query: URLSearchParams, body: { decision_id?: string }): Response {
    const here = `/v1/tables/${this.current.id}`;
    const occupant = this.current.seats[SEAT]?.occupant;
    const me = { id: occupant?.player, name: occupant?.name, kind: occupant?.kind };
    const page = () => this.page(Number(query.get("after") ?? 0), Number(query.get("limit") ?? 100));
    const fixed: Record<string, () => unknown> = {
      "GET /v1/me": () => me,
      "POST /v1/players": () => ({ player: me, token: "sjt_recorded" }),
      "POST /v1/tables": () => this.current,
      [`GET ${here}`]: () => this.current,
      [`GET ${here}/events`]: page,
    };
    const known = fixed[`${method} ${path}`];
    if (known) return Response.json(known());
    if (!path.startsWith(`${here}/`) || method === "GET") return problem("not-found", { detail: `The recorded game has no answer to ${method} ${path}.` });
    return this.outcome(path.endsWith("/ready"), body.decision_id);
  }

  private page(after: number, limit: number) {
    const { first, events } = this.recording;
    const start = Math.max(0, after - first.version);
    const page = events.slice(start, this.told).slice(0, limit);
    return { events: page, next_after: page.at(-1)?.seq ?? Math.max(after, first.version), version: this.current.version, server_time: this.now };
  }

  /** Continue after an action of the player. */
  private outcome(isReady: boolean, decisionId: string | undefined): Response {
    const { decision } = this.current;
    if (decisionId !== undefined && decision?.id !== decisionId) return problem("stale-decision", { decision });
    const answered = isReady ? (decision?.kind === "ready" ? decision.id : "") : decisionId;
    const before = this.told;
    while (answered !== undefined && this.current.version < (this.answers.get(answered) ?? 0)) this.step();
    const seq = this.current.version;
    const outcome: Outcome = { seq, version: seq, server_time: this.now, events: this.recording.events.slice(before, this.told), view: this.current };
    if (this.running) this.turn();
    return Response.json(outcome);
  }

  /** Server-sent events up to the current position, and then as the game continues. */
  private stream(after: string | null, signal?: AbortSignal): ReadableStream<Uint8Array> {
    const { first, events } = this.recording;
    const bytes = new TextEncoder();
    const message = (data: unknown, place: number, name = "message") => bytes.encode(`event: ${name}\nid: ${place}\ndata: ${JSON.stringify(data)}\n\n`);
    let told = after === null ? this.current.version : Math.max(Number(after), first.version);
    return new ReadableStream({
      start: (to) => {
        signal?.addEventListener("abort", () => to.error(signal.reason));
        if (after === null) to.enqueue(message({ view: this.current }, told, "reset"));
      },
      pull: async (to) => {
        while (this.current.version === told) await new Promise<void>((done) => this.listeners.push(done));
        if (signal?.aborted) return;
        for (; told < this.current.version; told++) to.enqueue(message(events[told - first.version], told + 1));
        if (!this.isOver) return;
        to.enqueue(message({ reason: "over", after: told }, told, "end"));
        to.close();
      },
    });
  }
}

function problem(code: string, changes: object = {}): Response {
  const body = { ...problems[code], ...changes } as ProblemBody;
  const pause = body.params?.["retry_after_s"];
  return Response.json(body, { status: body.status, headers: { "Content-Type": "application/problem+json", ...(pause !== undefined && { "Retry-After": String(pause) }) } });
}
