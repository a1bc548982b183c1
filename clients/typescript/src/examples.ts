/** A legal answer to each kind of decision, from its hints. */
import type { Action, Decision } from "./types.js";

type Road = Extract<Action, { type: "road" }>["road"];

/** A legal action for an open decision, from the view of a seat that it asks; it passes where it can. */
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
