/** Client of the Sheng Ji game service: requests, tables, event streams, folding events into views. */
export type { components, operations, paths } from "./api.js";
export { answer, Client, type Settings } from "./client.js";
export { example } from "./examples.js";
export { fold } from "./fold.js";
export { Problem, ServiceError, Unreachable } from "./problems.js";
export { follow, type Following, type Message } from "./streams.js";
export { Table, type Turn, type Watched } from "./table.js";
export type { AccountEvent, Action, Decision, Event, EventPage, Outcome, ProblemBody, Schemas, TableSetup, View } from "./types.js";
