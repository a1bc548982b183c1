/** The menu of any player's name: befriend, block, report. */
import { html, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { answered } from "../api/news.js";
import { named, t } from "../texts/texts.js";
import { useAttempt, useLoaded } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { Field, Select } from "../ui/fields.js";

/** @typedef {import("./player.js").Person} Person */

/** What a report or a suspension can be about. */
export const REASONS = /** @type {const} */ (["chat", "display_name", "cheating", "stalling", "other"]);

/** @returns {Promise<import("../types").Friend[]>} */
export const friends = async () => (await call("GET", "/me/friends")).items;

/** @returns {Promise<import("../types").Block[]>} */
export const blocks = async () => (await call("GET", "/me/blocks")).items;

/** The code in what a player was given: the code itself, or a link with it. @param {string} text */
export const codeIn = (text) => /pl_[A-Za-z0-9]+/.exec(text)?.[0];

/** The viewer's relation to a player. @param {string} player */
async function standing(player) {
  const [known, blocked] = await Promise.all([friends(), blocks()]);
  return {
    tie: known.find((each) => each.player === player)?.state ?? "none",
    isBlocked: blocked.some((each) => each.player === player),
  };
}

/** @param {Person} props */
export function PersonActions({ player, name }) {
  const { value, again } = useLoaded(() => standing(player), [player]);
  const { attempt, busy, problem } = useAttempt();
  const [sure, setSure] = useState(false);
  /** @type {Change} */
  const change = (method, what) =>
    attempt(async () => {
      await call(method, `/me/${what}/${player}`, undefined, { once: true });
      setSure(false);
      answered(player);
      again();
    });
  if (!value)
    return html`
      <p class="loading" role="status">${t("loading")}</p>
    `;
  const { tie, isBlocked } = value;
  return html`
    <div class="person-actions">
      <${Refusal} problem=${problem} />
      <p class="hint" role="status">
        ${isBlocked ? t("person.blocked", { name }) : tie === "none" ? "" : named("tie", tie, { name })}
      </p>
      ${
        sure
          ? html`
              <p role="alert">${t("person.block.sure", { name })}</p>
              <div class="buttons">
                <button type="button" class="danger" disabled=${busy} onClick=${() => change("PUT", "blocks")}>
                  ${t("person.block")}
                </button>
                <button type="button" onClick=${() => setSure(false)}>${t("cancel")}</button>
              </div>
            `
          : html`
              <${Ties} ...${value} busy=${busy} change=${change} onBlock=${() => setSure(true)} />
            `
      }
      <details>
        <summary>${t("report")}</summary>
        <${Report} path=${`/players/${player}/reports`} name=${name} />
      </details>
    </div>
  `;
}

/**
 * @typedef {(method: "PUT" | "DELETE", what: "friends" | "blocks") => Promise<unknown>} Change
 * @typedef {object} TiesProps
 * @property {string} tie
 * @property {boolean} isBlocked
 * @property {boolean} busy
 * @property {Change} change
 * @property {() => void} onBlock
 */

/** Buttons that change what the viewer is to a player. @param {TiesProps} props */
const Ties = ({ tie, isBlocked, busy, change, onBlock }) => html`
  <div class="buttons">
    ${
      !isBlocked &&
      (tie === "none" || tie === "asks") &&
      html`
        <button type="button" class="main" disabled=${busy} onClick=${() => change("PUT", "friends")}>
          ${t(tie === "asks" ? "friends.accept" : "friends.ask")}
        </button>
      `
    }
    ${
      tie !== "none" &&
      html`
        <button type="button" disabled=${busy} onClick=${() => change("DELETE", "friends")}>
          ${named("untie", tie)}
        </button>
      `
    }
    ${
      isBlocked
        ? html`
            <button type="button" disabled=${busy} onClick=${() => change("DELETE", "blocks")}>
              ${t("person.unblock")}
            </button>
          `
        : html`
            <button type="button" onClick=${onBlock}>${t("person.block")}</button>
          `
    }
  </div>
`;

/**
 * @typedef {object} ReportProps
 * @property {string} path
 * @property {string} name
 * @property {object} [about] fields besides
 * @property {string} [first] the likely reason
 */

/** The form of a report. @param {ReportProps} props */
export function Report({ path, name, about, first = "chat" }) {
  const [reason, setReason] = useState(first);
  const [text, setText] = useState("");
  const [done, setDone] = useState(false);
  const { attempt, busy, problem } = useAttempt();
  // The chat of the table on the screen goes with the report.
  const [, table] = /^#\/table\/([^?/]+)/.exec(location.hash) ?? [];
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const details = { reason, ...about, ...(table && { table }), ...(text.trim() && { text: text.trim() }) };
    attempt(async () => {
      await call("POST", path, details, { once: true });
      setDone(true);
    });
  };
  if (done)
    return html`
      <p role="status">${t("report.done", { name })}</p>
    `;
  return html`
    <form class="inline" onSubmit=${submit}>
      <label>
        ${t("report.reason")}
        <${Select}
          name="reason"
          value=${reason}
          options=${REASONS.map((each) => [each, named("cause", each)])}
          onChange=${setReason}
        />
      </label>
      <${Field}
        label=${t("report.text")}
        name="report"
        maxlength="500"
        autocomplete="off"
        value=${text}
        onChange=${setText}
      />
      ${
        table &&
        html`
          <p class="hint">${t("report.table")}</p>
        `
      }
      <${Refusal} problem=${problem} />
      <div class="buttons"><button type="submit" class="main" disabled=${busy}>${t("report.send")}</button></div>
    </form>
  `;
}

/**
 * Who was removed from a room or a club, and can be let back.
 * @param {{
 *   people: readonly { player: string, name: string }[],
 *   path: string,
 *   label: string,
 *   back: (values: { name: string }) => string,
 *   again: () => unknown,
 * }} props `path`: of the room or the club; `back`: the button that lets somebody back; `again`: reads it again
 */
export function Removed({ people, path, label, back, again }) {
  if (!people.length) return null;
  const readmit = async (/** @type {string} */ player) => {
    await call("DELETE", `${path}/removed/${player}`);
    again();
  };
  return html`
    <details>
      <summary>${label}</summary>
      <ul class="buttons">
        ${people.map(
          ({ player, name }) => html`
            <li key=${player}>
              <button type="button" onClick=${() => readmit(player)}>${back({ name })}</button>
            </li>
          `,
        )}
      </ul>
    </details>
  `;
}
