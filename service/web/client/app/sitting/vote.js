/** Votes and take-backs, which the players decide together. */
import { html } from "../../vendor/preact-htm.js";
import { named, t } from "../texts/texts.js";

/**
 * The open vote, or the open request to take back a play.
 * @param {{ session: import("../live/session.js").Session, view: import("../types").View }} props
 */
export function Vote({ session, view }) {
  const { vote, my } = view;
  const name = (/** @type {number | null} */ seat) => (seat === null ? "" : (view.seats[seat].occupant?.name ?? ""));
  const request = view.round?.take_back;
  const yesNo = (/** @type {(yes: boolean) => unknown} */ answer) =>
    my &&
    html`
      <div class="buttons">
        <button type="button" class="main" onClick=${() => answer(true)}>${t("yes")}</button>
        <button type="button" onClick=${() => answer(false)}>${t("no")}</button>
      </div>
    `;
  if (request) {
    return html`
      <section class="vote">
        <p>${t("take_back.asked", { who: name(request.seat) })}</p>
        ${my && request.seat !== my.seat && !request.accepted.includes(my.seat) && yesNo((accept) => session.send("POST", "/take-back/answer", { accept }, "take-back"))}
      </section>
    `;
  }
  if (!vote) return null;
  const count = Object.values(vote.votes).filter(Boolean).length;
  return html`
    <section class="vote">
      <p>${t("vote.open", { what: named("vote", vote.kind, { who: name(vote.seat) }), count })}</p>
      ${my && !(String(my.seat) in vote.votes) && yesNo((approve) => session.send("PUT", `/votes/${vote.id}`, { approve }, "vote"))}
    </section>
  `;
}
