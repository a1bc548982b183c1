/** The player's preferences: language, theme, colours, sounds. */
import { html, useState } from "../../vendor/preact-htm.js";
import { changeAccount, theAccount } from "../api/account.js";
import { call } from "../api/client.js";
import { languageTag, named, t } from "../texts/texts.js";
import { useAccount } from "../ui/hooks.js";
import { Check, Select } from "../ui/fields.js";

/** A choice of the account, by its text, and the texts of its values; the first is what is chosen at first. */
const CHOICES = /** @type {const} */ ([
  ["theme", "settings.theme", ["auto", "light", "dark"]],
  ["pause", "settings.pause", ["long", "short", "none"]],
]);

/** What can be switched on, by its text, and whether it is on at first. */
const SWITCHES = /** @type {const} */ ([
  ["fourColours", "settings.colours", false],
  ["obvious", "settings.obvious", true],
  ["sounds", "settings.sounds", true],
]);

export function Settings() {
  const account = useAccount();
  return html`
    <div class="settings">
      ${
        account.token &&
        html`
          <${Name} />
          <p><a href=${`#/player/${account.player}`}>${t("face.choose")}</a></p>
        `
      }
      <label>
        ${t("settings.language")}
        <select onChange=${(/** @type {any} */ event) => speak(event.target.value)} value=${languageTag()}>
          <option value="en" lang="en">English</option>
          <option value="zh-Hans" lang="zh-Hans">简体中文</option>
          <option value="zh-Hant" lang="zh-Hant">繁體中文</option>
        </select>
      </label>
      ${CHOICES.map(
        ([name, text, values]) => html`
          <label>
            ${t(text)}
            <${Select}
              value=${account[name] ?? values[0]}
              options=${values.map((each) => [each, named(name, each)])}
              onChange=${(/** @type {any} */ value) => changeAccount({ [name]: value })}
            />
          </label>
        `,
      )}
      ${SWITCHES.map(
        ([name, text, isOn]) => html`
          <${Check}
            text=${t(text)}
            checked=${account[name] ?? isOn}
            onChange=${(/** @type {boolean} */ on) => changeAccount({ [name]: on })}
          />
        `,
      )}
    </div>
  `;
}

/** @param {"en" | "zh-Hans" | "zh-Hant"} locale */
function speak(locale) {
  changeAccount({ language: locale === "en" ? "en" : "zh-Hans", traditional: locale === "zh-Hant" });
  if (theAccount().token) call("PATCH", "/me", { locale }, { once: true }).catch(() => {}); // not essential
}

/** The player's name. One being typed stays, whatever happens at the table. */
function Name() {
  const { name = "" } = useAccount();
  const [typed, setTyped] = useState(/** @type {string | null} */ (null)); // null: none is
  const [held, setHeld] = useState(/** @type {import("../types").Problem | undefined} */ (undefined));
  const rename = async (/** @type {string} */ wanted) => {
    if (!wanted || wanted === name) return setTyped(null);
    const { name: kept } = await call("PATCH", "/me", { name: wanted }, { once: true }).catch(({ problem }) => {
      setHeld(problem?.code === "name-held" ? problem : undefined);
      return { name }; // refused: the name stays as it is
    });
    changeAccount({ name: kept });
    setTyped(null);
  };
  return html`
    <label>
      ${t("settings.name")}
      <input
        type="text"
        maxlength="40"
        autocomplete="nickname"
        value=${typed ?? name}
        onInput=${(/** @type {any} */ event) => setTyped(event.target.value)}
        onChange=${() => rename((typed ?? name).trim())}
      />
    </label>
    ${
      held &&
      html`
        <p role="alert">
          ${held.detail}${" "}
          <a href="#/appeal">${t("settings.appeal")}</a>
        </p>
      `
    }
  `;
}
