/** What a club says about itself, which its owners change; and the ways out of it. */
import { html, useState } from "../../vendor/preact-htm.js";
import { theAccount } from "../api/account.js";
import { call } from "../api/client.js";
import { Report } from "../people/person.js";
import { t } from "../texts/texts.js";
import { Check, Field } from "../ui/fields.js";
import { useAttempt } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { Sure } from "../ui/sure.js";
import { say } from "./words.js";

/** @typedef {import("./club.js").ClubProps} ClubProps */

/**
 * The form of a club's name, description and listing.
 * @param {{
 *   before?: { name: string, about: string, listed: boolean },
 *   button: string,
 *   save: (about: { name: string, about: string, listed: boolean }) => Promise<unknown>,
 * }} props `before`: what it says; left out: a new club
 */
export function ClubForm({ before, button, save }) {
  const [name, setName] = useState(before?.name ?? "");
  const [about, setAbout] = useState(before?.about ?? "");
  const [listed, setListed] = useState(before?.listed ?? true);
  const { attempt, busy, problem } = useAttempt();
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    attempt(() => save({ name: name.trim(), about: about.trim(), listed }));
  };
  return html`
    <form onSubmit=${submit}>
      <${Field} label=${say("name")} value=${name} maxlength="40" required onChange=${setName} />
      <${Field} label=${say("about")} value=${about} maxlength="500" onChange=${setAbout} />
      <${Check} text=${say("listed")} checked=${listed} onChange=${setListed} />
      <div class="buttons"><button type="submit" class="main" disabled=${busy}>${button}</button></div>
      <${Refusal} problem=${problem} />
    </form>
  `;
}

/** @param {ClubProps} props */
export function Change({ club, again }) {
  const [saved, setSaved] = useState(false);
  if (club.role !== "owner") return null;
  const save = async (/** @type {object} */ changes) => {
    setSaved(false);
    await call("PATCH", `/clubs/${club.club}`, changes);
    setSaved(true);
    again();
  };
  return html`
    <details>
      <summary>${say("change")}</summary>
      <${ClubForm} before=${club} button=${say("save")} save=${save} />
      ${
        saved &&
        html`
          <p role="status">${say("saved")}</p>
        `
      }
    </details>
  `;
}

/** Leaving, closing, and a report of what the club says. @param {ClubProps} props */
export function Leave({ club }) {
  const owns = club.role === "owner";
  const isLast = owns && club.people.filter(({ role }) => role === "owner").length === 1;
  const go = async (/** @type {string} */ path) => {
    await call("DELETE", path);
    location.replace("#/club");
  };
  const path = `/clubs/${club.club}`;
  return html`
    <section class="leaving">
      ${
        club.role &&
        (isLast && club.people.length > 1
          ? html`
              <p class="hint">${say("last")}</p>
            `
          : !isLast &&
            html`
              <${Sure}
                label=${say("leave")}
                question=${say("leave_sure")}
                yes=${say("leave_yes")}
                act=${() => go(`${path}/people/${theAccount().player}`)}
              />
            `)
      }
      ${
        owns
          ? html`
              <${Sure}
                label=${say("close")}
                question=${say("close_sure")}
                yes=${say("close_yes")}
                act=${() => go(path)}
              />
            `
          : html`
              <details>
                <summary>${t("report")}</summary>
                <p class="hint">${say("report")}</p>
                <${Report} path=${`${path}/reports`} name=${club.name} first="display_name" />
              </details>
            `
      }
    </section>
  `;
}
