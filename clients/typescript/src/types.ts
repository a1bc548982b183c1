/** Names for the schemas of openapi.yaml that an app speaks about; `api.ts` has all of them. */
import type { components } from "./api.js";

/** All schemas of the document, by name. */
export type Schemas = components["schemas"];
/** A table as the player may see it. */
export type View = Schemas["View"];
/** An event of the log; its `type` tells which `data` it has. Later versions have more types. */
export type Event = Schemas["Event"];
/** What the table waits for; its `kind` tells which `hints` it has. */
export type Decision = Schemas["OpenDecision"];
/** What an action has brought about. */
export type Outcome = Schemas["Outcome"];
/** A page of the log. */
export type EventPage = Schemas["EventPage"];
/** What to play at a new table. */
export type TableSetup = Schemas["TableSetup"];
/** An event of the account. */
export type AccountEvent = Schemas["AccountEvent"];
/** A problem as the service tells it (RFC 9457). */
export type ProblemBody = Schemas["Problem"];

type Answering<Type extends string, Body extends { decision_id: string }> = { type: Type } & Omit<Body, "decision_id">;

/** What a player does: the `type` of an operation, and the fields that it takes. */
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
