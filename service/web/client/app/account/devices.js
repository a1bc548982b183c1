/** The devices of the account: naming, adding and signing them out; the recovery code; the player's stored data. */
import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { signOut } from "../api/account.js";
import { call, Refused } from "../api/client.js";
import { onReturn } from "../api/network.js";
import { providers } from "../api/service.js";
import { Addition } from "./addition.js";
import { Export } from "./export.js";
import { useAccount, useAttempt, useLoaded } from "../ui/hooks.js";
import { LettingIn } from "./lettingin.js";
import { myTokens, RecoveryMaker } from "./recovery.js";
import { Refusal } from "../ui/refusal.js";
import { below, Keep } from "./rights.js";
import { PlayersPage } from "./signin.js";
import { dayText, t } from "../texts/texts.js";
import { Field } from "../ui/fields.js";

/** @typedef {import("../types").MyToken} MyToken */
/** @typedef {import("../types").Right} Right */

export const devicesScreen = () => html`
  <${DevicesScreen} />
`;

function DevicesScreen() {
  const { token } = useAccount();
  return html`
    <${PlayersPage} title=${t("devices")}>
      ${
        token &&
        html`
          <${Devices} key=${token} />
        `
      }
    <//>
  `;
}

function Devices() {
  const { name = "" } = useAccount();
  const { value, error, again } = useLoaded(myTokens, []);
  useEffect(() => onReturn(again), []);
  // While a new code is shown, nothing is said about the one before.
  const [made, setMade] = useState(false);
  if (error?.problem)
    return html`
      <${Refusal} problem=${error.problem} />
    `;
  if (!value)
    return html`
      <p class="loading" role="status">${t("loading")}</p>
    `;
  const others = value.items.filter((each) => !each.current);
  const last = !others.length && !value.has_recovery_code && !value.identities?.length;
  return html`
    <p>${t("devices.whose", { name })}</p>
    <${Others} others=${others} onChange=${again}>
      <ul class="devices" aria-label=${t("devices")}>
        ${value.items.map(
          (each) => html`
            <${Device} key=${each.id} token=${each} last=${last} onChange=${again} />
          `,
        )}
      </ul>
    <//>
    <section class="box">
      <h2>${t("devices.add")}</h2>
      <${Addition} devices=${value.items} onAdded=${again} />
    </section>
    <section class="box">
      <h2>${t("recovery")}</h2>
      ${
        !made &&
        (value.has_recovery_code || !value.identities?.length) &&
        html`
          <p>${t(value.has_recovery_code ? "recovery.have" : "recovery.none")}</p>
        `
      }
      <${RecoveryMaker}
        again=${value.has_recovery_code}
        onMade=${() => {
          setMade(true);
          again();
        }}
      />
    </section>
    <${Ways} names=${(value.identities ?? []).map(({ provider }) => provider)} />
    <${LettingIn} />
    <section class="box">
      <h2>${t("export")}</h2>
      <p>${t("export.what")}</p>
      <${Export} />
    </section>
  `;
}

/** The accounts elsewhere with which the player gets in. @param {{ names: string[] }} props `names`: of providers */
const Ways = ({ names }) =>
  (providers.length > 0 || names.length > 0) &&
  html`
    <section class="box">
      <h2>${t("ways")}</h2>
      <div class="buttons">
        <a class="button" href="#/ways">${names.join(", ") || t("ways.link")}</a>
      </div>
    </section>
  `;

/**
 * @typedef {object} OthersProps
 * @property {MyToken[]} others
 * @property {() => void} onChange
 * @property {unknown} children the list of devices
 */

/** The list of devices, and a button that signs all others out. @param {OthersProps} props */
function Others({ others, onChange, children }) {
  const { attempt, busy, problem } = useAttempt();
  const [sure, setSure] = useState(false);
  const signOut = () =>
    attempt(async () => {
      for (const { id } of others) {
        try {
          await call("DELETE", `/me/tokens/${id}`);
        } catch (error) {
          // It has ended with the one that gave it.
          if (!(error instanceof Refused && error.problem.status === 404)) throw error;
        }
      }
      setSure(false);
    }).finally(onChange);
  return html`
    <${Refusal} problem=${problem} />
    ${children}
    ${
      others.length > 0 &&
      html`
        <div class="buttons">
          ${
            sure
              ? html`
                  <button type="button" class="danger" disabled=${busy} onClick=${signOut}>
                    ${t("devices.others.sure", { count: others.length })}
                  </button>
                  <button type="button" onClick=${() => setSure(false)}>${t("cancel")}</button>
                `
              : html`
                  <button type="button" onClick=${() => setSure(true)}>${t("devices.others")}</button>
                `
          }
        </div>
      `
    }
  `;
}

/** What gives access to the account; nothing, if the service is older than this page. @returns {Promise<Right[]>} */
async function rightsOf() {
  try {
    return (await call("GET", "/me/rights")).items;
  } catch (error) {
    if (error instanceof Refused && error.problem.status === 404) return [];
    throw error;
  }
}

