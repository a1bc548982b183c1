// Names for the schemas of openapi.yaml that the client speaks about; `api.d.ts` is generated from it (tests/web).
import type { components } from "../api";

type Schemas = components["schemas"];
export type View = Schemas["View"];
export type Seat = Schemas["Seat"];
export type Round = NonNullable<View["round"]>;
export type Decision = Schemas["OpenDecision"];
export type DecisionOf<Kind> = Extract<Decision, { kind: Kind }>;
export type PlayHints = Schemas["PlayHints"];
export type RequiredUnit = Schemas["RequiredUnit"];
export type Call = Schemas["CalledCard"];
export type Trick = Schemas["Trick"];
export type SortedBy = Schemas["SortedBy"];
export type Trump = Schemas["Trump"];
export type RoundResult = Schemas["RoundResult"];
export type Problem = Schemas["Problem"];
export type Ruleset = Schemas["Ruleset"];
export type RulesetSummary = Schemas["RulesetSummary"];
export type GameOfPlayers = Schemas["GameOfPlayers"];
export type Option = Schemas["RulesetOption"];
export type Names = Schemas["Names"];
export type Outcome = Schemas["Outcome"];
export type MyTable = Schemas["MyTable"];
export type LobbyTable = Schemas["LobbyTable"];
export type NewTable = Schemas["TableSetup"];
export type GameSummary = Schemas["GameSummary"];
export type RecordedRound = Schemas["RecordedRound"];
export type RoundEvents = Schemas["RoundEvents"];
export type AiLevel = Schemas["AiLevel"];
export type Hint = Schemas["Hint"];
export type Analysis = Schemas["Analysis"];
export type Advised = Schemas["AdvisedAction"];
export type JudgedDecision = Schemas["JudgedDecision"];
/** An event of the log: the type tells which data it has. */
export type Event = Exclude<Schemas["Event"], Schemas["OtherEvent"]>;
export type EventOf<Type> = Extract<Event, { type: Type }>;
