/** What operators read: reports with what is needed to judge them, and a list of what operators did. */
import { html, useState } from "../../vendor/preact-htm.js";
import { asOperator, operate } from "../api/operator.js";
import { say, sayNamed } from "./words.js";
import { momentText, named, t } from "../texts/texts.js";
import { useAttempt, usePages } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { Field } from "../ui/fields.js";

/** @typedef {import("../types").KeptReport} KeptReport */
/** @typedef {import("../types").Deed} Deed */

/** A player, for operators. @param {{ player: string, name?: string }} props */
export const Suspect = ({ player, name = player }) => html`
  <a class="player" href=${`#/operator/player/${player}`}>${name}</a>
`;

/** A list, read page by page. @param {{ path: string, empty: string, row: (item: any) => unknown }} props */
function List({ path, empty, row }) {
  const { items, more, problem } = usePages(path, asOperator());
  return html`
    <${Refusal} problem=${problem} />
    ${
      !items &&
      !problem &&
      html`
        <p class="loading" role="status">${t("loading")}</p>
      `
    }
    ${
      items &&
      !items.length &&
      html`
        <p class="hint">${empty}</p>
      `
    }
    <ul class="past">
      ${items?.map(row)}
    </ul>
    ${
      more &&
      html`
        <div class="buttons"><button type="button" onClick=${more}>${t("more")}</button></div>
      `
    }
  `;
}

/** @param {{ status?: string, player?: string }} props `player`: only those about this one */
export function Reports({ status, player }) {
  const asked = new URLSearchParams({ limit: "20", ...(status && { status }), ...(player && { player }) });
  const choose = (/** @type {any} */ event) => void (location.hash = `#/operator?status=${event.target.value}`);
  return html`
    <section class="list">
      <h2>${t("operator.reports")}</h2>
      ${
        status &&
        html`
          <label>
            ${t("lobby.status")}
            <select name="status" value=${status} onChange=${choose}>
              <option value="open">${t("operator.open")}</option>
              <option value="closed">${t("operator.closed")}</option>
            </select>
          </label>
        `
      }
      <${List}
        key=${asked}
        path=${`/operator/reports?${asked}`}
        empty=${t("operator.reports.none")}
        row=${(/** @type {KeptReport} */ each) => html`
          <${Report} key=${each.id} report=${each} />
        `}
      />
    </section>
  `;
}

/** @typedef {{ report: KeptReport }} ReportProps */

/** @param {ReportProps} props */
function Report({ report: first }) {
  const [report, setReport] = useState(first);
  const { attempt, busy, problem } = useAttempt();
  const { id, text, closed_at } = report;
  const [answer, setAnswer] = useState("");
  const judge = (/** @type {"open" | "closed"} */ status) =>
    attempt(async () => {
      const said = status === "closed" && answer.trim();
      setReport(await operate("PATCH", `/reports/${id}`, { status, ...(said && { answer: said }) }));
    });
  return html`
    <li class="report">
      <${About} report=${report} />
      ${
        text &&
        html`
          <blockquote>${text}</blockquote>
        `
      }
      <${Chat} report=${report} />
      ${
        report.answer &&
        html`
          <blockquote>${report.answer}</blockquote>
        `
      }
      ${
        report.reason === "appeal" &&
        !closed_at &&
        html`
          <label>
            ${say("answer")}
            <input
              type="text"
              maxlength="500"
              value=${answer}
              onInput=${(/** @type {any} */ event) => setAnswer(event.target.value)}
            />
          </label>
        `
      }
      <${Refusal} problem=${problem} />
      <div class="buttons">
        <${Actions} report=${report} />
        <button type="button" disabled=${busy} onClick=${() => judge(closed_at ? "open" : "closed")}>
          ${t(closed_at ? "operator.reopen" : "operator.done")}
        </button>
      </div>
    </li>
  `;
}

/** What a report is about, and who has made it when. @param {ReportProps} props */
const About = ({ report: { reason, event, name, player, at, by, count, closed_at } }) => html`
  <h3>
    ${named("cause", reason)}${t("colon")}${
      event
        ? html`
            <a href=${`#/teams/${event}`}>${name}</a>
          `
        : html`
            <${Suspect} player=${player} name=${name} />
          `
    }
  </h3>
  <p class="hint">
    ${momentText(at)}${" · "}${t("operator.by")}${" "}
    <${Suspect} player=${by} />
    ${
      count > 1 &&
      html`
        ${" · "}${t("operator.count", { count })}
      `
    }${
      closed_at &&
      html`
        ${" · "}${t("operator.closed_at", { at: momentText(closed_at) })}
      `
    }
  </p>
`;

/** The chat that was kept with a report. @param {ReportProps} props */
const Chat = ({ report: { said, player } }) =>
  said.length > 0 &&
  html`
    <details open>
      <summary>${t("operator.said")}</summary>
      <ol class="messages" tabindex="0" aria-label=${t("operator.said")}>
        ${said.map(
          (each) => html`
            <li class=${each.player === player ? "suspect" : ""}>
              <span class="hint">${momentText(each.at)}</span>
              ${" "}
              <b>${each.name ?? t("player")}</b>
              ${" "}${each.text}
            </li>
          `,
        )}
      </ol>
    </details>
  `;

