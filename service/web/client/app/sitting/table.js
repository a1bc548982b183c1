/** The table: waiting for players, a running game, or its end. */
import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { asksMe, isDealOpen } from "../round/panel.js";
import { theAccount } from "../api/account.js";
import { isInPage } from "../api/alone.js";
import { hasVoice } from "../api/service.js";
import { Chat } from "../round/chat.js";
import { PersonDialog } from "../people/persondialog.js";
import { useAccount, useLoaded, useMedia, useOnline } from "../ui/hooks.js";
import { useSession } from "../live/hooks.js";
import { useRules } from "../games/hooks.js";
import { announce, Announcements } from "../live/announce.js";
import { heardIn } from "../live/said.js";
import { Again } from "./again.js";
import { withNames } from "../people/aiplayer.js";
import { LookBack } from "./lookback.js";
import { Refusal } from "../ui/refusal.js";
import { sidedAt } from "../round/side.js";
import { Summary } from "./summary.js";
import { Winners } from "./winners.js";
import { useDays } from "./seen.js";
import { TableMenu } from "./menu.js";
import { TopBar } from "../round/topbar.js";
import { soundOf } from "../round/sounds.js";
import { t } from "../texts/texts.js";
import { Vote } from "./vote.js";
import { Door } from "./door.js";
import { Game } from "../round/game.js";
import { Waiting } from "./waiting.js";

/**
 * @typedef {import("../live/session.js").Session} Session
 * @typedef {import("../types").View} View
 * @typedef {object} TableProps
 * @property {string} table
 * @property {string} [code]
 * @property {Record<string, string>} invited what the link says about the invitation
 * @property {() => Promise<typeof import("./voice.js")>} loadVoice
 */

/** @param {TableProps} props */
export function TableScreen({ table, code, invited, loadVoice }) {
  const { token } = useAccount();
  if (!token && !isInPage(table))
    return html`
      <${Door} table=${table} code=${code} invited=${invited} />
    `;
  return html`
    <${Followed} table=${table} code=${code} invited=${invited} loadVoice=${loadVoice} />
    <${PersonDialog} />
  `;
}

/** The dialog that is open; "": none. @typedef {"" | "menu" | "chat" | "summary"} Opened */

/** @param {TableProps} props */
function Followed({ table, code, invited, loadVoice }) {
  const [attempt, setAttempt] = useState(0);
  const session = useSession(table, attempt, (event, { state }) => {
    soundOf(event, state.view);
    announce(heardIn(event));
  });
  const online = useOnline();
  const { lost } = session?.state ?? {};
  const view = session?.state.view && withNames(session.state.view);
  if (lost)
    return html`
      <${Door}
        table=${table}
        code=${code}
        problem=${lost}
        invited=${invited}
        wasSeen=${Boolean(view)}
        watched=${view?.viewer.role === "spectator"}
        onDone=${() => setAttempt(attempt + 1)}
      />
    `;
  if (!session || !view)
    return html`
      <main class="page"><p class="loading" role="status">${t(online ? "loading" : "offline")}</p></main>
    `;
  return html`
    <${Seen} session=${session} view=${view} code=${code} online=${online} loadVoice=${loadVoice} />
  `;
}

/**
 * @typedef {object} SeenProps
 * @property {Session} session
 * @property {View} view
 * @property {string} [code]
 * @property {boolean} online
 * @property {TableProps["loadVoice"]} loadVoice
 */

