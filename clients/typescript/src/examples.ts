/** A legal answer to each kind of decision: its hints contain one. */
import type { Action, Decision } from "./types.js";

type Road = Extract<Action, { type: "road" }>["road"];

/** A legal action for the open decision, which asks the seat of the view that it is from. Where nothing has to be shown it passes. */
export function example(decision: Decision): Action {
  if (decision.kind === "ready") return { type: "ready" };
  if (decision.kind === "play" || decision.kind === "discard") return { type: decision.kind, cards: hinted(decision.hints).example };
  if (decision.kind === "call") return { type: "call", calls: hinted(decision.hints).example };
  if (decision.kind === "road") return { type: "road", road: hinted(decision.hints).example as Road };
  return { type: "pass" };
}

function hinted<Hints>(hints: Hints | undefined): Hints {
  if (!hints) throw new Error("the decision has no hints: it asks another seat, or the table gives none");
  return hints;
}
