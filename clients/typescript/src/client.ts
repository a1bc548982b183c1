/** Requests of a player: JSON with a token, with retries, errors as exceptions. */
import createClient, { type Client as Calls } from "openapi-fetch";
import type { paths } from "./api.js";
import { MADE_FOR } from "./made.js";
import { PASSING, Problem, Unreachable } from "./problems.js";
import { type Opened, canStream, openByFetch, openByXhr } from "./transport.js";

/** Base path of the API. */
const API = "v1";
/** After so long, a response counts as lost, ms. */
const TIMEOUT = 10_000;
const LONGEST_PAUSE = 30_000;
/** Services whose version has been checked. */
const compared = new Set<string>();

/** Settings of a client. */
export interface Settings {
  /** Token of the player; empty before registration. */
  token?: string;
  /** Language of the texts of problems. */
  language?: "en" | "zh-Hans" | "zh-Hant";
  /** How long a request is retried, ms. */
  patience?: number;
  /** Sends requests: `fetch`, or that of a recorded game. */
  fetch?: (url: string, how: RequestInit) => Promise<Response>;
  /** Waits before a retry. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Called once if the service is of another version than this package. */
  warn?: (text: string) => void;
}

/** Delay before an attempt, ms: 0 for the first, then random up to 1, 2, 4 … 30 s. */
export const pauseBefore = (attempt: number): number =>
  attempt ? (0.5 + Math.random() / 2) * Math.min(LONGEST_PAUSE, 1000 * 2 ** (attempt - 1)) : 0;

