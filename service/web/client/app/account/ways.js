/** External accounts at OpenID providers: going there, coming back, linking and unlinking. */
import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { changeAccount, signIn, theAccount } from "../api/account.js";
import { call, freshKey, Refused } from "../api/client.js";
import { API, providers, returnTo } from "../api/service.js";
import { guessed, leave } from "./codeform.js";
import { useAccount, useAttempt, useLoaded } from "../ui/hooks.js";
import { registerGuest } from "./name.js";
import { PageBar } from "../ui/pagebar.js";
import { myTokens } from "./recovery.js";
import { Refusal } from "../ui/refusal.js";
import { PlayersPage } from "./signin.js";
import { text } from "../texts/both.js";
import { dayText, filled, ofCatalogue, t } from "../texts/texts.js";
import { Instead } from "./comeback.js";

/** @typedef {import("../types").Identity} Identity */
/** @typedef {import("../types").Problem} Problem */

const WORDS = {
  there: text(
    "You sign in at {provider} and come back here. It says that it is you; this service keeps neither your name there nor your address.",
    "您将前往 {provider} 登录，然后回到这里。它只证明是您本人；本服务不保存您在那里的姓名和地址。",
  ),
  links: text(
    "Then it is linked to {name}: you get in with it from any device.",
    "此后它将关联到 {name}：在任何设备上都可以用它登录。",
  ),
  link: text("Link {provider}", "关联 {provider}"),
  go: text("Continue to {provider}", "前往 {provider}"),
  secure: text("This works only over https.", "只有通过 https 才能使用。"),
  nobody: text("Nobody plays here with this account of {provider} yet.", "还没有玩家用此 {provider} 账号登录。"),
  begin: text("Begin as a new player", "以新玩家身份开始"),
  before: text(
    "Have you played here before? Get in with a code first, and link {provider} then.",
    "您以前在这里玩过吗？请先用代码登录，然后再关联 {provider}。",
  ),
  taken: text(
    "Another player signs in with this account of {provider}. Nothing was changed.",
    "已有另一位玩家用此 {provider} 账号登录。没有作任何更改。",
  ),
  change: text("Sign in as that player", "以该玩家身份登录"),
  again: text("Try again", "重试"),
  none: text("None yet.", "还没有。"),
  since: text("since {day}", "自 {day}"),
  unlink: text("Unlink", "解除关联"),
  unlink_of: text("Unlink {provider}", "解除与 {provider} 的关联"),
  access_denied: text("{provider} was told not to. Nothing was changed.", "您没有在 {provider} 同意。没有作任何更改。"),
  provider_down: text(
    "{provider} does not answer. Try again later; everything else works as always.",
    "{provider} 没有响应。请稍后重试；其他一切照常。",
  ),
  refused: text(
    "What {provider} said could not be verified. Nothing was changed.",
    "{provider} 的答复无法验证。没有作任何更改。",
  ),
  unknown: text("This sign-in was begun elsewhere, or too long ago.", "此次登录是在别处开始的，或已过去太久。"),
};

/** @param {keyof typeof WORDS} name @param {Record<string, string>} [values] */
const say = (name, values = {}) => filled(ofCatalogue(WORDS[name]), values);

/** The screen of an address, which may name the provider to go to. @param {{ rest: string[] }} address */
export const waysScreen = ({ rest: [provider] }) => {
  const told = new URLSearchParams(location.hash.split("?")[1]);
  const [code, error] = [told.get("sign_in"), told.get("sign_in_error")];
  if (code || error)
    return html`
      <${Back} key=${code} code=${code} error=${error} />
    `;
  return providers.includes(provider)
    ? html`
        <${Way} key=${provider} provider=${provider} to=${told.get("to") ?? ""} />
      `
    : html`
        <${WaysScreen} />
      `;
};

/**
 * Go to a provider. The verifier stored on this device proves afterwards that this device began the sign-in.
 * @param {string} provider
 * @param {string} to where to go on, without `#/`
 */