/** What can be done about a report. @param {ReportProps} props */
const Actions = ({ report: { player, event, team, room, club, name, table } }) => html`
  ${
    player &&
    html`
      <a class="button" href=${`#/operator/player/${player}`}>
        ${event || room || club ? t("operator.look_up.who") : t("operator.look_up", { name })}
      </a>
    `
  }
  ${
    event &&
    html`
      <${NameJudge}
        key=${team ?? event}
        path=${`/team-events/${event}${team ? `/teams/${team}` : ""}`}
        name=${name}
        most=${team ? 40 : 60}
      />
    `
  }
  ${
    room &&
    html`
      <${NameJudge} key=${room} path=${`/rooms/${room}`} name=${name} most="40" stays />
    `
  }
  ${
    club &&
    html`
      <${NameJudge} key=${club} path=${`/clubs/${club}`} name=${name} most="40" />
    `
  }
  ${
    table &&
    html`
      <${TableCloser} table=${table} />
    `
  }
`;

/**
 * Renames or removes an event, a team or a club, or renames a room.
 * @param {{ path: string, name: string, most: number, stays?: boolean }} props `stays`: it cannot be removed
 */
function NameJudge({ path, name, most, stays = false }) {
  const [text, setText] = useState(name);
  const [done, setDone] = useState("");
  const { attempt, busy, problem } = useAttempt();
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    attempt(async () => {
      await operate("PATCH", path, { name: text.trim() });
      setDone(text.trim());
    });
  };
  return html`
    <form class="inline" onSubmit=${submit}>
      <${Field}
        label=${t("device.new_name")}
        name="renamed"
        required
        maxlength=${most}
        autocomplete="off"
        value=${text}
        onChange=${setText}
      />
      <div class="buttons"><button type="submit" disabled=${busy}>${t("operator.rename")}</button></div>
    </form>
    ${
      done &&
      html`
        <p role="status">${named("deed", "rename")}${t("colon")}${done}</p>
      `
    }
    <${Refusal} problem=${problem} />
    ${
      !stays &&
      html`
        <${Sure}
          text=${t("operator.remove", { name })}
          sure=${t("operator.remove.sure")}
          done=${t("operator.remove.done", { name })}
          act=${() => operate("DELETE", path)}
        />
      `
    }
  `;
}

/** Closes a table, after a confirmation. @param {{ table: string }} props */
export function TableCloser({ table }) {
  return html`
    <${Sure}
      text=${t("operator.close", { table })}
      sure=${t("operator.close.sure")}
      done=${t("operator.close.done", { table })}
      act=${() => operate("DELETE", `/tables/${table}`)}
    />
  `;
}

/**
 * A button for what cannot be undone: it asks for confirmation, and says when it is done.
 * @param {{ text: string, sure: string, done: string, act: () => Promise<unknown>, onDone?: () => void }} props
 */
export function Sure({ text, sure, done, act, onDone }) {
  const [state, setState] = useState(/** @type {"" | "asks" | "done"} */ (""));
  const { attempt, busy, problem } = useAttempt();
  const go = () =>
    attempt(async () => {
      await act();
      setState("done");
      onDone?.();
    });
  if (state === "done")
    return html`
      <p role="status">${done}</p>
    `;
  if (state === "")
    return html`
      <button type="button" onClick=${() => setState("asks")}>${text}</button>
    `;
  return html`
    <span class="sure">
      <span role="alert">${sure}</span>
      <button type="button" class="danger" disabled=${busy} onClick=${go}>${text}</button>
      <button type="button" onClick=${() => setState("")}>${t("cancel")}</button>
    </span>
    <${Refusal} problem=${problem} />
  `;
}

export const Deeds = () => html`
  <section class="list">
    <h2>${t("operator.deeds")}</h2>
    <${List}
      path="/operator/deeds?limit=50"
      empty=${t("operator.deeds.none")}
      row=${(/** @type {Deed} */ each) => html`
        <li>
          <h3>${named("deed", each.deed)}</h3>
          <p class="hint">
            ${momentText(each.at)}${each.by && ` · ${each.by}`}${" · "}${
              each.about.startsWith("pl_")
                ? html`
                    <${Suspect} player=${each.about} />
                  `
                : each.about
            }
          </p>
          ${
            Object.values(each.details).some(Boolean) &&
            html`
              <p>
                ${Object.entries(each.details)
                  .flatMap(([name, value]) =>
                    value ? [`${named("detail", name)}${t("colon")}${detailText(name, String(value))}`] : [],
                  )
                  .join(" · ")}
              </p>
            `
          }
        </li>
      `}
    />
  </section>
`;

/** @param {string} name @param {string} value */
const detailText = (name, value) =>
  name === "until"
    ? momentText(value)
    : name === "registration"
      ? sayNamed("registration", value)
      : named("cause", value);