/** Wait; rejects if the signal aborts. */
function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    const stop = () => {
      clearTimeout(timer);
      fail(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      done();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}

/** The body of a response: `await answer(client.api.GET("/v1/me"))`. A refusal is thrown. */
export async function answer<Body>(call: Promise<{ data?: Body }>): Promise<Body> {
  return (await call).data as Body;
}

/** Sends the requests of a player. */
export class Client {
  /** All operations of openapi.yaml, typed: `client.api.GET("/v1/me/tables")`. Refusals are thrown as `Problem`. */
  readonly api: Calls<paths>;
  token: string;
  readonly language: string;
  /** Waits before a retry. */
  readonly sleep: NonNullable<Settings["sleep"]>;
  private readonly patience: number;
  private readonly fetch: NonNullable<Settings["fetch"]>;
  private readonly ownFetch: boolean;
  private readonly warn: (text: string) => void;
  private pausedUntil = 0;
  /** Deprecated operations that were told: method and last day. */
  private readonly deprecated = new Set<string>();

  /** @param url URL of the service, such as `https://cards.example`; in a browser, empty for the host of the page. */
  constructor(
    readonly url: string,
    settings: Settings = {},
  ) {
    this.url = url.replace(/\/$/, "");
    this.token = settings.token ?? "";
    this.language = settings.language ?? "en";
    this.patience = settings.patience ?? 60_000;
    this.ownFetch = settings.fetch !== undefined;
    this.fetch = settings.fetch ?? ((...request) => globalThis.fetch(...request));
    this.sleep = settings.sleep ?? sleep;
    this.warn = settings.warn ?? ((text) => console.warn(text));
    this.api = createClient<paths>({ baseUrl: this.url, fetch: (request) => this.sendRequest(request) });
  }

  /**
   * Register a player, and return its client. Store the `token`, which is shown only now.
   * @param code registration code, where `GET /v1` has `registration: invited`
   */
  static async register(
    url: string,
    name: string,
    { kind = "bot", code, ...settings }: Settings & { kind?: "bot" | "human"; code?: string } = {},
  ): Promise<Client> {
    const client = new Client(url, settings);
    const body = { name, kind, ...(code && { code }) };
    client.token = (await answer(client.api.POST("/v1/players", { body }))).token;
    return client;
  }

  /**
   * Send a request that `api` does not know; return the JSON of the response, undefined if it has no body.
   * @param path begins with `/v1`
   */
  async request<Body = unknown>(method: string, path: string, body?: object): Promise<Body> {
    const answered = await this.send(method, this.url + path, { "Content-Type": "application/json" }, body && JSON.stringify(body));
    const text = await answered.text();
    return (text ? JSON.parse(text) : undefined) as Body;
  }

  /**
   * Open an event stream, without retries; the caller reads its text, and aborts the signal.
   * @param path begins with `/v1`
   * @param after id of the last message read
   * @throws Problem the service refuses it
   */
  async open(path: string, after: string | undefined, signal: AbortSignal): Promise<Opened> {
    const headers = { ...this.heading("text/event-stream"), ...(after !== undefined && { "Last-Event-ID": after }) };
    await this.budget();
    // A `fetch` of the app's own is used as it is; that of React Native answers when the stream is over.
    const opened = this.ownFetch || canStream() ? openByFetch(this.fetch, this.url + path, headers, signal) : openByXhr(this.url + path, headers, signal);
    const { refused, ...stream } = await opened;
    if (refused) throw await this.problem(refused);
    return stream;
  }

  private async sendRequest(request: Request): Promise<Response> {
    const body = request.method === "GET" ? undefined : (await request.text()) || undefined;
    return this.send(request.method, request.url, Object.fromEntries(request.headers), body, request.signal);
  }

  /**
   * Send a request, with retries after a lost response, 429, 502, 503 and 504. That is safe: actions name the decision
   * they answer, and each POST has an `Idempotency-Key`.
   */
  private async send(method: string, url: string, given: Record<string, string>, body?: string, signal?: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = { ...this.heading("application/json"), ...given };
    if (method === "POST" && !headers["idempotency-key"]) headers["Idempotency-Key"] = freshKey();
    const held = 1000 * Number(/[?&]wait=(\d+)/.exec(url)?.[1] ?? 0);
    const until = Date.now() + this.patience;
    for (let attempt = 1; ; attempt++) {
      await this.budget();
      let pause: number;
      try {
        const answered = await this.once(url, { method, headers, body, redirect: "manual" }, TIMEOUT + held, signal);
        if (!answered.ok && answered.status !== 304) throw await this.problem(answered);
        void this.compare();
        this.noteDeprecation(method, url, answered.headers);
        return answered;
      } catch (error) {
        // React Native has no `throwIfAborted`.
        if (signal?.aborted) throw signal.reason ?? error;
        pause = error instanceof Problem ? (error.retryAfter ?? pauseBefore(attempt)) : pauseBefore(attempt - 1);
        const over = Date.now() + pause > until;
        if (error instanceof Problem) {
          if (over || !PASSING.has(error.status)) throw error;
          if (error.status === 429) this.pausedUntil = Math.max(this.pausedUntil, Date.now() + pause);
        } else if (over) {
          throw new Unreachable(`${this.url} does not answer (${error})`, { cause: error });
        }
      }
      await this.sleep(pause, signal);
    }
  }

  /** Send a request once, and read the whole response, which may break off. */
  private async once(url: string, how: RequestInit, patience: number, signal?: AbortSignal): Promise<Response> {
    const late = new AbortController();
    const stop = () => late.abort(signal?.reason);
    const timer = setTimeout(() => late.abort(new Error(`no answer within ${patience / 1000} s`)), patience);
    signal?.addEventListener("abort", stop);
    try {
      const answered = await this.fetch(url, { ...how, signal: late.signal });
      // Browsers hide the status of a redirect. The service has no redirects.
      if (answered.type === "opaqueredirect") throw new Problem(0, { detail: `${url} is redirected` });
      const text = await answered.text();
      if (answered.ok && text) mustBeWhole(text, answered.headers.get("Content-Type") ?? "");
      return new Response(text || null, answered);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
  }

  private heading(accept: string): Record<string, string> {
    return { Accept: accept, "Accept-Language": this.language, ...(this.token && { Authorization: `Bearer ${this.token}` }) };
  }

  private async problem(answered: Response): Promise<Problem> {
    const after = Number(answered.headers.get("Retry-After") ?? NaN);
    const body: unknown = await answered.json().catch(() => ({}));
    const told = typeof body === "object" && body !== null ? body : {};
    return new Problem(answered.status, told, Number.isFinite(after) ? 1000 * after : undefined, this.url);
  }

  /** Warn once that an operation goes (RFC 9745), and until when it is promised (RFC 8594). */
  private noteDeprecation(method: string, url: string, headers: Headers): void {
    if (!headers.has("Deprecation")) return;
    const until = headers.get("Sunset") ?? "an unknown day";
    const key = `${method} ${until}`;
    if (this.deprecated.has(key)) return;
    this.deprecated.add(key);
    this.warn(`${method} ${url} is deprecated, and promised until ${until}`);
  }

  /** After 429, delay all requests of the client, not only the refused one. */
  private async budget(): Promise<void> {
    const left = this.pausedUntil - Date.now();
    if (left > 0) await this.sleep(left + 1000 * Math.random()); // to spread the retries
  }

  /** Warn once if the service is older or newer than this package. */
  private async compare(): Promise<void> {
    if (compared.has(this.url)) return;
    compared.add(this.url);
    try {
      const about = await answer(this.api.GET("/v1"));
      const text = difference(about.version, about.api_versions);
      if (text) this.warn(`${this.url || "The service"} ${text}`);
    } catch {
      // The request itself has succeeded; the version can be checked another time.
      compared.delete(this.url);
    }
  }
}

/** Throws if an answer is broken, or a page of something in between: the service has no pages here. */
function mustBeWhole(text: string, type: string): void {
  if (type.startsWith("text/html")) throw new Error("a page has been sent in place of the answer");
  if (type.startsWith("application/json")) JSON.parse(text);
}

/** A message about a service of this version, or "". */
export function difference(version: string, apiVersions: readonly string[]): string {
  if (!apiVersions.includes(API)) return `is of version ${version} and speaks ${apiVersions.join(", ")}, this package ${API}: it may fail.`;
  const [theirs, ours] = [version, MADE_FOR].map((each) => each.split(".", 2).map(Number)) as [number[], number[]];
  const order = (theirs[0] ?? 0) - (ours[0] ?? 0) || (theirs[1] ?? 0) - (ours[1] ?? 0);
  if (!order) return "";
  const what = order < 0 ? "older than" : "newer than";
  const then = order < 0 ? "it refuses what it does not know yet" : "what is new in it is unknown here";
  return `is of version ${version}, ${what} ${MADE_FOR}, for which this package was made: ${then}.`;
}

/** A random UUID (version 4), even without `crypto.randomUUID`: on pages over plain HTTP, and in Node 18. */
function freshKey(): string {
  const bytes = new Uint8Array(16);
  if (globalThis.crypto) crypto.getRandomValues(bytes);
  else bytes.forEach((_, at) => (bytes[at] = 256 * Math.random()));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
