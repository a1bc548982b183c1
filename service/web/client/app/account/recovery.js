/** The recovery code: the way back after losing all devices. It is shown once. */
import { html, useState } from "../../vendor/preact-htm.js";
import { changeAccount } from "../api/account.js";
import { call } from "../api/client.js";
import { t } from "../texts/texts.js";
import { Code } from "../ui/copy.js";
import { useAccount, useAttempt, useLoaded } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";

/**
 * @typedef {{
 *   items: import("../types").MyToken[],
 *   has_recovery_code: boolean,
 *   identities?: import("../types").Identity[],
 * }} Tokens
 */

/** The ways to sign in as this player. @returns {Promise<Tokens>} */
export const myTokens = () => call("GET", "/me/tokens");

/**
 * Makes a code and shows it.
 * @param {{
 *   again?: boolean,
 *   onMade?: () => void,
 *   children?: unknown,
 * }} props `again`: there is one, which becomes void. `children`: other buttons
 */
export function RecoveryMaker({ again = false, onMade, children }) {
  const [code, setCode] = useState("");
  const { attempt, busy, problem } = useAttempt();
  const make = () =>
    attempt(async () => {
      setCode((await call("POST", "/me/recovery-code", undefined, { once: true })).code);
      onMade?.();
    });
  return html`
    <${Refusal} problem=${problem} />
    ${
      code
        ? html`
            <div class="made" role="status">
              <p>${t("recovery.keep")}</p>
              <${Code} code=${code} label=${t("recovery")} />
            </div>
          `
        : html`
            <div class="buttons">
              <button type="button" disabled=${busy} onClick=${make}>
                ${t(again ? "recovery.again" : "recovery.make")}
              </button>
              ${children}
            </div>
          `
    }
  `;
}

/**
 * Offers a code as soon as there is something to lose, until there is one or the player declines.
 * @param {{ finished?: boolean }} props `finished`: a game has just been finished
 */
export function RecoveryOffer({ finished = false }) {
  const { token, offered } = useAccount();
  const [made, setMade] = useState(false);
  const settle = () => changeAccount({ offered: true });
  const isMade = () => {
    setMade(true);
    settle();
  };
  const { value: open } = useLoaded(async () => {
    if (!token || offered) return false;
    if (!finished && !(await call("GET", "/me/games?limit=1")).items.length) return false;
    const { has_recovery_code: has, identities } = await myTokens();
    return !has && !identities?.length;
  }, [token]);
  if (!open || (offered && !made)) return null;
  const decline = html`
    <button type="button" class="quiet" onClick=${settle}>${t("recovery.later")}</button>
  `;
  return html`
    <section class="box offer" aria-label=${t("recovery")}>
      <h3>${t("recovery.offer")}</h3>
      ${
        !made &&
        html`
          <p>${t("recovery.offer.why")}</p>
        `
      }
      <${RecoveryMaker} onMade=${isMade}>${decline}<//>
      ${
        made &&
        html`
          <div class="buttons">
            <button type="button" onClick=${() => setMade(false)}>${t("recovery.kept")}</button>
          </div>
        `
      }
    </section>
  `;
}
