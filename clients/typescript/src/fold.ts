/** Keeps the view of a table up to date by events alone, with the module of the web client (`app/table/model.js`). */
import { apply } from "./app/table/model.js";
import type { Event, View } from "./types.js";

/**
 * The view after an event. Unknown types change only the version; an event that the view already includes, nothing.
 *
 * Start again from a fresh view after a `reset`, after sitting down or leaving (the response has one), and without a
 * seat when `settings.spectators` changes. `Table.watch` does all of that.
 */
export const fold: (view: View, event: Event) => View = apply as never;
