/** Hooks with which components follow external state. */
import { useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { onAccount, theAccount } from "../api/account.js";
import { call, Refused, Unreachable } from "../api/client.js";
import { isOnline, onNetwork, onReturn } from "../api/network.js";
import { t } from "../texts/texts.js";

export const useAccount = () => useFollowed(theAccount, onAccount);

/**
 * A value that changes outside of components.
 * @template Value
 * @param {() => Value} read
 * @param {(listener: () => void) => () => void} onChange
 */
export function useFollowed(read, onChange) {
  const [value, set] = useState(read);
  useEffect(() => {
    set(read()); // it may have changed since rendering
    return onChange(() => set(read()));
  }, []);
  return value;
}

export function useOnline() {
  const [online, set] = useState(isOnline);
  useEffect(() => onNetwork(set), []);
  return online;
}

/**
 * The result of a promise; undefined while it is pending.
 * @template Value
 * @param {() => Promise<Value>} load
 * @param {unknown[]} inputs it loads again when one of them changes
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

/**
 * Load again every `ms` while the page is visible, and when the player returns to it.
 * @param {() => void} again
 * @param {number} ms
 */
export function useRepeated(again, ms) {
  useEffect(() => {
    const timer = setInterval(() => void (document.visibilityState === "visible" && again()), ms);
    const stop = onReturn(again);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, []);
}

/**
 * A list, read page by page.
 * @template Item
 * @param {string | null} path below `/v1`, with a query; null: nothing is read
 * @param {{ headers?: Record<string, string> }} [how]
 * @returns {{
 *   items?: Item[],
 *   more?: () => void,
 *   problem?: import("../types").Problem,
 *   page?: any,
 * }} `page`: the latest; `more`: reads the next page; left out: there is none, or it is being read
 */
export function usePages(path, how) {
  const [state, set] = useState(
    /** @type {{ items?: Item[], cursor?: string | null, page?: any, problem?: import("../types").Problem }} */ ({}),
  );
  const shown = useRef(new AbortController());
  const read = async (/** @type {Item[]} */ before, /** @type {string} */ cursor) => {
    const { signal } = shown.current;
    try {
      const page = await call("GET", path + cursor, undefined, { ...how, signal });
      if (!signal.aborted) set({ items: [...before, ...page.items], cursor: page.next_cursor, page });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Refused)) throw error;
      set((state) => ({ items: state.items, problem: error.problem }));
    }
  };
  useEffect(() => {
    shown.current = new AbortController();
    set({});
    if (path) read([], "");
    return () => shown.current.abort();
  }, [path]);
  const { items, cursor, page, problem } = state;
  const more = () => {
    set({ items, page });
    read(items ?? [], `&cursor=${encodeURIComponent(cursor ?? "")}`);
  };
  return { items, problem, page, more: cursor ? more : undefined };
}

/**
 * An action of a button; a refusal is shown until the next attempt.
 * @returns {{
 *   attempt: (task: () => Promise<unknown>) => Promise<void>,
 *   busy: boolean,
 *   problem: import("../types").Problem | null,
 * }}
 */
export function useAttempt() {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(/** @type {import("../types").Problem | null} */ (null));
  const attempt = async (/** @type {() => Promise<unknown>} */ task) => {
    setBusy(true);
    setProblem(null);
    try {
      await task();
    } catch (error) {
      if (error instanceof Refused) setProblem(error.problem);
      else if (error instanceof Unreachable)
        setProblem(/** @type {any} */ ({ code: "unreachable", title: t("unreachable"), detail: t("unreachable.how") }));
      else throw error;
    } finally {
      setBusy(false);
    }
  };
  return { attempt, busy, problem };
}

/**
 * Runs tasks one after the other, as they were asked for: of two changes of the same thing, the later one counts.
 * @returns {(task: () => Promise<void>) => Promise<void>}
 */
export function useInOrder() {
  const last = useRef(Promise.resolve());
  return (task) => (last.current = last.current.then(task, task));
}

/** Render again every `ms` while `running`. @param {boolean} running @param {number} ms */
export function useTicks(running, ms = 250) {
  const [, draw] = useState(0);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => draw((count) => count + 1), ms);
    return () => clearInterval(timer);
  }, [running, ms]);
}

/** Whether a media query matches. @param {string} query */
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
