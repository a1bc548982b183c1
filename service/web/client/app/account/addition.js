/** Adding a device: a code shown for five minutes, as a link to scan and as letters to type. */
import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { sharedPage } from "../api/service.js";
import { t } from "../texts/texts.js";
import { Code } from "../ui/copy.js";
import { useAttempt, useTicks } from "../ui/hooks.js";
import { Qr } from "../ui/qr.js";
import { myTokens } from "./recovery.js";
import { Refusal } from "../ui/refusal.js";

/** Interval of checks whether the device has signed in, ms. */
const LOOK_MS = 2500;

/** The code stays behind the `#`, which browsers do not send. @param {string} code */
const linkWith = (code) => `${sharedPage}#/link/${code}`;

/**
 * @typedef {object} AdditionProps
 * @property {import("../types").MyToken[]} devices those that are known
 * @property {() => void} onAdded
 */

/**
 * @typedef {object} Open a code that is shown
 * @property {string} code
 * @property {number} until by `performance.now()`, as the clock of the device may be set
 */

/**
 * Looks again and again whether a device has come, while a code is valid.
 * @param {boolean} isValid
 * @param {AdditionProps["devices"]} devices
 * @param {(name: string) => void} onCame
 */
function useNewDevice(isValid, devices, onCame) {
  const [looks, setLooks] = useState(0);
  const look = async () => {
    const known = new Set(devices.map(({ id }) => id));
    const added = (await myTokens()).items.find(({ id }) => !known.has(id));
    if (added) onCame(added.name ?? t("device.unnamed"));
    setLooks(looks + 1);
  };
  useEffect(() => {
    if (!isValid) return;
    const timer = setTimeout(() => look().catch(() => {}), LOOK_MS); // refused only when this device is signed out
    return () => clearTimeout(timer);
  }, [isValid, looks]);
}

/** @param {AdditionProps} props */
export function Addition({ devices, onAdded }) {
  const [open, setOpen] = useState(/** @type {Open | null} */ (null));
  const [came, setCame] = useState("");
  const { attempt, busy, problem } = useAttempt();
  const left = open ? Math.max(0, open.until - performance.now()) : 0;
  useTicks(left > 0, 500);
  useNewDevice(left > 0, devices, (name) => {
    setOpen(null);
    setCame(name);
    onAdded();
  });
  const make = () =>
    attempt(async () => {
      const { code, remaining_ms } = await call("POST", "/me/link-codes", undefined, { once: true });
      setCame("");
      setOpen({ code, until: performance.now() + remaining_ms });
    });
  return html`
    <${Refusal} problem=${problem} />
    ${
      came &&
      html`
        <p class="good" role="status">${t("link.came", { name: came })}</p>
      `
    }
    ${
      open &&
      (left > 0
        ? html`
            <${Shown} code=${open.code} left=${left} />
          `
        : html`
            <p role="status">${t("link.over")}</p>
          `)
    }
    ${
      !left &&
      html`
        <p class="hint">${t("devices.add.how")}</p>
        <div class="buttons">
          <button type="button" class="main" disabled=${busy} onClick=${make}>${t("link.make")}</button>
        </div>
      `
    }
  `;
}

/** @param {{ code: string, left: number }} props `left`: ms */
function Shown({ code, left }) {
  const seconds = Math.ceil(left / 1000);
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const link = linkWith(code);
  return html`
    <div class="addition">
      <${Qr} text=${link} label=${t("link.qr")} />
      <div>
        <p>${t("link.scan")}</p>
        <${Code} code=${code} label=${t("link.code")} />
        <p class="hint">
          ${t("link.left")}${" "}
          <span class="time">${time}</span>
        </p>
      </div>
    </div>
  `;
}
