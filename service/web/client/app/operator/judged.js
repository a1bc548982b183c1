/** Players as operators see them: found by name, suspended, renamed, erased. */
import { html, useState } from "../../vendor/preact-htm.js";
import { operate } from "../api/operator.js";
import { say, sayNamed } from "./words.js";
import { endOfDay, momentText, named, t } from "../texts/texts.js";
import { useAttempt, useLoaded } from "../ui/hooks.js";
import { REASONS } from "../people/person.js";
import { Refusal } from "../ui/refusal.js";
import { Reports, Suspect, Sure, TableCloser } from "./reports.js";
import { Field, Select } from "../ui/fields.js";

/** @typedef {import("../types").KnownPlayer} KnownPlayer */
/** @typedef {import("../types").PlayerDetails} PlayerDetails */

/** Look players up. @param {{ name: string }} props */
export function Lookup({ name }) {
  const [text, setText] = useState(name);
  const { value: found, error } = useLoaded(
    async () =>
      name
        ? /** @type {KnownPlayer[]} */ ((await operate("GET", `/players?name=${encodeURIComponent(name)}`)).items)
        : undefined,
    [name],
  );
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const id = text.trim();
    location.hash = /^pl_\w+$/.test(id)
      ? `#/operator/player/${id}`
      : `#/operator/players?name=${encodeURIComponent(id)}`;
  };
  return html`
    <form class="inline box" onSubmit=${submit}>
      <${Field}
        label=${t("operator.name")}
        name="suspect"
        required
        maxlength="60"
        autocomplete="off"
        value=${text}
        onChange=${setText}
      />
      <div class="buttons"><button type="submit" class="main">${t("friends.find")}</button></div>
    </form>
    <${Refusal} problem=${error?.problem} />
    ${
      found &&
      !found.length &&
      html`
        <p class="hint">${t("operator.players.none")}</p>
      `
    }
    <ul class="past">
      ${found?.map(
        (each) => html`
          <li key=${each.id}>
            <h3><${Suspect} player=${each.id} name=${each.name} /></h3>
            <p class="hint">${factsOf(each)}</p>
          </li>
        `,
      )}
    </ul>
  `;
}

/** @param {KnownPlayer} player */
const factsOf = ({ id, kind, created_at, suspension }) =>
  [
    id,
    kind === "bot" && t("player.bot"),
    t("operator.since", { at: momentText(created_at) }),
    suspension && t("operator.suspended", { until: momentText(suspension.until) }),
  ]
    .filter(Boolean)
    .join(" · ");

/** One player, and what can be done about them. @param {{ player: string }} props */
export function Judged({ player }) {
  const { value, error, again } = useLoaded(
    async () => /** @type {PlayerDetails} */ (await operate("GET", `/players/${player}`)),
    [player],
  );
  const { attempt, busy, problem } = useAttempt();
  /** @type {Act} */
  const act = (method, path, body = {}) =>
    attempt(async () => {
      await operate(method, `/players/${player}${path}`, method === "DELETE" ? undefined : body);
      again();
    });
  if (error?.problem)
    return html`
      <${Refusal} problem=${error.problem} />
    `;
  if (!value)
    return html`
      <p class="loading" role="status">${t("loading")}</p>
    `;
  return html`
    <section class="list">
      <h2>${value.name}</h2>
      <${Facts} player=${value} />
      <${Refusal} problem=${problem} />
      <${Suspending} player=${value} busy=${busy} act=${act} />
      <details class="box">
        <summary>${t("operator.rename")}</summary>
        <${Renaming}
          key=${value.name}
          name=${value.name}
          busy=${busy}
          onSubmit=${(/** @type {string} */ to) => act("PATCH", "", { name: to })}
        />
      </details>
      <${Tables} tables=${value.tables} />
      <div class="buttons">
        <${Sure}
          text=${t("operator.erase")}
          sure=${t("operator.erase.sure", { name: value.name })}
          done=${t("operator.erase.done", { name: value.name })}
          act=${() => operate("DELETE", `/players/${player}`)}
        />
      </div>
    </section>
    <${Alike} player=${player} />
    ${
      value.reports > 0 &&
      html`
        <${Reports} player=${player} />
      `
    }
  `;
}

/** @typedef {(method: string, path: string, body?: object) => Promise<unknown>} Act changes a player */

