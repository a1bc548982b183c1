/** The form for a name, which is all that a new player must give. */
import { html, useState } from "../../vendor/preact-htm.js";
import { signIn } from "../api/account.js";
import { call, Refused } from "../api/client.js";
import { language, t } from "../texts/texts.js";
import { Refusal } from "./refusal.js";

/** Register under a name, and keep the token. @param {string} name */
export async function register(name) {
  signIn(await call("POST", "/players", { name, kind: "human", locale: language() }));
}

/** Register under a made-up name, which can be changed. */
export const registerGuest = () => register(t("guest", { number: 100 + Math.floor(Math.random() * 900) }));

/** @param {{ onDone?: () => void }} props */
export function NameForm({ onDone }) {
  const [name, setName] = useState("");
  const [problem, setProblem] = useState(/** @type {import("../types").Problem | null} */ (null));
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      await register(name.trim());
      onDone?.();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      setProblem(error.problem);
    }
  };
  return html`<form class="name" onSubmit=${submit}>
    <label>${t("name.ask")}<input type="text" name="name" required maxlength="40" autocomplete="nickname" value=${name} onInput=${(/** @type {any} */ event) => setName(event.target.value)} /></label>
    <button type="submit" class="main">${t("name.button")}</button>
    ${problem && html`<${Refusal} problem=${problem} />`}
  </form>`;
}
