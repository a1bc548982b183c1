/** The ways into a club: the lists of clubs, making one, and following a link. */
import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { Named, PlayersPage } from "../account/signin.js";
import { call } from "../api/client.js";
import { onAccountEvent } from "../api/news.js";
import { t } from "../texts/texts.js";
import { Field } from "../ui/fields.js";
import { useAccount, useAttempt, useLoaded, usePages } from "../ui/hooks.js";
import { PageBar } from "../ui/pagebar.js";
import { Refusal } from "../ui/refusal.js";
import { ClubForm } from "./settings.js";
import { roleText, say } from "./words.js";

/** @typedef {import("../types").ClubCard} ClubCard */

/** Go on to a club; the step before it is not kept in the history. @param {string} club */
const goTo = (club) => location.replace(`#/club/${club}`);

/** @param {{ label: string, clubs: ClubCard[] }} props */
const List = ({ label, clubs }) => html`
  <ul class="events" aria-label=${label}>
    ${clubs.map(
      ({ club, name, about, members, role, asked }) => html`
        <li key=${club}>
          <a href=${`#/club/${club}`}>
            <b>${name}</b>
            <span>
              ${say("size", { count: members })}
              ${
                about &&
                html`
                  ${" · "}${about}
                `
              }
            </span>
            ${
              (role || asked) &&
              html`
                <span class="badge">${role ? roleText(role) : say("asked")}</span>
              `
            }
          </a>
        </li>
      `,
    )}
  </ul>
`;

/** The clubs of the player. */
function Mine() {
  const { value, again } = useLoaded(
    async () => /** @type {ClubCard[]} */ ((await call("GET", "/me/clubs")).items),
    [],
  );
  useEffect(() => onAccountEvent(({ type }) => void (type.startsWith("club_") && again())), []);
  if (!value) return null;
  return html`
    <section>
      <h2>${say("mine")}</h2>
      ${
        value.length
          ? html`
              <${List} label=${say("mine")} clubs=${value} />
            `
          : html`
              <p class="hint">${say("none_mine")}</p>
            `
      }
    </section>
  `;
}

/** The clubs that everybody finds. */
function All() {
  const { items, more, problem } = usePages("/clubs?limit=20");
  const clubs = /** @type {ClubCard[] | undefined} */ (items);
  return html`
    <section>
      <h2>${say("all")}</h2>
      ${
        clubs &&
        (clubs.length
          ? html`
              <${List} label=${say("all")} clubs=${clubs} />
            `
          : html`
              <p class="hint">${say("none")}</p>
            `)
      }
      ${
        more &&
        html`
          <div class="buttons"><button type="button" onClick=${more}>${t("more")}</button></div>
        `
      }
      <${Refusal} problem=${problem} />
    </section>
  `;
}

/** Joining by a code that somebody has read out. */
function Code() {
  const [code, setCode] = useState("");
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    location.hash = `#/club?code=${encodeURIComponent(code.trim())}`;
  };
  return html`
    <form class="inline" onSubmit=${submit}>
      <${Field} label=${say("code_field")} value=${code} maxlength="60" required onChange=${setCode} />
      <button type="submit">${say("code_open")}</button>
    </form>
  `;
}

/** All clubs there are for the player, and a new one. */
export function Clubs() {
  const { token } = useAccount();
  const make = async (/** @type {object} */ about) => goTo((await call("POST", "/clubs", about, { once: true })).club);
  return html`
    <${PlayersPage} title=${say("clubs")}>
      <${Mine} key=${token} />
      <${Code} />
      <${All} />
      <details>
        <summary>${say("make")}</summary>
        <p class="hint">${say("make_how")}</p>
        <${ClubForm} button=${say("make")} save=${make} />
      </details>
    <//>
  `;
}

/** A link to a club: where it leads, and the way in. @param {{ code: string }} props */
export function Invited({ code }) {
  const { token } = useAccount();
  const { value, error } = useLoaded(
    async () =>
      /** @type {import("../types").ClubPreview} */ (await call("GET", `/club-links/${encodeURIComponent(code)}`)),
    [code, token],
  );
  const { attempt, busy, problem } = useAttempt();
  const enter = () => attempt(async () => goTo((await call("POST", "/me/clubs", { code })).club));
  // Whoever belongs to the club is shown it at once.
  useEffect(() => void (value?.club && goTo(value.club)), [value]);
  return html`
    <main class="page">
      <${PageBar} title=${say("club")} />
      <${Refusal} problem=${error?.problem} />
      ${
        value &&
        html`
          <section class="invited">
            <p><b>${say("invites", { name: value.name })}</b></p>
            ${
              value.about &&
              html`
                <p>${value.about}</p>
              `
            }
            <p>${say("size", { count: value.members })}</p>
          </section>
          <${Named} what=${say("join")} busy=${busy} onDo=${enter} />
        `
      }
      <${Refusal} problem=${problem} />
    </main>
  `;
}
