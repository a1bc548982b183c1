// Names for the schemas of openapi.yaml that the client speaks about; `api.d.ts` is generated from it (tests/web).
import type { components } from "../api";

type Schemas = components["schemas"];
type Data = Required<Schemas["DataByType"]>;

export type View = Schemas["View"];
export type Seat = Schemas["Seat"];
export type Round = NonNullable<View["round"]>;
export type Decision = Schemas["OpenDecision"];
export type Hints = Schemas["Hints"];
export type Trick = Schemas["Trick"];
export type Trump = Schemas["Trump"];
export type RoundResult = Schemas["RoundResult"];
export type Problem = Schemas["Problem"];
export type Ruleset = Schemas["Ruleset"];
export type RulesetSummary = Schemas["RulesetSummary"];
export type Option = Schemas["Option"];
export type Outcome = Schemas["Outcome"];
export type MyTable = Schemas["MyTable"];
export type LobbyTable = Schemas["LobbyTable"];
export type NewTable = Schemas["NewTable"];
export type GameSummary = Schemas["GameSummary"];
export type RecordedRound = Schemas["RecordedRound"];
/** An event of the log: the type tells which data it has. */
export type Event = {
  [Type in keyof Data]: Omit<Schemas["Event"], "data" | "type"> & { type: Type; data: Data[Type] };
}[keyof Data];
export type EventOf<Type extends keyof Data> = Extract<Event, { type: Type }>;
