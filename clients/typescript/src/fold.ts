/** The view of a table, kept up to date by events alone: the module of the web client (`app/table/model.js`). */
import { apply } from "./app/table/model.js";
import type { Event, View } from "./types.js";

/**
 * The view after an event; unknown types change nothing but the version, and an event that the view knows nothing.
 *
 * Start again from a fresh view after a `reset`, after sitting down or leaving (the answer brings one), and without a
 * seat when `settings.spectators` changes. `Table.watch` does all of that.
 */
export const fold: (view: View, event: Event) => View = apply as never;