/** What is known about a player, and who has let them in. @param {{ player: PlayerDetails }} props */
const Facts = ({ player }) => html`
  <p class="hint">
    ${factsOf(player)}${
      player.invited_by &&
      html`
        ${" · "}${say("invited_by")}${" "}${
          player.invited_by === "operators"
            ? say("operators")
            : html`
                <${Suspect} player=${player.invited_by} />
              `
        }
      `
    }
  </p>
`;

/**
 * The suspension of a player, and a form for another one.
 * @param {{ player: PlayerDetails, busy: boolean, act: Act }} props
 */
const Suspending = ({ player: { suspension }, busy, act }) => html`
  ${
    suspension &&
    html`
      <section class="box" role="status">
        <p>
          <b>${t("operator.suspended", { until: momentText(suspension.until) })}</b>
          ${" "}${named("cause", suspension.cause)}
        </p>
        ${
          suspension.note &&
          html`
            <blockquote>${suspension.note}</blockquote>
          `
        }
        <div class="buttons">
          <button type="button" disabled=${busy} onClick=${() => act("DELETE", "/suspensions")}>
            ${t("operator.lift")}
          </button>
        </div>
      </section>
    `
  }
  <details class="box" open=${!suspension}>
    <summary>${t(suspension ? "operator.suspend.other" : "operator.suspend")}</summary>
    <${Suspension} busy=${busy} onSubmit=${(/** @type {object} */ body) => act("POST", "/suspensions", body)} />
  </details>
`;

/** The tables at which a player sits. @param {{ tables: string[] }} props */
const Tables = ({ tables }) =>
  tables.length > 0 &&
  html`
    <details class="box">
      <summary>${t("operator.tables", { count: tables.length })}</summary>
      <div class="buttons">
        ${tables.map(
          (table) => html`
            <${TableCloser} key=${table} table=${table} />
          `,
        )}
      </div>
    </details>
  `;

/** Accounts that may belong to the same person, if any. @param {{ player: string }} props */
function Alike({ player }) {
  const { value } = useLoaded(
    async () =>
      /** @type {import("../types").AlikeAccount[]} */ ((await operate("GET", `/players/${player}/alike`)).items),
    [player],
  );
  if (!value?.length) return null;
  return html`
    <section class="list">
      <h2>${say("alike")}</h2>
      <p class="hint">${say("alike.how")}</p>
      <ul class="past">
        ${value.map(
          (each) => html`
            <li key=${each.player + each.shares}>
              <h3><${Suspect} player=${each.player} name=${each.name ?? say("erased")} /></h3>
              <p class="hint">
                ${[each.player, sayNamed("shares", each.shares), momentText(each.at), each.suspension && t("operator.suspended", { until: momentText(each.suspension.until) })].filter(Boolean).join(" · ")}
              </p>
            </li>
          `,
        )}
      </ul>
    </section>
  `;
}

/** @param {{ busy: boolean, onSubmit: (body: object) => void }} props */
function Suspension({ busy, onSubmit }) {
  const [until, setUntil] = useState("");
  const [cause, setCause] = useState("chat");
  const [note, setNote] = useState("");
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    onSubmit({ until: endOfDay(until), cause, ...(note.trim() && { note: note.trim() }) });
  };
  return html`
    <form class="inline" onSubmit=${submit}>
      <${Field} label=${t("operator.until")} type="date" name="until" required value=${until} onChange=${setUntil} />
      <label>
        ${t("report.reason")}
        <${Select}
          name="cause"
          value=${cause}
          options=${REASONS.map((each) => [each, named("cause", each)])}
          onChange=${setCause}
        />
      </label>
      <${Field}
        label=${t("operator.note")}
        name="note"
        maxlength="300"
        autocomplete="off"
        value=${note}
        onChange=${setNote}
      />
      <div class="buttons"><button type="submit" class="danger" disabled=${busy}>${t("operator.suspend")}</button></div>
    </form>
  `;
}

/** @param {{ name: string, busy: boolean, onSubmit: (name: string) => void }} props */
function Renaming({ name, busy, onSubmit }) {
  const [text, setText] = useState(name);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    onSubmit(text.trim());
  };
  return html`
    <form class="inline" onSubmit=${submit}>
      <${Field}
        label=${t("device.new_name")}
        name="renamed"
        required
        maxlength="40"
        autocomplete="off"
        value=${text}
        onChange=${setText}
      />
      <div class="buttons"><button type="submit" disabled=${busy}>${t("operator.rename")}</button></div>
    </form>
  `;
}