/** A table that can be seen. @param {SeenProps} props */
function Seen({ session, view, code, online, loadVoice }) {
  const rules = useRules(session.state.view);
  const [open, setOpen] = useOpened(view);
  const unread = useUnread(session, open);
  const asks = useCalls(session.state.view);
  const isBehind = useDays(view, asks);
  const playing = view.round !== null && (view.status !== "lobby" || view.game !== null);
  if (isBehind)
    return html`
      <main class="page"></main>
    `;
  return html`
    <main class=${`table ${playing ? "playing" : "waiting"} ${asks ? "asks" : ""}`}>
      <${TopBar} view=${view} rules=${rules} unread=${unread} now=${() => session.now()} onOpen=${setOpen} />
      <${Connection} session=${session} view=${view} online=${online} />
      ${
        hasVoice &&
        view.settings.voice &&
        view.my &&
        !view.closed &&
        html`
          <${LoadedVoices} session=${session} view=${view} load=${loadVoice} />
        `
      }
      ${
        playing
          ? html`
              <${Game} session=${session} view=${view} rules=${rules} failed=${session.state.failedThrow} />
            `
          : html`
              <${Waiting} session=${session} view=${view} rules=${rules} code=${code} />
            `
      }
      <${Notices} session=${session} view=${view} />
      ${
        playing &&
        view.status === "finished" &&
        !view.round?.result &&
        html`
          <${Ended} session=${session} view=${view} />
        `
      }
      <${Refusal} problem=${session.state.refusal} onClose=${() => session.change({ refusal: null })} />
      <${Dialogs} session=${session} view=${view} rules=${rules} code=${code} open=${open} onOpen=${setOpen} />
      <${Announcements} />
    </main>
  `;
}

/**
 * The voices at the table, whose part of the page is loaded where people may talk.
 * @param {{ session: Session, view: View, load: TableProps["loadVoice"] }} props
 */
function LoadedVoices({ session, view, load }) {
  const { value } = useLoaded(load, []);
  return (
    value &&
    html`
      <${value.Voices} session=${session} view=${view} />
    `
  );
}

/** Whether a round has ended, and nothing has followed yet. @param {View} view */
const isScored = (view) => view.phase === "scored" || view.status === "finished";

/**
 * The dialog that is open: after a round the summary, unless the player writes a message or looks something up.
 * @param {View} view
 * @returns {[Opened, (open: Opened) => void]}
 */
function useOpened(view) {
  const [open, setOpen] = useState(/** @type {Opened} */ (""));
  const scored = isScored(view);
  const round = view.round?.number;
  useEffect(
    () => setOpen((now) => (now === "chat" || now === "menu" ? now : scored && round ? "summary" : "")),
    [scored, round],
  );
  return [open, setOpen];
}

/** Whether there are messages that were not shown yet. @param {Session} session @param {Opened} open */
function useUnread(session, open) {
  const [read, setRead] = useState(0);
  const last = session.state.chat.at(-1)?.seq ?? 0;
  const sided = useMedia(sidedAt(session.state.view?.players));
  useEffect(() => {
    if (open !== "chat" && !sided) return;
    session.recall();
    setRead(last);
  }, [open, last, sided]);
  return last > read;
}

/** What is wrong with the connection to the table, if anything. @param {SeenProps} props */
function Connection({ session, view, online }) {
  const { elsewhere, live, sending } = session.state;
  if (elsewhere)
    return html`
      <p class="offline" role="status">
        ${t("elsewhere")}${" "}
        <button type="button" onClick=${() => session.open()}>${t("elsewhere.here")}</button>
      </p>
    `;
  if (((online || isInPage(view.id)) && live) || view.status === "finished") return null;
  return html`
    <p class="offline" role="status">${t(sending ? "offline.sending" : online ? "reconnecting" : "offline")}</p>
  `;
}

/**
 * @typedef {object} DialogsProps
 * @property {Session} session
 * @property {View} view
 * @property {import("../games/rules.js").TableRules | undefined} rules
 * @property {string} [code]
 * @property {Opened} open
 * @property {(open: Opened) => void} onOpen
 */

