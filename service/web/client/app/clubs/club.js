/** A club: what it says about itself, its link, its people, and what they may change; and the lists of clubs. */
import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { PlayersPage } from "../account/signin.js";
import { call } from "../api/client.js";
import { onAccountEvent } from "../api/news.js";
import { PersonDialog } from "../people/persondialog.js";
import { t } from "../texts/texts.js";
import { useAccount, useAttempt, useLoaded, useRepeated } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { Clubs, Invited } from "./entry.js";
import { Link } from "./link.js";
import { Events, Tables } from "./meetings.js";
import { People, Requests } from "./people.js";
import { RankingScreen } from "./ranking.js";
import { SeasonScreen } from "./season.js";
import { Seasons } from "./seasons.js";
import { Change, Leave } from "./settings.js";
import { roleText, say } from "./words.js";

/** @typedef {import("../types").Club} Club */

/** How often a club is read while the page is visible, ms. */
const LOOK_MS = 20_000;

/** What all parts of the page get. @typedef {{ club: Club, again: () => void }} ClubProps `again`: reads it again */

/** What everybody sees of a club. @param {{ club: Club }} props */
const About = ({ club: { about, members, role } }) => html`
  ${
    about &&
    html`
      <p>${about}</p>
    `
  }
  <p class="hint">
    ${say("size", { count: members })}
    ${
      role &&
      html`
        ${" · "}${roleText(role)}
      `
    }
  </p>
`;

/** The way in for whoever has found the club in the list. @param {ClubProps} props */
function Ask({ club, again }) {
  const { attempt, busy, problem } = useAttempt();
  const path = `/clubs/${club.club}/requests/me`;
  const send = (/** @type {"PUT" | "DELETE"} */ method) => attempt(() => call(method, path)).finally(again);
  return html`
    <section>
      ${
        club.asked
          ? html`
              <p role="status">${say("asked_how")}</p>
              <div class="buttons">
                <button type="button" disabled=${busy} onClick=${() => send("DELETE")}>${say("withdraw")}</button>
              </div>
            `
          : html`
              <div class="buttons">
                <button type="button" class="main" disabled=${busy} onClick=${() => send("PUT")}>${say("ask")}</button>
              </div>
            `
      }
      <${Refusal} problem=${problem} />
    </section>
  `;
}

/** @param {{ id: string }} props */
function ClubScreen({ id }) {
  const { token } = useAccount();
  const { value, error, again } = useLoaded(
    async () => (token ? /** @type {Club} */ (await call("GET", `/clubs/${id}`)) : undefined),
    [id, token],
  );
  useRepeated(again, LOOK_MS);
  const [held, setHeld] = useState(0);
  useEffect(
    () =>
      onAccountEvent(({ type }) => {
        if (type.startsWith("club_")) again();
        // The list of events is read again from its first page.
        if (type === "club_event") setHeld((count) => count + 1);
      }),
    [],
  );
  if (!value)
    return html`
      <${PlayersPage} title=${say("club")}>
        ${
          error?.problem
            ? html`
                <${Refusal} problem=${error.problem} />
                <p><a href="#/club">${say("clubs")}</a></p>
              `
            : html`
                <p class="loading" role="status">${t("loading")}</p>
              `
        }
      <//>
    `;
  const props = { club: value, again };
  return html`
    <${PlayersPage} title=${value.name}>
      <${About} club=${value} />
      ${
        value.role
          ? html`
              <div class="room">
                <${Requests} ...${props} />
                <${Events} key=${held} ...${props} />
                <${Seasons} ...${props} />
                <${Tables} ...${props} />
                <${People} ...${props} />
                <${Link} ...${props} />
                <${Change} ...${props} />
                <${Leave} ...${props} />
              </div>
            `
          : html`
              <${Ask} ...${props} />
              <${Leave} ...${props} />
            `
      }
      <p class="ways"><a href="#/club">${say("clubs")}</a></p>
    <//>
  `;
}

/** @param {import("../routes.js").Address} address */
function clubScreen({ rest: [id, part, season], asked: { code } }) {
  if (id && part === "season" && season)
    return html`
      <${SeasonScreen} key=${season} club=${id} season=${season} />
    `;
  if (id && part === "ranking")
    return html`
      <${RankingScreen} key=${id} club=${id} />
    `;
  if (id)
    return html`
      <${ClubScreen} key=${id} id=${id} />
    `;
  return code
    ? html`
        <${Invited} key=${code} code=${code} />
      `
    : html`
        <${Clubs} />
      `;
}

export { clubScreen, PersonDialog };
