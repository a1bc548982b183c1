/** A table that a component follows. */
import { useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { Session } from "./session.js";

/**
 * Follow a table while the component is mounted.
 * @param {string} table
 * @param {unknown} attempt another value opens it again
 * @param {(event: import("../types").Event, session: Session) => void} [onEvent]
 * @param {() => Session} [make] a session of another kind
 */
export function useSession(table, attempt, onEvent, make = () => new Session(table)) {
  const [session, set] = useState(/** @type {Session | null} */ (null));
  const [, draw] = useState(0);
  const latest = useRef(onEvent);
  latest.current = onEvent;
  useEffect(() => {
    const opened = make();
    set(opened);
    const stop = opened.subscribe((event) => {
      if (event) latest.current?.(event, opened);
      draw((number) => number + 1);
    });
    opened.open();
    return () => {
      stop();
      opened.close();
    };
  }, [table, attempt]);
  return session;
}
