/** The table: waiting for players, a running game, or its end. */
import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { asksMe, isDealOpen } from "../round/panel.js";
import { theAccount } from "../api/account.js";
import { showTurns } from "../api/push.js";
import { Chat } from "../round/chat.js";
import { PersonDialog } from "../people/persondialog.js";
import { useAccount, useMedia, useOnline } from "../ui/hooks.js";
import { useSession } from "../live/hooks.js";
import { useRules } from "../games/hooks.js";
import { Again } from "./again.js";
import { withNames } from "../people/aiplayer.js";
import { LookBack } from "./lookback.js";
import { Refusal } from "../ui/refusal.js";
import { sidedAt } from "../round/side.js";
import { Summary } from "./summary.js";
import { TableMenu } from "./menu.js";
import { TopBar } from "../round/topbar.js";
import { soundOf } from "../round/sounds.js";
import { t } from "../texts/texts.js";
import { Vote } from "./vote.js";
import { Door } from "./door.js";
import { Game } from "../round/game.js";
import { Waiting } from "./waiting.js";

/**
 * @param {{
 *   table: string,
 *   code?: string,
 *   invited: Record<string, string>,
 * }} props `invited`: what the link says about the invitation
 */
export function TableScreen({ table, code, invited }) {
  const { token } = useAccount();
  if (!token)
    return html`
      <${Door} table=${table} code=${code} invited=${invited} />
    `;
  return html`
    <${Followed} table=${table} code=${code} invited=${invited} />
    <${PersonDialog} />
  `;
}

/** @param {{ table: string, code?: string, invited: Record<string, string> }} props */
function Followed({ table, code, invited }) {
  const [attempt, setAttempt] = useState(0);
  const session = useSession(table, attempt, (event, { state }) => soundOf(event, state.view));
  const online = useOnline();
  const [open, setOpen] = useState(/** @type {"" | "menu" | "chat" | "summary"} */ (""));
  const [read, setRead] = useState(0);
  const rules = useRules(session?.state.view);
  const scored = session?.state.view?.phase === "scored" || session?.state.view?.status === "finished";
  const round = session?.state.view?.round?.number;
  // Do not interrupt a player who writes a message or looks something up.
  useEffect(
    () => setOpen((now) => (now === "chat" || now === "menu" ? now : scored && round ? "summary" : "")),
    [scored, round],
  );
  const last = session?.state.chat.at(-1)?.seq ?? 0;
  const sided = useMedia(sidedAt(session?.state.view?.players));
  useEffect(() => {
    if (open !== "chat" && !sided) return;
    session?.recall();
    setRead(last);
  }, [open, last, sided]);

  const asks = useCalls(session?.state.view);
  useEffect(() => showTurns(asks ? 1 : 0), [asks]);
  const { lost, refusal, sending, live, elsewhere, chat } = session?.state ?? {};
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
  const close = () => setOpen("");
  const playing = view.round !== null && (view.status !== "lobby" || view.game !== null);
  return html`
    <main class=${`table ${playing ? "playing" : "waiting"} ${asks ? "asks" : ""}`}>
      <${TopBar} view=${view} rules=${rules} unread=${last > read} onOpen=${setOpen} />
      ${
        elsewhere &&
        html`
          <p class="offline" role="status">
            ${t("elsewhere")}${" "}
            <button type="button" onClick=${() => session.open()}>${t("elsewhere.here")}</button>
          </p>
        `
      }
      ${
        !elsewhere &&
        (!online || !live) &&
        view.status !== "finished" &&
        html`
          <p class="offline" role="status">${t(sending ? "offline.sending" : online ? "reconnecting" : "offline")}</p>
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
      ${
        refusal &&
        html`
          <${Refusal} problem=${refusal} onClose=${() => session.change({ refusal: null })} />
        `
      }
      ${
        open === "menu" &&
        html`
          <${TableMenu} session=${session} view=${view} rules=${rules} onClose=${close} />
        `
      }
      ${
        open === "chat" &&
        html`
          <${Chat} session=${session} view=${view} messages=${chat} onClose=${close} />
        `
      }
      ${
        open === "summary" &&
        view.round?.result &&
        html`
          <${Summary} session=${session} view=${view} rules=${rules} code=${code} onClose=${close} />
        `
      }
      ${
        open === "" &&
        scored &&
        view.round?.result &&
        html`
          <button type="button" class="main reopen" onClick=${() => setOpen("summary")}>${t("summary.open")}</button>
        `
      }
    </main>
  `;
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

/**
 * The end of a game in the middle of a round, of which there is no result.
 * @param {{ session: import("../live/session.js").Session, view: import("../types").View }} props
 */
function Ended({ session, view }) {
  return html`
    <section class="panel ended" role="status">
      <p class="ask">${t("game.over")}</p>
      <div class="buttons">
        <${LookBack} view=${view} round=${view.game?.results.at(-1)?.round} />
        <${Again} session=${session} view=${view} />
      </div>
    </section>
  `;
}

/**
 * What needs an answer besides the game: a vote, a take-back, a pause, an AI playing one's own seat.
 * @param {{ session: import("../live/session.js").Session, view: import("../types").View }} props
 */
function Notices({ session, view }) {
  const mine = view.my && view.seats[view.my.seat];
  const absent = view.pause?.reason === "absent";
  return html`
    <div class="notices" role="status">
      <${Vote} session=${session} view=${view} />
      ${
        session.state.claim &&
        html`
          <section class="vote claim">
            <p>
              ${t(session.state.claim.ok ? "claim.right" : "claim.wrong", { who: view.seats[session.state.claim.seat].occupant?.name ?? "" })}
            </p>
          </section>
        `
      }
      ${
        view.pause &&
        html`
          <section class="vote pause">
            <p>${absent ? t("paused.absent") : t("paused", { count: Math.ceil(view.pause.remaining_ms / 60000) })}</p>
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