/** The dialog that is open, or a button that opens the summary again. @param {DialogsProps} props */
function Dialogs({ session, view, rules, code, open, onOpen }) {
  const close = () => onOpen("");
  if (open === "menu")
    return html`
      <${TableMenu} session=${session} view=${view} rules=${rules} onClose=${close} />
    `;
  if (open === "chat")
    return html`
      <${Chat} session=${session} view=${view} messages=${session.state.chat} onClose=${close} />
    `;
  if (!view.round?.result) return null;
  if (open === "summary")
    return html`
      <${Summary} session=${session} view=${view} rules=${rules} code=${code} onClose=${close} />
    `;
  return isScored(view)
    ? html`
        <button type="button" class="main reopen" onClick=${() => onOpen("summary")}>${t("summary.open")}</button>
      `
    : null;
}

/**
 * Whether it is this player's turn. The title of the page says so, and a phone vibrates if the page is hidden.
 * @param {import("../types").View | null | undefined} view
 */
function useCalls(view) {
  const asks = Boolean(view && asksMe(view));
  const calls = asks && view && !isDealOpen(view);
  useEffect(() => {
    document.title = t(calls ? "title.turn" : "title");
    return () => void (document.title = t("title"));
  }, [calls]);
  useEffect(() => {
    if (calls && document.visibilityState === "hidden" && theAccount().sounds !== false) navigator.vibrate?.(200);
  }, [view?.decision?.id, calls]);
  return asks;
}

/** @typedef {{ session: Session, view: View }} NoticeProps */

/** The end of a game in the middle of a round, of which there is no result. @param {NoticeProps} props */
function Ended({ session, view }) {
  return html`
    <section class="panel ended" role="status">
      <p class="ask">${t("game.over")}</p>
      <${Winners} view=${view} />
      <div class="buttons">
        <${LookBack} view=${view} round=${view.game?.results.at(-1)?.round} />
        <${Again} session=${session} view=${view} />
      </div>
    </section>
  `;
}

/**
 * Why the game is paused.
 * @param {import("../types").View} view
 * @param {NonNullable<import("../types").View["pause"]>} pause
 */
function pauseText(view, pause) {
  if (pause.reason === "absent") return t("paused.absent");
  if (pause.reason === "left") return t("paused.left", { who: view.seats[pause.by_seat].occupant?.name ?? "" });
  return t("paused", { count: Math.ceil(pause.remaining_ms / 60000) });
}

/** How a claim has ended. @param {{ claim: { seat: number, ok: boolean }, view: View }} props */
const Claim = ({ claim, view }) => html`
  <section class="vote claim">
    <p>${t(claim.ok ? "claim.right" : "claim.wrong", { who: view.seats[claim.seat].occupant?.name ?? "" })}</p>
  </section>
`;

/**
 * What needs an answer besides the game: a vote, a take-back, a pause, an AI playing one's own seat.
 * @param {NoticeProps} props
 */
function Notices({ session, view }) {
  const mine = view.my && view.seats[view.my.seat];
  const reason = view.pause?.reason;
  // Whoever ends such a pause is back by that.
  const absent = reason === "absent" || (reason === "left" && Boolean(mine?.autopilot));
  return html`
    <div class="notices" role="status">
      <${Vote} session=${session} view=${view} />
      ${
        session.state.claim &&
        html`
          <${Claim} claim=${session.state.claim} view=${view} />
        `
      }
      ${
        view.pause &&
        html`
          <section class="vote pause">
            <p>${pauseText(view, view.pause)}</p>
            ${
              mine &&
              html`
                <div class="buttons">
                  <button type="button" class="main" onClick=${() => session.send("DELETE", "/pause", {}, "pause")}>
                    ${t(absent ? "pause.back" : "pause.end")}
                  </button>
                </div>
              `
            }
          </section>
        `
      }
      ${
        mine?.autopilot &&
        !absent &&
        html`
          <section class="vote">
            <p>${t("autopilot")}</p>
            <div class="buttons">
              <button
                type="button"
                class="main"
                onClick=${() => session.send("POST", "/seats/me/resume", {}, "resume")}
              >
                ${t("resume")}
              </button>
            </div>
          </section>
        `
      }
    </div>
  `;
}
