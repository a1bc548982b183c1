/** The player's preferences: language, theme, colours, sounds. */
import { html, useState } from "../../vendor/preact-htm.js";
import { changeAccount } from "../api/account.js";
import { call } from "../api/client.js";
import { language, t } from "../texts/texts.js";
import { useAccount } from "../ui/hooks.js";

export function Settings() {
  const {
    theme = "auto",
    fourColours = false,
    sounds = true,
    obvious = true,
    pause = "long",
    token,
    player,
    name = "",
  } = useAccount();
  const speak = (/** @type {"en" | "zh-Hans"} */ locale) => {
    changeAccount({ language: locale });
    if (token) call("PATCH", "/me", { locale }, { once: true }).catch(() => {}); // not essential
  };
  const value = (/** @type {any} */ event) => event.target.value;
  const checked = (/** @type {any} */ event) => event.target.checked;
  // A name being typed stays, whatever happens at the table; null: none is.
  const [typed, setTyped] = useState(/** @type {string | null} */ (null));
  const rename = async (/** @type {string} */ wanted) => {
    if (!wanted || wanted === name) return setTyped(null);
    const { name: kept } = await call("PATCH", "/me", { name: wanted }, { once: true }).catch(() => ({ name })); // refused: the name stays as it is
    changeAccount({ name: kept });
    setTyped(null);
  };
  return html`
    <div class="settings">
      ${
        token &&
        html`
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
          <p><a href=${`#/player/${player}`}>${t("face.choose")}</a></p>
        `
      }
      <label>
        ${t("settings.language")}
        <select onChange=${(/** @type {Event} */ event) => speak(value(event))} value=${language()}>
          <option value="en" lang="en">English</option>
          <option value="zh-Hans" lang="zh-Hans">中文</option>
        </select>
      </label>
      <label>
        ${t("settings.theme")}
        <select onChange=${(/** @type {Event} */ event) => changeAccount({ theme: value(event) })} value=${theme}>
          <option value="auto">${t("theme.auto")}</option>
          <option value="light">${t("theme.light")}</option>
          <option value="dark">${t("theme.dark")}</option>
        </select>
      </label>
      <label>
        ${t("settings.pause")}
        <select onChange=${(/** @type {Event} */ event) => changeAccount({ pause: value(event) })} value=${pause}>
          <option value="long">${t("pause.long")}</option>
          <option value="short">${t("pause.short")}</option>
          <option value="none">${t("pause.none")}</option>
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked=${fourColours}
          onChange=${(/** @type {Event} */ event) => changeAccount({ fourColours: checked(event) })}
        />
        ${t("settings.colours")}
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked=${obvious}
          onChange=${(/** @type {Event} */ event) => changeAccount({ obvious: checked(event) })}
        />
        ${t("settings.obvious")}
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked=${sounds}
          onChange=${(/** @type {Event} */ event) => changeAccount({ sounds: checked(event) })}
        />
        ${t("settings.sounds")}
      </label>
    </div>
  `;
}
