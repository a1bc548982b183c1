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
  const { attempt, busy, problem } = useAttempt();
  const [sure, setSure] = useState(false);
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
  const signOthersOut = () =>
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
    }).finally(again);
  return html`
    <p>${t("devices.whose", { name })}</p>
    ${
      problem &&
      html`
        <${Refusal} problem=${problem} />
      `
    }
    <ul class="devices">
      ${value.items.map(
        (each) => html`
          <${Device}
            key=${each.id}
            token=${each}
            last=${!others.length && !value.has_recovery_code && !value.identities?.length}
            onChange=${again}
          />
        `,
      )}
    </ul>
    ${
      others.length > 0 &&
      html`
        <div class="buttons">
          ${
            sure
              ? html`
                  <button type="button" class="danger" disabled=${busy} onClick=${signOthersOut}>
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
    ${
      (providers.length > 0 || (value.identities ?? []).length > 0) &&
      html`
        <section class="box">
          <h2>${t("ways")}</h2>
          <div class="buttons">
            <a class="button" href="#/ways">
              ${(value.identities ?? []).map(({ provider }) => provider).join(", ") || t("ways.link")}
            </a>
          </div>
        </section>
      `
    }
    <${LettingIn} />
    <section class="box">
      <h2>${t("export")}</h2>
      <p>${t("export.what")}</p>
      <${Export} />
    </section>
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
 * A device, or a helper app with a token.
 * @param {{
 *   token: MyToken,
 *   last: boolean,
 *   onChange: () => void,
 * }} props `last`: without it, the player could not sign in any more
 */
function Device({ token, last, onChange }) {
  const [open, setOpen] = useState(/** @type {"" | "name" | "out"} */ (""));
  const [name, setName] = useState(token.name ?? "");
  const { attempt, busy, problem } = useAttempt();
  const path = `/me/tokens/${token.id}`;
  const shown = token.name ?? t("device.unnamed");
  const close = () => setOpen("");
  const [given, setGiven] = useState(/** @type {Right[]} */ ([]));
  const [kept, setKept] = useState(/** @type {string[]} */ ([]));
  const ask = () =>
    attempt(async () => {
      const found = below(await rightsOf(), token.id);
      // Ways in stay when a device signs itself out; what acts for the player is theirs there, unless they say
      // otherwise.
      const shown = token.current ? found.filter((each) => !each.is_way_in && each.kind !== "device") : found;
      setGiven(shown);
      setKept(token.current ? shown.map(({ id }) => id) : []);
      setOpen("out");
    });
  const rename = (/** @type {Event} */ event) => {
    event.preventDefault();
    attempt(async () => {
      await call("PATCH", path, { name: name.trim() }, { once: true });
      close();
      onChange();
    });
  };
  const leave = () =>
    attempt(async () => {
      await call("DELETE", kept.length ? `${path}?keep=${kept.join(",")}` : path, undefined, { once: true });
      if (!token.current) return onChange();
      signOut();
      location.hash = "#/";
    });
  return html`
    <li>
      <div class="device">
        <b>${shown}</b>
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
      ${
        open === "" &&
        html`
          <div class="buttons">
            <button type="button" aria-label=${t("device.rename.of", { name: shown })} onClick=${() => setOpen("name")}>
              ${t("device.rename")}
            </button>
            <button type="button" aria-label=${t("device.out.of", { name: shown })} onClick=${ask}>
              ${t("device.out")}
            </button>
          </div>
        `
      }
      ${
        open === "name" &&
        html`
          <form class="inline" onSubmit=${rename}>
            <label>
              ${t("device.new_name")}
              <input
                type="text"
                name="rename"
                required
                maxlength="40"
                autocomplete="off"
                value=${name}
                onInput=${(/** @type {any} */ event) => setName(event.target.value)}
              />
            </label>
            <div class="buttons">
              <button type="submit" class="main" disabled=${busy}>${t("save")}</button>
              <button type="button" onClick=${close}>${t("cancel")}</button>
            </div>
          </form>
        `
      }
      ${
        open === "out" &&
        html`
          <p role="alert">
            ${t(token.current && last ? "device.out.last" : token.current ? "device.out.this" : "device.out.ask", { name: shown })}
          </p>
          <${Keep} rights=${given} kept=${kept} onKeep=${setKept} />
          <div class="buttons">
            <button type="button" class="danger" disabled=${busy} onClick=${leave}>${t("device.out")}</button>
            <button type="button" onClick=${close}>${t("cancel")}</button>
          </div>
        `
      }
      ${
        problem &&
        html`
          <${Refusal} problem=${problem} />
        `
      }
    </li>
  `;
}
