/** Who may come in: registration and its codes, and blocked networks. */
import { html, useState } from "../../vendor/preact-htm.js";
import { operate } from "../api/operator.js";
import { say, sayNamed } from "./words.js";
import { endOfDay, momentText } from "../texts/texts.js";
import { Code } from "../ui/copy.js";
import { useAttempt, useLoaded } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { Sure } from "./reports.js";
import { Field, Select } from "../ui/fields.js";

/** @typedef {import("../types").NetworkBlock} NetworkBlock */
/** @typedef {import("../types").RegistrationCode} RegistrationCode */

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
      <${Refusal} problem=${refused} />
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
            <${Select}
              name="registration"
              disabled=${busy}
              value=${value.chosen ?? "setting"}
              options=${REGISTRATIONS.map((each) => [each, sayNamed("registration", each)])}
              onChange=${choose}
            />
          </label>
          <p class="hint">${say("you", { name: value.you ?? say("unnamed") })}</p>
        `
      }
    </section>
  `;
}

/** A note of operators, for a request. @param {string} note */
const noteIn = (note) => note.trim() && { note: note.trim() };

/** What operators note beside a code or a block. @param {{ note: string, onChange: (note: string) => void }} props */
const Note = ({ note, onChange }) => html`
  <${Field} label=${say("memo")} name="note" maxlength="300" autocomplete="off" value=${note} onChange=${onChange} />
`;

/** Facts about a code or a block in a line. @param {(string | null | undefined)[]} facts */
const lineOf = (facts) => facts.filter(Boolean).join(" · ");

/** @typedef {{ onDone: () => void, failed: import("../types").Problem | undefined }} FormProps `failed`: of the list */

function Codes() {
  const { value, error, again } = useLoaded(
    async () => /** @type {RegistrationCode[]} */ ((await operate("GET", "/registration-codes")).items),
    [],
  );
  return html`
    <section class="list">
      <h2>${say("codes")}</h2>
      <${CodeForm} onDone=${again} failed=${error?.problem} />
      <ul class="past">
        ${value?.map(
          ({ id, note, left, uses, until, by }) => html`
            <li key=${id}>
              <h3>${note ?? id}</h3>
              <p class="hint">
                ${lineOf([say("codes.left", { left, uses }), say("codes.until", { until: momentText(until) }), by])}
              </p>
              <div class="buttons">
                <${Sure}
                  text=${say("codes.void")}
                  sure=${say("codes.void.sure")}
                  done=${say("codes.void.done")}
                  act=${() => operate("DELETE", `/registration-codes/${id}`)}
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

/** Makes a code, and shows it. @param {FormProps} props */
function CodeForm({ onDone, failed }) {
  const { attempt, busy, problem } = useAttempt();
  const [uses, setUses] = useState("1");
  const [days, setDays] = useState("30");
  const [note, setNote] = useState("");
  const [made, setMade] = useState("");
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const wanted = { uses: Number(uses), days: Number(days), ...noteIn(note) };
    attempt(async () => {
      const { code } = await operate("POST", "/registration-codes", wanted);
      setMade(code);
      setNote("");
      onDone();
    });
  };
  const number = { type: "number", required: true, min: "1" };
  return html`
    <form class="inline box" onSubmit=${submit}>
      <${Field} label=${say("codes.uses")} name="uses" ...${number} max="1000" value=${uses} onChange=${setUses} />
      <${Field} label=${say("codes.days")} name="days" ...${number} max="365" value=${days} onChange=${setDays} />
      <${Note} note=${note} onChange=${setNote} />
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
    <${Refusal} problem=${problem ?? failed} />
  `;
}

function Blocks() {
  const { value, error, again } = useLoaded(
    async () => /** @type {NetworkBlock[]} */ ((await operate("GET", "/blocks")).items),
    [],
  );
  return html`
    <section class="list">
      <h2>${say("blocks")}</h2>
      <p class="hint">${say("blocks.how")}</p>
      <${BlockForm} onDone=${again} failed=${error?.problem} />
      ${
        value &&
        !value.length &&
        html`
          <p class="hint">${say("blocks.none")}</p>
        `
      }
      <ul class="past">
        ${value?.map(
          ({ id, network, at, by, until, note }) => html`
            <li key=${id}>
              <h3>${network}</h3>
              <p class="hint">
                ${lineOf([momentText(at), by, until && say("codes.until", { until: momentText(until) }), note])}
              </p>
              <div class="buttons">
                <${Sure}
                  text=${say("blocks.end", { network })}
                  sure=${say("blocks.end.sure")}
                  done=${say("blocks.end.done", { network })}
                  act=${() => operate("DELETE", `/blocks/${id}`)}
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

/** Blocks a network. @param {FormProps} props */
function BlockForm({ onDone, failed }) {
  const { attempt, busy, problem } = useAttempt();
  const [network, setNetwork] = useState("");
  const [until, setUntil] = useState("");
  const [note, setNote] = useState("");
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const wanted = { network: network.trim(), ...(until && { until: endOfDay(until) }), ...noteIn(note) };
    attempt(async () => {
      await operate("POST", "/blocks", wanted);
      setNetwork("");
      setNote("");
      onDone();
    });
  };
  return html`
    <form class="inline box" onSubmit=${submit}>
      <${Field}
        label=${say("blocks.network")}
        name="network"
        required
        maxlength="60"
        autocomplete="off"
        spellcheck="false"
        value=${network}
        onChange=${setNetwork}
      />
      <${Field} label=${say("blocks.until")} type="date" name="until" value=${until} onChange=${setUntil} />
      <${Note} note=${note} onChange=${setNote} />
      <div class="buttons"><button type="submit" class="danger" disabled=${busy}>${say("blocks.add")}</button></div>
    </form>
    <${Refusal} problem=${problem ?? failed} />
  `;
}
