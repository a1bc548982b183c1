/** What can go wrong with a request, as errors. */
import type { ProblemBody } from "./types.js";

/** Statuses after which the same request may succeed a little later: the client, or the service, is too busy. */
export const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** A request has not been carried out, as far as the client knows. */
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
    /** Of the response. */
    readonly status: number,
    /** The problem (RFC 9457); empty if something between client and service has answered. */
    readonly body: Partial<ProblemBody>,
    /** Milliseconds to wait before another try, if the response says so. */
    readonly retryAfter?: number,
    /** URL of the service. */
    private readonly service = "",
  ) {
    super(body.detail ?? body.title ?? `status ${status}`);
  }

  /** The kind of problem, for programs; empty if the service has not answered itself. */
  get code(): string {
    return this.body.code ?? "";
  }

  /** What has happened, for people, in the language of the client. */
  get detail(): string {
    return this.message;
  }

  /** Every value that the text mentions. */
  get params(): Readonly<Record<string, unknown>> {
    return this.body.params ?? {};
  }

  /** Address of a page that says what to do about this kind of problem; empty if the service has not answered itself. */
  get help(): string {
    return this.body.type ? this.service + this.body.type : "";
  }
}
