/** Friends who could sit down at a table, each with a button to invite them. */
import { html, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { t } from "../texts/texts.js";
import { useAttempt, useLoaded, useRepeated } from "../ui/hooks.js";
import { friends } from "./person.js";
import { Refusal } from "../ui/refusal.js";

const EVERY_MS = 15_000;

/** @param {{ view: import("../types").View }} props */
export function InviteFriends({ view }) {
  const { value: people = [], again } = useLoaded(friends, []);
  useRepeated(again, EVERY_MS);
  const [invited, setInvited] = useState(/** @type {string[]} */ ([]));
  const { attempt, busy, problem } = useAttempt();
  const here = view.seats.map(({ occupant }) => occupant?.player);
  const others = people.filter(({ player, state }) => state === "friend" && !here.includes(player));
  if (!others.length) return null;
  const invite = (/** @type {string} */ player) =>
    attempt(async () => {
      await call("POST", `/tables/${view.id}/invitations`, { player }, { once: true });
      setInvited([...invited, player]);
    });
  return html`
    <section class="invite-friends">
      <h3>${t("friends.invite")}</h3>
      <${Refusal} problem=${problem} />
      <div class="buttons">
        ${others.map(
          ({ player, name, presence }) => html`
            <button
              type="button"
              key=${player}
              disabled=${busy || invited.includes(player)}
              onClick=${() => invite(player)}
            >
              <span class=${`dot${presence === "offline" ? "" : " there"}`} aria-hidden="true"></span>
              ${t(invited.includes(player) ? "friends.invited" : "friends.invite.one", { name })}
            </button>
          `,
        )}
      </div>
    </section>
  `;
}