/**
 * @typedef {object} DeviceProps
 * @property {MyToken} token
 * @property {boolean} last whether the player could not sign in any more without it
 * @property {() => void} onChange
 */

/** A device, or a helper app with a token. @param {DeviceProps} props */
function Device({ token, last, onChange }) {
  const [open, setOpen] = useState(/** @type {"" | "name" | "out"} */ (""));
  const { attempt, busy, problem } = useAttempt();
  const name = token.name ?? t("device.unnamed");
  const close = () => setOpen("");
  const [given, setGiven] = useState(/** @type {Right[]} */ ([]));
  const ask = () =>
    attempt(async () => {
      setGiven(goesWith(token, below(await rightsOf(), token.id)));
      setOpen("out");
    });
  const rename = (/** @type {string} */ wanted) =>
    attempt(async () => {
      await call("PATCH", `/me/tokens/${token.id}`, { name: wanted }, { once: true });
      close();
      onChange();
    });
  const end = (/** @type {string[]} */ kept) =>
    attempt(async () => {
      const query = kept.length ? `?keep=${kept.join(",")}` : "";
      await call("DELETE", `/me/tokens/${token.id}${query}`, undefined, { once: true });
      if (!token.current) return onChange();
      signOut();
      location.hash = "#/";
    });
  return html`
    <li>
      <${Use} token=${token} name=${name} />
      ${
        open === "" &&
        html`
          <div class="buttons">
            <button type="button" aria-label=${t("device.rename.of", { name })} onClick=${() => setOpen("name")}>
              ${t("device.rename")}
            </button>
            <button type="button" aria-label=${t("device.out.of", { name })} onClick=${ask}>${t("device.out")}</button>
          </div>
        `
      }
      ${
        open === "name" &&
        html`
          <${Rename} name=${token.name ?? ""} busy=${busy} onName=${rename} onClose=${close} />
        `
      }
      ${
        open === "out" &&
        html`
          <p role="alert">
            ${t(token.current ? (last ? "device.out.last" : "device.out.this") : "device.out.ask", { name })}
          </p>
          <${End} rights=${given} keeps=${token.current} busy=${busy} onEnd=${end} onClose=${close} />
        `
      }
      <${Refusal} problem=${problem} />
    </li>
  `;
}

/**
 * What ends with a device. Ways in stay when a device signs itself out.
 * @param {MyToken} token
 * @param {Right[]} rights that it has given
 */
const goesWith = (token, rights) =>
  token.current ? rights.filter((each) => !each.is_way_in && each.kind !== "device") : rights;

/** A device, and how it is used. @param {{ token: MyToken, name: string }} props */
const Use = ({ token, name }) => html`
  <div class="device">
    <b>${name}</b>
    ${
      token.current &&
      html`
        <span class="badge">${t("device.this")}</span>
      `
    }
    <p class="hint">
      ${t("device.used", { day: dayText(token.last_used_on) })}${
        token.expires_at &&
        html`
          ${" · "}${t("device.until", { day: dayText(token.expires_at) })}
        `
      }${
        !token.scopes.includes("account") &&
        html`
          ${" · "}${t("device.limited")}
        `
      }
    </p>
  </div>
`;

/**
 * @typedef {object} RenameProps
 * @property {string} name
 * @property {boolean} busy
 * @property {(name: string) => void} onName
 * @property {() => void} onClose
 */

/** The form of a new name. @param {RenameProps} props */
function Rename({ name, busy, onName, onClose }) {
  const [text, setText] = useState(name);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    onName(text.trim());
  };
  return html`
    <form class="inline" onSubmit=${submit}>
      <${Field}
        label=${t("device.new_name")}
        name="rename"
        required
        maxlength="40"
        autocomplete="off"
        value=${text}
        onChange=${setText}
      />
      <div class="buttons">
        <button type="submit" class="main" disabled=${busy}>${t("save")}</button>
        <button type="button" onClick=${onClose}>${t("cancel")}</button>
      </div>
    </form>
  `;
}

/**
 * @typedef {object} EndProps
 * @property {Right[]} rights that end with the device, unless they are kept
 * @property {boolean} keeps whether all are kept at first: what acts for the player is theirs on their own device
 * @property {boolean} busy
 * @property {(kept: string[]) => void} onEnd
 * @property {() => void} onClose
 */

/** What ends with a device, and the button that ends it. @param {EndProps} props */
function End({ rights, keeps, busy, onEnd, onClose }) {
  const [kept, setKept] = useState(() => (keeps ? rights.map(({ id }) => id) : []));
  return html`
    <${Keep} rights=${rights} kept=${kept} onKeep=${setKept} />
    <div class="buttons">
      <button type="button" class="danger" disabled=${busy} onClick=${() => onEnd(kept)}>${t("device.out")}</button>
      <button type="button" onClick=${onClose}>${t("cancel")}</button>
    </div>
  `;
}