async function go(provider, to) {
  const verifier = freshKey() + freshKey();
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const challenge = btoa(String.fromCharCode(...new Uint8Array(digest)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace("=", "");
  changeAccount({ begun: { provider, verifier, to } });
  const query = new URLSearchParams({ return_to: `${returnTo}#/ways`, challenge });
  location.href = `${API}/v1/sign-in/${encodeURIComponent(provider)}?${query}`;
}

/** Explains what happens at a provider before the player goes there. @param {{ provider: string, to: string }} props */
function Way({ provider, to }) {
  const { token, name = "" } = useAccount();
  const [gone, setGone] = useState(false);
  const leaves = () => {
    setGone(true);
    go(provider, to);
  };
  return html`
    <main class="page">
      <${PageBar} title=${token ? say("link", { provider }) : t("ways.with", { provider })} from=${`#/${to}`} />
      <p>${say("there", { provider })}</p>
      ${
        token &&
        html`
          <p>${say("links", { name })}</p>
        `
      }
      ${
        crypto.subtle
          ? html`
              <div class="buttons">
                <button type="button" class="main" disabled=${gone} onClick=${leaves}>
                  ${say("go", { provider })}
                </button>
              </div>
            `
          : html`
              <p role="alert">${say("secure")}</p>
            `
      }
    </main>
  `;
}

/** A sign-in that was begun on this device. @typedef {{ provider: string, verifier: string, to: string }} Begun */

/**
 * What can be done with a code that a provider has given; `to`: where to go on.
 * @param {string | null} code
 * @param {Begun} begun
 */
function deeds(code, { verifier, to }) {
  const proof = { code, verifier };
  // The code is used up, so this address is not kept in the history.
  const done = (/** @type {string} */ place) => {
    changeAccount({ begun: undefined });
    location.replace(`#/${place}`);
  };
  const enter = async () => {
    const { token: before } = theAccount();
    signIn(await call("POST", "/sign-ins", { ...proof, name: guessed() }, { once: true }));
    if (before) await leave(before);
    done(before ? "" : to);
  };
  const link = async () => {
    await call("POST", "/me/identities", proof, { once: true });
    done("ways");
  };
  const begin = async () => {
    if (!theAccount().token) await registerGuest();
    await link();
  };
  return { enter, link, begin };
}

/** After the return from a provider. @param {{ code: string | null, error: string | null }} props */
function Back({ code, error }) {
  const { token, begun: stored } = useAccount();
  const [begun] = useState(stored ?? { provider: "", verifier: "", to: "" });
  const { provider, verifier } = begun;
  const [problem, setProblem] = useState(/** @type {Problem | null} */ (null));
  const { attempt, busy, problem: refused } = useAttempt();
  const { enter, link, begin } = deeds(code, begun);
  const arrive = async () => {
    try {
      await (token ? link() : enter());
    } catch (reason) {
      if (!(reason instanceof Refused)) throw reason;
      setProblem(reason.problem);
    }
  };
  useEffect(() => void (code && verifier && attempt(arrive)), []);
  if (error || !verifier)
    return html`
      <${Stopped} begun=${begun}><p role="alert">${errorText(error, provider)}</p><//>
    `;
  if (problem?.code === "identity-taken")
    return html`
      <${Taken} provider=${provider} busy=${busy} onEnter=${() => attempt(enter)} refused=${refused} />
    `;
  if (problem?.params?.what === "identity")
    return html`
      <${Nobody} provider=${provider} busy=${busy} onBegin=${() => attempt(begin)} refused=${refused} />
    `;
  if (problem || refused)
    return html`
      <${Stopped} begun=${begun}><${Refusal} problem=${problem ?? refused} /><//>
    `;
  return html`
    <main class="page">
      <${Title} provider=${provider} />
      <p class="loading" role="status">${t("loading")}</p>
    </main>
  `;
}

/** Why a provider has not let the player in. @param {string | null} error @param {string} provider */
function errorText(error, provider) {
  const isKnown = error && error in WORDS && (provider || error === "unknown");
  return say(/** @type {keyof typeof WORDS} */ (isKnown ? error : "unknown"), { provider });
}

/** @param {{ provider: string }} props */
const Title = ({ provider }) => html`
  <${PageBar} title=${t("ways.with", { provider })} />
`;

/** A sign-in that has failed, and what can be done then. @param {{ begun: Begun, children?: unknown }} props */
const Stopped = ({ begun: { provider, to }, children }) => html`
  <main class="page">
    <${Title} provider=${provider} />
    ${children}
    <div class="buttons">
      ${
        provider &&
        html`
          <a class="button main" href=${`#/ways/${provider}?to=${encodeURIComponent(to)}`}>${say("again")}</a>
        `
      }
      <a class="button" href="#/">${t("home")}</a>
    </div>
  </main>
`;

/**
 * @typedef {object} NobodyProps
 * @property {string} provider
 * @property {boolean} busy
 * @property {() => void} onBegin
 * @property {Problem | null} refused
 */

/** Nobody plays with the external account yet. @param {NobodyProps} props */
const Nobody = ({ provider, busy, onBegin, refused }) => html`
  <main class="page">
    <${Title} provider=${provider} />
    <p>${say("nobody", { provider })}</p>
    <div class="buttons">
      <button type="button" class="main" disabled=${busy} onClick=${onBegin}>${say("begin")}</button>
    </div>
    <p class="ways">
      ${say("before", { provider })}${" "}
      <a href=${`#/link?to=ways/${provider}`}>${t("link.open")}</a>
      ${" "}
      <a href=${`#/recover?to=ways/${provider}`}>${t("recover.open")}</a>
    </p>
    <${Refusal} problem=${refused} />
  </main>
`;

/**
 * @typedef {object} TakenProps
 * @property {string} provider
 * @property {boolean} busy
 * @property {() => void} onEnter
 * @property {Problem | null} refused
 */

/** The external account belongs to another player. @param {TakenProps} props */
function Taken({ provider, busy, onEnter, refused }) {
  const { name = "" } = useAccount();
  const [sure, setSure] = useState(false);
  return html`
    <main class="page">
      <${PageBar} title=${t("ways.with", { provider })} />
      <p role="alert">${say("taken", { provider })}</p>
      <${Instead} name=${name} onSure=${setSure} />
      <div class="buttons">
        <button type="button" disabled=${busy || !sure} onClick=${onEnter}>${say("change")}</button>
        <a class="button main" href="#/">${t("instead.stay", { name })}</a>
      </div>
      <${Refusal} problem=${refused} />
    </main>
  `;
}

function WaysScreen() {
  const { token } = useAccount();
  return html`
    <${PlayersPage} title=${t("ways")} from="#/devices">
      ${
        token &&
        html`
          <${Ways} key=${token} />
        `
      }
    <//>
  `;
}

/** The linked accounts, and the providers that can be linked. */
function Ways() {
  const { value, error, again } = useLoaded(async () => (await myTokens()).identities ?? [], []);
  if (error?.problem)
    return html`
      <${Refusal} problem=${error.problem} />
    `;
  if (!value)
    return html`
      <p class="loading" role="status">${t("loading")}</p>
    `;
  return html`
    ${
      value.length
        ? html`
            <ul class="devices" aria-label=${t("ways")}>
              ${value.map(
                (each) => html`
                  <${Linked} key=${each.id} identity=${each} onChange=${again} />
                `,
              )}
            </ul>
          `
        : html`
            <p class="hint">${say("none")}</p>
          `
    }
    <div class="buttons">
      ${providers.map(
        (provider) => html`
          <a class="button" key=${provider} href=${`#/ways/${provider}?to=ways`}>${say("link", { provider })}</a>
        `,
      )}
    </div>
  `;
}

/** @param {{ identity: Identity, onChange: () => void }} props */
function Linked({ identity, onChange }) {
  const { attempt, busy, problem } = useAttempt();
  const unlink = () =>
    attempt(async () => {
      await call("DELETE", `/me/identities/${identity.id}`, undefined, { once: true });
      onChange();
    });
  return html`
    <li>
      <div class="device">
        <b>${identity.provider}</b>
        <p class="hint">${say("since", { day: dayText(identity.linked_at) })}</p>
      </div>
      <div class="buttons">
        <button
          type="button"
          disabled=${busy}
          aria-label=${say("unlink_of", { provider: identity.provider })}
          onClick=${unlink}
        >
          ${say("unlink")}
        </button>
      </div>
      <${Refusal} problem=${problem} />
    </li>
  `;
}
