/** The consent page: whether a third-party app, or a device that shows a code, may act for the player. */
import { html, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { useAccount, useAttempt, useLoaded } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { PlayersPage } from "./signin.js";
import { text } from "../texts/both.js";
import { filled, ofCatalogue, t } from "../texts/texts.js";
import { Field } from "../ui/fields.js";

/** @typedef {import("../types").AppRequest} AppRequest */

const WORDS = {
  title: text("An app asks", "应用请求授权"),
  who: text(
    "The app calls itself “{client}”. Anybody can call themselves so.",
    "该应用自称“{client}”。任何人都可以这样自称。",
  ),
  leads: text("You are led back to the website", "您将被带回网站"),
  app: text(
    "You are led to an app on this device, which says that this is its name. Other apps may say so too:",
    "您将被带到此设备上的一个应用，它自称此名。其他应用也可能这样自称：",
  ),
  program: text("You are led back to a program on this computer:", "您将被带回这台电脑上的程序："),
  reads: text(
    "Look closely: this address is written with other letters. It may be shown as “{reads}”, and be taken for another.",
    "请仔细看：此地址使用了其他文字，可能显示为“{reads}”，容易与别的地址混淆。",
  ),
  device: text(
    "A device asks. Allow it only if it is yours and shows this code now.",
    "一台设备请求授权。只有在这是您的设备、而且正显示此代码时才同意。",
  ),
  what: text("It wants to act for you:", "它希望代您："),
  never: text(
    "It never sees your tokens or codes, and cannot change or delete your account. Take it back at any time under “{devices}”.",
    "它看不到您的令牌和代码，也不能更改或删除您的账号。您随时可以在“{devices}”中收回。",
  ),
  allow: text("Allow", "同意"),
  deny: text("Do not allow", "不同意"),
  wrong: text(
    "The app asked for something that it cannot have. Nothing was given to it.",
    "该应用请求了它不能得到的内容。没有给予它任何权限。",
  ),
  back: text("Back to {place}", "回到 {place}"),
  done: text("Allowed. The device goes on by itself within a few seconds.", "已同意。设备会在几秒内自动继续。"),
  denied: text("Not allowed. The device is told so.", "未同意。设备会得知结果。"),
  code: text("Code that the device shows", "设备上显示的代码"),
  next: text("Continue", "继续"),
};

/** @param {keyof typeof WORDS} name @param {Record<string, string>} [values] */
const say = (name, values = {}) => filled(ofCatalogue(WORDS[name]), values);

/**
 * An address to which an app may have the player led: a page, or an app by its private scheme, which has a dot.
 * @param {string} to
 */
const leads = (to) => (/^(https?|[a-z][a-z0-9+-]*\.[a-z0-9+.-]*):/i.test(to) ? to : "#/");

/**
 * The screen of an address; `device`: a code is typed in; else an app has sent the player here.
 * @param {import("../routes.js").Address} address
 */
export const consentScreen = ({ rest: [from] }) =>
  from === "device"
    ? html`
        <${DeviceScreen} />
      `
    : html`
        <${AuthorizeScreen} />
      `;

/** The query string of the app, as in the address. */
const queryOf = () => location.hash.split("?").slice(1).join("?") || " ";

function AuthorizeScreen() {
  const { token } = useAccount();
  const query = queryOf();
  return html`
    <${PlayersPage} title=${say("title")}>
      ${
        token &&
        html`
          <${Authorize} key=${query} query=${query} />
        `
      }
    <//>
  `;
}

/** @param {{ query: string }} props */
function Authorize({ query }) {
  const { value: asked, error } = useLoaded(
    async () => /** @type {AppRequest} */ (await call("POST", "/app-requests", { query })),
    [query],
  );
  const { attempt, busy, problem } = useAttempt();
  const answer = (/** @type {boolean} */ allow) =>
    attempt(async () => {
      const { redirect_to: to } = await call("POST", "/app-answers", { query, allow }, { once: true });
      // The code is used up, so this address is not kept in the history.
      location.replace(leads(to));
    });
  if (error?.problem)
    return html`
      <${Refusal} problem=${error.problem} />
    `;
  if (!asked)
    return html`
      <p class="loading" role="status">${t("loading")}</p>
    `;
  if (asked.refusal)
    return html`
      <p role="alert">${say("wrong")}</p>
      <div class="buttons">
        <a class="button" href=${leads(asked.refusal)}>${say("back", { place: asked.place ?? "" })}</a>
      </div>
    `;
  return html`
    <${Question} asked=${asked} busy=${busy} onAnswer=${answer} />
    <${Refusal} problem=${problem} />
  `;
}

/**
 * The request, and the two answers.
 * @param {{ asked: AppRequest, busy: boolean, onAnswer: (allow: boolean) => void }} props
 */
function Question({ asked, busy, onAnswer }) {
  return html`
    <section class="box consent">
      ${
        asked.place
          ? html`
              <p>
                ${say(asked.leads_to === "app" || asked.leads_to === "program" ? asked.leads_to : "leads")}${" "}
                <b class="place">${asked.place}</b>
              </p>
            `
          : html`
              <p><b>${say("device")}</b></p>
            `
      }
      ${
        asked.place_reads &&
        html`
          <p role="alert">${say("reads", { reads: asked.place_reads })}</p>
        `
      }
      <p class="hint">${say("who", { client: asked.client })}</p>
      <p>${say("what")}</p>
      <ul>
        ${(asked.allows ?? asked.scopes).map(
          (each) => html`
            <li key=${each}>${each}</li>
          `,
        )}
      </ul>
      <p class="hint">${say("never", { devices: t("devices") })}</p>
      <div class="buttons">
        <button type="button" class="main" disabled=${busy} onClick=${() => onAnswer(true)}>${say("allow")}</button>
        <button type="button" disabled=${busy} onClick=${() => onAnswer(false)}>${say("deny")}</button>
      </div>
    </section>
  `;
}

function DeviceScreen() {
  const { token } = useAccount();
  // The device may have put it into the address.
  const code = new URLSearchParams(queryOf()).get("user_code") ?? "";
  return html`
    <${PlayersPage} title=${say("title")}>
      ${
        token &&
        html`
          <${Device} given=${code} />
        `
      }
    <//>
  `;
}

/** @param {{ given: string }} props */
function Device({ given }) {
  const [code, setCode] = useState(given);
  const [asked, setAsked] = useState(/** @type {AppRequest | null} */ (null));
  const [done, setDone] = useState(/** @type {"" | "done" | "denied"} */ (""));
  const { attempt, busy, problem } = useAttempt();
  const ask = (/** @type {Event} */ event) => {
    event.preventDefault();
    attempt(async () => setAsked(await call("POST", "/device-requests", { code: code.trim() })));
  };
  const answer = (/** @type {boolean} */ allow) =>
    attempt(async () => {
      await call("POST", "/device-answers", { code: code.trim(), allow }, { once: true });
      setDone(allow ? "done" : "denied");
    });
  if (done)
    return html`
      <p role="status">${say(done)}</p>
    `;
  return html`
    ${
      asked
        ? html`
            <${Question} asked=${asked} busy=${busy} onAnswer=${answer} />
          `
        : html`
            <form class="name" onSubmit=${ask}>
              <${Field}
                label=${say("code")}
                class="code"
                name="code"
                required
                maxlength="40"
                autocomplete="off"
                autocapitalize="characters"
                spellcheck=${false}
                value=${code}
                onChange=${setCode}
              />
              <button type="submit" class="main" disabled=${busy}>${say("next")}</button>
            </form>
          `
    }
    <${Refusal} problem=${problem} />
  `;
}
