/** How components follow what changes outside of them. */
import { useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { onAccount, theAccount } from "../api/account.js";
import { isOnline, onNetwork } from "../api/network.js";
import { rulesAt } from "../game/rules.js";
import { Session } from "../table/session.js";

export function useAccount() {
  const [account, set] = useState(theAccount);
  useEffect(() => onAccount(() => set(theAccount())), []);
  return account;
}

export function useOnline() {
  const [online, set] = useState(isOnline);
  useEffect(() => onNetwork(set), []);
  return online;
}

/**
 * What a promise brings: undefined while it is under way.
 * @template Value
 * @param {() => Promise<Value>} load
 * @param {unknown[]} inputs loads again when one of them changes
 * @returns {{ value?: Value, error?: any, again: () => void }}
 */
export function useLoaded(load, inputs) {
  const [state, set] = useState(/** @type {{ value?: Value, error?: any }} */ ({}));
  const [count, setCount] = useState(0);
  useEffect(() => {
    let current = true;
    load().then(
      (value) => current && set({ value }),
      (error) => current && set((before) => ({ ...before, error })),
    );
    return () => void (current = false);
  }, [...inputs, count]);
  return { ...state, again: () => setCount((number) => number + 1) };
}

/** The rules of the table that a view is of. @param {import("../types").View | null | undefined} view */
export function useRules(view) {
  const { ruleset, players, options } = view ?? {};
  return useLoaded(async () => (ruleset && players && options ? rulesAt({ ruleset, players, options }) : undefined), [ruleset, players, JSON.stringify(options)]).value;
}

/**
 * Follow a table as long as the component is shown.
 * @param {string} table
 * @param {unknown} attempt another value opens it anew
 * @param {(event: import("../types").Event, session: Session) => void} [onEvent]
 */
export function useSession(table, attempt, onEvent) {
  const [session, set] = useState(/** @type {Session | null} */ (null));
  const [, draw] = useState(0);
  const latest = useRef(onEvent);
  latest.current = onEvent;
  useEffect(() => {
    const opened = new Session(table);
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

/** Draw again every `ms` as long as `running`. @param {boolean} running @param {number} ms */
export function useTicks(running, ms = 250) {
  const [, draw] = useState(0);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => draw((count) => count + 1), ms);
    return () => clearInterval(timer);
  }, [running, ms]);
}

/** Whether a media query holds. @param {string} query */
export function useMedia(query) {
  const [holds, set] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const changed = () => set(media.matches);
    changed();
    media.addEventListener("change", changed);
    return () => media.removeEventListener("change", changed);
  }, [query]);
  return holds;
}
