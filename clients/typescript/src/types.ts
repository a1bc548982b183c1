/** Names for the schemas of openapi.yaml that apps use; `api.ts` has all of them. */
import type { components } from "./api.js";

/** All schemas of the document, by name. */
export type Schemas = components["schemas"];
/** A table as the player may see it. */
export type View = Schemas["View"];
/** An event of the log; its `type` determines its `data`. Later versions have more types. */
export type Event = Schemas["Event"];
/** The decision that the table waits for; its `kind` determines its `hints`. */
export type Decision = Schemas["OpenDecision"];
/** The outcome of an action. */
export type Outcome = Schemas["Outcome"];
/** A page of the log. */
export type EventPage = Schemas["EventPage"];
/** Ruleset, players, options and settings of a new table. */
export type TableSetup = Schemas["TableSetup"];
/** An event of the account. */
export type AccountEvent = Schemas["AccountEvent"];
/** A problem (RFC 9457), as the service sends it. */
export type ProblemBody = Schemas["Problem"];

type Answering<Type extends string, Body extends { decision_id: string }> = { type: Type } & Omit<Body, "decision_id">;

/** An action: the `type` of an operation, and its fields. */
export type Action =
  | { type: "ready" }
  | Answering<"play", Schemas["PlayAction"]>
  | Answering<"discard", Schemas["DiscardAction"]>
  | Answering<"declare", Schemas["DeclareAction"]>
  | Answering<"pass", Schemas["PassAction"]>
  | Answering<"redeal", Schemas["RedealAction"]>
  | Answering<"overcall_kitty", Schemas["OvercallKittyAction"]>
  | Answering<"call", Schemas["CallAction"]>
  | Answering<"road", Schemas["RoadAction"]>
  | Answering<"claim", Schemas["ClaimAction"]>;
