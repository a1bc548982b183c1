/** The table: waiting for players, a running game, or its end. */
import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { rulesetOf } from "../game/rules.js";
import { Chat } from "../parts/chat.js";
import { useLoaded, useOnline, useSession } from "../parts/hooks.js";
import { Refusal } from "../parts/refusal.js";
import { Summary } from "../parts/summary.js";
import { TableMenu } from "../parts/menu.js";
import { TopBar } from "../parts/topbar.js";
import { soundOf } from "../parts/sounds.js";
import { t } from "../texts/texts.js";
import { Game } from "./game.js";
import { Waiting } from "./waiting.js";

/** @param {{ table: string, code?: string }} props */
export function TableScreen({ table, code }) {
  const session = useSession(table, (event, { state }) => soundOf(event, state.view));
  const online = useOnline();
  const [open, setOpen] = useState(/** @type {"" | "menu" | "chat" | "summary"} */ (""));
  const [read, setRead] = useState(0);
  const ruleset = session?.state.view?.ruleset;
  const { value: rules } = useLoaded(async () => (ruleset ? rulesetOf(ruleset) : undefined), [ruleset]);
  const scored = session?.state.view?.phase === "scored" || session?.state.view?.status === "finished";
  const round = session?.state.view?.round?.number;
  useEffect(() => setOpen(scored && round ? "summary" : ""), [scored, round]);
  const last = session?.state.chat.at(-1)?.seq ?? 0;
  useEffect(() => {
    if (open === "chat") setRead(last);
  }, [open, last]);

  const { view, lost, refusal, sending, live, chat } = session?.state ?? {};
  if (lost) return html`<main class="page"><${Refusal} problem=${lost} /><p><a href="#/">${t("home")}</a></p></main>`;
  if (!session || !view) return html`<main class="page"><p class="loading" role="status">${t(online ? "loading" : "offline")}</p></main>`;
  const close = () => setOpen("");
  const playing = view.round !== null && (view.status !== "lobby" || view.game !== null);
  const waits = view.decision?.seats.includes(view.my?.seat ?? -1) ? "asks" : "";
  return html`<main class=${`table ${playing ? "playing" : "waiting"} ${waits}`}>
    <${TopBar} view=${view} rules=${rules} unread=${last > read} onOpen=${setOpen} />
    ${(!online || !live) && view.status !== "finished" && html`<p class="offline" role="status">${t(sending ? "offline.sending" : online ? "reconnecting" : "offline")}</p>`}
    ${playing ? html`<${Game} session=${session} view=${view} rules=${rules} />` : html`<${Waiting} session=${session} view=${view} rules=${rules} code=${code} />`}
    ${refusal && html`<${Refusal} problem=${refusal} onClose=${() => session.change({ refusal: null })} />`}
    ${open === "menu" && html`<${TableMenu} session=${session} view=${view} rules=${rules} onClose=${close} />`}
    ${open === "chat" && html`<${Chat} session=${session} view=${view} messages=${chat} onClose=${close} />`}
    ${open === "summary" && view.round?.result && html`<${Summary} session=${session} view=${view} rules=${rules} onClose=${close} />`}
    ${open === "" && scored && view.round?.result && html`<button type="button" class="main reopen" onClick=${() => setOpen("summary")}>${t("summary.open")}</button>`}
  </main>`;
}
