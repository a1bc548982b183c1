/** What reaches a player on every screen: invitations, friend requests, and quick play's result. */
import { html } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { accept, answered, changeNews, decline, onNews, theNews } from "../api/news.js";
import { momentText, t } from "../texts/texts.js";
import { useAttempt, useFollowed } from "../ui/hooks.js";
import { useGameNames } from "../games/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { Looking, Outcome, useSearch } from "./search.js";

export const useNews = () => useFollowed(theNews, onNews);

/**
 * @param {{
 *   at: string,
 *   table?: string,
 * }} props `at`: the screen that is shown; `table`: the table on it, the team event or the room
 */
export function Arrivals({ at, table }) {
  const { invitations, askers } = useNews();
  const { ticket, note } = useSearch();
  const isOver = at === "table" || at === "replay";
  // There is little room during a game; friend requests wait on their page.
  const shown = invitations.filter((each) => each.table !== table).slice(0, isOver ? 1 : 3);
  const asking = isOver || at === "friends" ? [] : askers.slice(0, 2);
  // The start page shows the search instead of its button.
  const looks = ticket && at !== "";
  // A screen on a wall is everybody's.
  if (at === "hall") return null;
  return html`
    <aside class=${`arrivals${isOver ? " over" : ""}`} aria-label=${t("arrivals")} aria-live="polite">
      ${
        looks &&
        html`
          <${Looking} />
        `
      }
      ${
        note === "missed" &&
        at !== "" &&
        !isOver &&
        html`
          <section class="box arrival"><${Outcome} /></section>
        `
      }
      ${shown.map(
        (each) => html`
          <${Invited} key=${each.invitation} invitation=${each} />
        `,
      )}
      ${asking.map(
        (each) => html`
          <${Asked} key=${each.player} asker=${each} />
        `,
      )}
      <${News} at=${at} table=${table} />
    </aside>
  `;
}

/**
 * What leads to another screen: teams, rounds and rooms. Nobody is called away from a game.
 * @param {{ at: string, table?: string }} props
 */
function News({ at, table }) {
  const { entered, begun, opened, times, notes } = useNews();
  if (at === "table" || at === "replay") return null;
  const teams = entered.filter(({ event }) => at !== "teams" || event !== table).slice(0, 2);
  const rounds = begun.filter(({ event }) => at !== "teams" || event !== table);
  const rooms = opened.filter(({ room }) => at !== "room" || room !== table).slice(-2);
  return html`
    ${teams.map(
      ({ team, team_name, event, event_name, name }) => html`
        <${Told}
          key=${team}
          text=${t("teams.entered_by", { name, team: team_name, event: event_name })}
          way=${t("teams.look")}
          href=${`#/teams/${event}`}
          done=${() => changeNews({ entered: theNews().entered.filter((each) => each.team !== team) })}
        />
      `,
    )}
    ${rounds.map(
      ({ event, event_name, round, place, table }) => html`
        <${Told}
          key=${table}
          text=${round ? t("teams.begun", { event: event_name, round, place }) : t("teams.your_table", { event: event_name, place })}
          way=${t("teams.look")}
          href=${`#/teams/${event}`}
          done=${() => changeNews({ begun: [] })}
        />
      `,
    )}
    <${Times} at=${at} table=${table} times=${times} />
    ${notes
      .filter(({ event }) => at !== "teams" || event !== table)
      .slice(-2)
      .map(
        ({ event, event_name, note }) => html`
          <${Told}
            key=${note}
            text=${t("teams.note", { event: event_name })}
            way=${t("teams.look")}
            href=${`#/teams/${event}`}
            done=${() => changeNews({ notes: theNews().notes.filter((each) => each.event !== event) })}
          />
        `,
      )}
    ${rooms.map(
      ({ room, room_name, name }) => html`
        <${Told}
          key=${room}
          text=${t("room.opened_by", { name, room: room_name })}
          way=${t("room.back")}
          href=${`#/room/${room}`}
          done=${() => changeNews({ opened: theNews().opened.filter((each) => each.room !== room) })}
        />
      `,
    )}
  `;
}

/**
 * Times of matches in leagues, except those of the event on the screen.
 * @param {{ at: string, table?: string, times: import("../api/news.js").Timed[] }} props
 */
const Times = ({ at, table, times }) =>
  times
    .filter(({ event }) => at !== "teams" || event !== table)
    .slice(-2)
    .map(
      ({ event, event_name, team_name, meets_at, is_agreed }) => html`
        <${Told}
          key=${event}
          text=${t(is_agreed ? "teams.time.agreed" : "teams.time.proposed", { team: team_name, event: event_name, at: momentText(meets_at) })}
          way=${t("teams.look")}
          href=${`#/teams/${event}`}
          done=${() => changeNews({ times: theNews().times.filter((each) => each.event !== event) })}
        />
      `,
    );

/** @param {{ invitation: import("../types").Invitation }} props */
function Invited({ invitation }) {
  const nameOf = useGameNames();
  const { attempt, busy, problem } = useAttempt();
  const { name, ruleset, players } = invitation;
  return html`
    <section class="box arrival" aria-label=${t("invited")}>
      <p><b>${t("invite.text", { host: name, game: nameOf(ruleset), players })}</b></p>
      <${Refusal} problem=${problem} />
      <div class="buttons">
        <button type="button" class="main" disabled=${busy} onClick=${() => attempt(() => accept(invitation))}>
          ${t("invited.accept")}
        </button>
        <button type="button" disabled=${busy} onClick=${() => decline(invitation)}>${t("invited.decline")}</button>
      </div>
    </section>
  `;
}

/** @param {{ asker: import("../api/news.js").Asker }} props */
function Asked({ asker: { player, name } }) {
  const { attempt, busy, problem } = useAttempt();
  const answer = (/** @type {"PUT" | "DELETE"} */ method) =>
    attempt(async () => {
      await call(method, `/me/friends/${player}`, undefined, { once: true });
      answered(player);
    });
  const later = () => changeNews({ askers: theNews().askers.filter((each) => each.player !== player) });
  return html`
    <section class="box arrival" aria-label=${t("friends.asks")}>
      <p><b>${t("friends.asked_by", { name })}</b></p>
      <${Refusal} problem=${problem} />
      <div class="buttons">
        <button type="button" class="main" disabled=${busy} onClick=${() => answer("PUT")}>
          ${t("friends.accept")}
        </button>
        <button type="button" disabled=${busy} onClick=${() => answer("DELETE")}>${t("friends.decline")}</button>
        <button type="button" class="quiet" onClick=${later}>${t("recovery.later")}</button>
      </div>
    </section>
  `;
}

/**
 * Something that has happened elsewhere, with the way there.
 * @param {{ text: string, way: string, href: string, done: () => void }} props `way`: what the link says
 */
const Told = ({ text, way, href, done }) => html`
  <section class="box arrival" aria-label=${t("invited")}>
    <p><b>${text}</b></p>
    <div class="buttons">
      <a class="button main" href=${href} onClick=${done}>${way}</a>
      <button type="button" class="quiet" onClick=${done}>${t("recovery.later")}</button>
    </div>
  </section>
`;
