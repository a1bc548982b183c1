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

/** What is wrong with the first invalid parts of a request, in parentheses; empty: nothing. */
function named(errors: ProblemBody["errors"] = []): string {
  const told = errors.slice(0, 5).map(({ pointer, detail }) => (pointer ? `${pointer}: ${detail}` : detail));
  if (errors.length > told.length) told.push(`and ${errors.length - told.length} more`);
  return told.length ? `(${told.join("; ")})` : "";
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
    super([body.detail ?? body.title ?? `status ${status}`, named(body.errors)].filter(Boolean).join(" "));
  }

  /** The kind of problem, for programs; empty if an intermediary has answered. */
  get code(): string {
    return this.body.code ?? "";
  }

  /** The text for people, in the language of the client. */
  get detail(): string {
    return this.body.detail ?? this.body.title ?? `status ${this.status}`;
  }

  /** The invalid parts of the request, which `message` names, too; empty if none is invalid. */
  get errors(): NonNullable<ProblemBody["errors"]> {
    return this.body.errors ?? [];
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
