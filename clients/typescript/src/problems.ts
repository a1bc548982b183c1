/** Errors of requests, as exceptions. */
import type { ProblemBody } from "./types.js";

/** Statuses after which the same request may succeed later, since client or service are too busy. */
export const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** A request was not carried out, as far as the client knows. */
export class ServiceError extends Error {
  override name = "ServiceError";
}

/** The service does not answer. */
export class Unreachable extends ServiceError {
  override name = "Unreachable";
}

/** The service has refused a request. */
export class Problem extends ServiceError {
  override name = "Problem";

  constructor(
    /** Status of the response. */
    readonly status: number,
    /** The problem (RFC 9457); empty if an intermediary has answered. */
    readonly body: Partial<ProblemBody>,
    /** Delay before another attempt in milliseconds, if in the response. */
    readonly retryAfter?: number,
    /** URL of the service. */
    private readonly service = "",
  ) {
    super(body.detail ?? body.title ?? `status ${status}`);
  }

  /** The kind of problem, for programs; empty if an intermediary has answered. */
  get code(): string {
    return this.body.code ?? "";
  }

  /** The text for people, in the language of the client. */
  get detail(): string {
    return this.message;
  }

  /** All values that the text mentions. */
  get params(): Readonly<Record<string, unknown>> {
    return this.body.params ?? {};
  }

  /** Address of a page that says what to do about this kind of problem; empty if an intermediary has answered. */
  get help(): string {
    return this.body.type ? this.service + this.body.type : "";
  }
}
