/** Spending a code on a token for this device: a link code of another device, or the recovery code. */
import { html, useState } from "../../vendor/preact-htm.js";
import { changeAccount, signIn, theAccount } from "../api/account.js";
import { call, freshKey, Refused } from "../api/client.js";
import { t } from "../texts/texts.js";
import { useAttempt } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { Keep } from "./rights.js";

/** @typedef {import("../types").Right} Right */

/** The default name of this device. */
export const guessed = () =>
  t(
    !matchMedia("(pointer: coarse)").matches
      ? "device.computer"
      : Math.min(screen.width, screen.height) < 600
        ? "device.phone"
        : "device.tablet",
  );

/**
 * Spend a code. Its idempotency key is kept until there is an answer: if the page is closed before, the same code
 * returns the token again, so that a recovery code is not lost.
 * @param {"/links" | "/recoveries"} path
 * @param {string} code
 * @param {string} name of the device
 * @param {string[]} kept what stays of what a recovery would end
 */
async function spend(path, code, name, kept) {
  const { token: before, unfinished } = theAccount();
  const again = unfinished?.code === code ? unfinished : undefined;
  // A retry must be the same request.
  const [key, keep] = again ? [again.key, again.keep ?? []] : [freshKey(), kept];
  changeAccount({ unfinished: { path, code, key, keep } });
  try {
    const more = keep.length ? { keep } : {};
    signIn(await call("POST", path, { code, name, ...more }, { once: true, headers: { "Idempotency-Key": key } }));
  } catch (error) {
    if (error instanceof Refused && error.problem.status < 500) changeAccount({ unfinished: undefined });
    throw error;
  }
  if (before) await leave(before);
}

/** Sign this device out of an account that it had before. @param {string} token */
export async function leave(token) {
  const how = { once: true, headers: { Authorization: `Bearer ${token}` } };
  try {
    const { items } = await call("GET", "/me/tokens", undefined, how);
    const mine = items.find((/** @type {import("../types").MyToken} */ each) => each.current);
    await call("DELETE", `/me/tokens/${mine.id}`, undefined, how);
  } catch {
    // Nobody has this token any more, so it does no harm.
  }
}

/**
 * What a recovery would end besides the tokens of lost devices. Nothing, if the code has been spent: the answer may
 * have been lost.
 * @param {string} code @returns {Promise<Right[]>}
 */
async function wouldEnd(code) {
  if (theAccount().unfinished?.code === code) return [];
  try {
    const { items } = await call("POST", "/recovery-requests", { code });
    return items.some((/** @type {Right} */ { kind }) => kind !== "token") ? items : [];
  } catch (error) {
    // The recovery itself says what is wrong.
    if (error instanceof Refused && error.problem.status === 404) return [];
    throw error;
  }
}

/** @param {{ path: "/links" | "/recoveries", code?: string, disabled?: boolean, onDone: () => void }} props */
export function CodeForm({ path, code = "", disabled = false, onDone }) {
  const [text, setText] = useState(code);
  const [name, setName] = useState(guessed);
  const [rights, setRights] = useState(/** @type {Right[] | undefined} */ (undefined));
  const [kept, setKept] = useState(/** @type {string[]} */ ([]));
  const { attempt, busy, problem } = useAttempt();
  const value = (/** @type {any} */ event) => event.target.value;
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    attempt(async () => {
      if (path === "/recoveries" && !rights) {
        const ends = await wouldEnd(text.trim());
        if (ends.length) return setRights(ends);
      }
      await spend(path, text.trim(), name.trim(), kept);
      onDone();
    });
  };
  const kind = path === "/links" ? "link" : "recover";
  return html`
    <form class="name" onSubmit=${submit}>
      <label>
        ${t(`${kind}.code`)}
        <input
          type="text"
          class="code"
          name="code"
          required
          maxlength="80"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck=${false}
          value=${text}
          onInput=${(/** @type {Event} */ event) => setText(value(event))}
        />
      </label>
      <label>
        ${t("device.name")}
        <input
          type="text"
          name="device"
          required
          maxlength="40"
          autocomplete="off"
          value=${name}
          onInput=${(/** @type {Event} */ event) => setName(value(event))}
        />
      </label>
      ${
        rights &&
        html`
          <${Keep} rights=${rights} kept=${kept} onKeep=${setKept} />
        `
      }
      <button type="submit" class="main" disabled=${busy || disabled}>${t(`${kind}.button`)}</button>
      <${Refusal} problem=${problem} />
    </form>
  `;
}
