/** Who may come in: registration and its codes, and blocked networks. */
import { html, useState } from "../../vendor/preact-htm.js";
import { operate } from "../api/operator.js";
import { say, sayNamed } from "./words.js";
import { endOfDay, momentText } from "../texts/texts.js";
import { Code } from "../ui/copy.js";
import { useAttempt, useLoaded } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { Sure } from "./reports.js";

/** @typedef {import("../types").NetworkBlock} NetworkBlock */
/** @typedef {import("../types").RegistrationCode} RegistrationCode */

const typed = (/** @type {any} */ event) => event.target.value;
const REGISTRATIONS = ["setting", "open", "invited", "closed"];

export const Admission = () => html`
  <${Registration} />
  <${Codes} />
  <${Blocks} />
`;

function Registration() {
  const { value, error, again } = useLoaded(
    async () => /** @type {import("../types").Admission} */ (await operate("GET", "/admission")),
    [],
  );
  const { attempt, busy, problem } = useAttempt();
  const choose = (/** @type {string} */ registration) =>
    attempt(async () => {
      await operate("PATCH", "/admission", { registration });
      again();
    });
  const refused = problem ?? error?.problem;
  return html`
    <section class="list">
      <h2>${say("title")}</h2>
      ${
        refused &&
        html`
          <${Refusal} problem=${refused} />
        `
      }
      ${
        value &&
        html`
          <p>
            ${sayNamed("registration", value.registration)}${
              value.by &&
              html`
                ${" "}
                <span class="hint">${value.by}${" · "}${momentText(value.at ?? "")}</span>
              `
            }
          </p>
          <label>
            ${say("choose")}
            <select
              name="registration"
              disabled=${busy}
              value=${value.chosen ?? "setting"}
              onChange=${(/** @type {Event} */ event) => choose(typed(event))}
            >
              ${REGISTRATIONS.map(
                (each) => html`
                  <option value=${each}>${sayNamed("registration", each)}</option>
                `,
              )}
            </select>
          </label>
          <p class="hint">${say("you", { name: value.you ?? say("unnamed") })}</p>
        `
      }
    </section>
  `;
}

function Codes() {
  const { value, error, again } = useLoaded(
    async () => /** @type {RegistrationCode[]} */ ((await operate("GET", "/registration-codes")).items),
    [],
  );
  const { attempt, busy, problem } = useAttempt();
  const [uses, setUses] = useState("1");
  const [days, setDays] = useState("30");
  const [note, setNote] = useState("");
  const [made, setMade] = useState("");
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    attempt(async () => {
      const { code } = await operate("POST", "/registration-codes", {
        uses: Number(uses),
        days: Number(days),
        ...(note.trim() && { note: note.trim() }),
      });
      setMade(code);
      setNote("");
      again();
    });
  };
  const refused = problem ?? error?.problem;
  return html`
    <section class="list">
      <h2>${say("codes")}</h2>
      <form class="inline box" onSubmit=${submit}>
        <label>
          ${say("codes.uses")}
          <input
            type="number"
            name="uses"
            required
            min="1"
            max="1000"
            value=${uses}
            onInput=${(/** @type {Event} */ event) => setUses(typed(event))}
          />
        </label>
        <label>
          ${say("codes.days")}
          <input
            type="number"
            name="days"
            required
            min="1"
            max="365"
            value=${days}
            onInput=${(/** @type {Event} */ event) => setDays(typed(event))}
          />
        </label>
        <label>
          ${say("memo")}
          <input
            type="text"
            name="note"
            maxlength="300"
            autocomplete="off"
            value=${note}
            onInput=${(/** @type {Event} */ event) => setNote(typed(event))}
          />
        </label>
        <div class="buttons"><button type="submit" disabled=${busy}>${say("codes.make")}</button></div>
      </form>
      ${
        made &&
        html`
          <div role="status">
            <p>${say("codes.made")}</p>
            <${Code} key=${made} code=${made.replaceAll("-", "")} label=${say("codes")} />
          </div>
        `
      }
      ${
        refused &&
        html`
          <${Refusal} problem=${refused} />
        `
      }
      <ul class="past">
        ${value?.map(
          (each) => html`
            <li key=${each.id}>
              <h3>${each.note ?? each.id}</h3>
              <p class="hint">
                ${[say("codes.left", { left: each.left, uses: each.uses }), say("codes.until", { until: momentText(each.until) }), each.by].filter(Boolean).join(" · ")}
              </p>
              <div class="buttons">
                <${Sure}
                  text=${say("codes.void")}
                  sure=${say("codes.void.sure")}
                  done=${say("codes.void.done")}
                  act=${() => operate("DELETE", `/registration-codes/${each.id}`)}
                  onDone=${again}
                />
              </div>
            </li>
          `,
        )}
      </ul>
    </section>
  `;
}

function Blocks() {
  const { value, error, again } = useLoaded(
    async () => /** @type {NetworkBlock[]} */ ((await operate("GET", "/blocks")).items),
    [],
  );
  const { attempt, busy, problem } = useAttempt();
  const [network, setNetwork] = useState("");
  const [until, setUntil] = useState("");
  const [note, setNote] = useState("");
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    attempt(async () => {
      await operate("POST", "/blocks", {
        network: network.trim(),
        ...(until && { until: endOfDay(until) }),
        ...(note.trim() && { note: note.trim() }),
      });
      setNetwork("");
      setNote("");
      again();
    });
  };
  const refused = problem ?? error?.problem;
  return html`
    <section class="list">
      <h2>${say("blocks")}</h2>
      <p class="hint">${say("blocks.how")}</p>
      <form class="inline box" onSubmit=${submit}>
        <label>
          ${say("blocks.network")}
          <input
            type="text"
            name="network"
            required
            maxlength="60"
            autocomplete="off"
            spellcheck="false"
            value=${network}
            onInput=${(/** @type {Event} */ event) => setNetwork(typed(event))}
          />
        </label>
        <label>
          ${say("blocks.until")}
          <input
            type="date"
            name="until"
            value=${until}
            onInput=${(/** @type {Event} */ event) => setUntil(typed(event))}
          />
        </label>
        <label>
          ${say("memo")}
          <input
            type="text"
            name="note"
            maxlength="300"
            autocomplete="off"
            value=${note}
            onInput=${(/** @type {Event} */ event) => setNote(typed(event))}
          />
        </label>
        <div class="buttons"><button type="submit" class="danger" disabled=${busy}>${say("blocks.add")}</button></div>
      </form>
      ${
        refused &&
        html`
          <${Refusal} problem=${refused} />
        `
      }
      ${
        value &&
        !value.length &&
        html`
          <p class="hint">${say("blocks.none")}</p>
        `
      }
      <ul class="past">
        ${value?.map(
          (each) => html`
            <li key=${each.id}>
              <h3>${each.network}</h3>
              <p class="hint">
                ${[momentText(each.at), each.by, each.until && say("codes.until", { until: momentText(each.until) }), each.note].filter(Boolean).join(" · ")}
              </p>
              <div class="buttons">
                <${Sure}
                  text=${say("blocks.end", { network: each.network })}
                  sure=${say("blocks.end.sure")}
                  done=${say("blocks.end.done", { network: each.network })}
                  act=${() => operate("DELETE", `/blocks/${each.id}`)}
                  onDone=${again}
                />
              </div>
            </li>
          `,
        )}
      </ul>
    </section>
  `;
}
