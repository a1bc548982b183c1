/** Whether somebody else's app may act for the player: one that has led here, or a device that shows a code. */
import { html, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { useAccount, useAttempt, useLoaded } from "../parts/hooks.js";
import { Refusal } from "../parts/refusal.js";
import { PlayersPage } from "../parts/signin.js";
import { named, t } from "../texts/texts.js";

/** @typedef {import("../types").AppRequest} AppRequest */

/** The query that the app has sent, as it stands in the address. */
const queryOf = () => location.hash.slice(location.hash.indexOf("?") + 1);

export function AuthorizeScreen() {
  const { token } = useAccount();
  const query = location.hash.includes("?") ? queryOf() : " ";
  return html`<${PlayersPage} title=${t("consent")}>${token && html`<${Authorize} key=${query} query=${query} />`}</${PlayersPage}>`;
}

/** @param {{ query: string }} props */
function Authorize({ query }) {
  const { value: asked, error } = useLoaded(async () => /** @type {AppRequest} */ (await call("POST", "/app-requests", { query })), [query]);
  const { attempt, busy, problem } = useAttempt();
  const answer = (/** @type {boolean} */ allow) =>
    attempt(async () => {
      const { redirect_to: to } = await call("POST", "/app-answers", { query, allow }, { once: true });
      // The code is spent: nobody comes back to this address.
      location.replace(to);
    });
  if (error?.problem) return html`<${Refusal} problem=${error.problem} />`;
  if (!asked) return html`<p class="loading" role="status">${t("loading")}</p>`;
  if (asked.refusal)
    return html`<p role="alert">${t("consent.wrong")}</p>
      <div class="buttons"><a class="button" href=${asked.refusal}>${t("consent.back", { place: asked.place ?? "" })}</a></div>`;
  return html`<${Question} asked=${asked} busy=${busy} onAnswer=${answer} />${problem && html`<${Refusal} problem=${problem} />`}`;
}

/** What is asked, and the two answers. @param {{ asked: AppRequest, busy: boolean, onAnswer: (allow: boolean) => void }} props */
function Question({ asked, busy, onAnswer }) {
  return html`<section class="box consent">
    ${asked.place ? html`<p>${t("consent.leads")} <b class="place">${asked.place}</b></p>` : html`<p><b>${t("consent.device")}</b></p>`}
    <p class="hint">${t("consent.who", { client: asked.client })}</p>
    <p>${t("consent.what")}</p>
    <ul>${asked.scopes.map((scope) => html`<li key=${scope}>${named("scope", scope)}</li>`)}</ul>
    <p class="hint">${t("consent.never", { devices: t("devices") })}</p>
    <div class="buttons">
      <button type="button" class="main" disabled=${busy} onClick=${() => onAnswer(true)}>${t("consent.allow")}</button>
      <button type="button" disabled=${busy} onClick=${() => onAnswer(false)}>${t("consent.deny")}</button>
    </div>
  </section>`;
}

/** @param {{ code?: string }} props that the device has put into the address */
export function DeviceScreen({ code = "" }) {
  const { token } = useAccount();
  return html`<${PlayersPage} title=${t("consent")}>${token && html`<${Device} given=${code} />`}</${PlayersPage}>`;
}

/** @param {{ given: string }} props */
function Device({ given }) {
  const [code, setCode] = useState(given);
  const [asked, setAsked] = useState(/** @type {AppRequest | null} */ (null));
  const [done, setDone] = useState(/** @type {"" | "consent.done" | "consent.denied"} */ (""));
  const { attempt, busy, problem } = useAttempt();
  const ask = (/** @type {Event} */ event) => {
    event.preventDefault();
    attempt(async () => setAsked(await call("POST", "/device-requests", { code: code.trim() })));
  };
  const answer = (/** @type {boolean} */ allow) =>
    attempt(async () => {
      await call("POST", "/device-answers", { code: code.trim(), allow }, { once: true });
      setDone(allow ? "consent.done" : "consent.denied");
    });
  if (done) return html`<p role="status">${t(done)}</p>`;
  return html`${asked
    ? html`<${Question} asked=${asked} busy=${busy} onAnswer=${answer} />`
    : html`<form class="name" onSubmit=${ask}>
        <label>${t("consent.code")}<input type="text" class="code" name="code" required maxlength="40" autocomplete="off" autocapitalize="characters" spellcheck=${false} value=${code} onInput=${(/** @type {any} */ event) => setCode(event.target.value)} /></label>
        <button type="submit" class="main" disabled=${busy}>${t("consent.code.button")}</button>
      </form>`}
    ${problem && html`<${Refusal} problem=${problem} />`}`;
}
