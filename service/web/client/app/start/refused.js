/** In place of every screen: the address names a service to which this page does not talk. */
import { html } from "../../vendor/preact-htm.js";
import { HOST } from "../api/service.js";
import { text } from "../texts/both.js";
import { filled, ofCatalogue } from "../texts/texts.js";

const WORDS = {
  title: text("This page does not talk to that service", "本页面不与该服务通信"),
  why: text(
    "The address asks this page to send what you type to another service. It talks to {host} alone. Nothing was sent.",
    "这个地址要求本页面把您输入的内容发送给另一个服务。本页面只与 {host} 通信。没有发送任何内容。",
  ),
  care: text(
    "If somebody sent you this link, they may be after your codes. Never type a code on a page that you reached by such a link.",
    "如果这个链接是别人发给您的，对方可能想骗取您的代码。请勿在通过此类链接打开的页面上输入任何代码。",
  ),
  go: text("Go to {host}", "前往 {host}"),
};

/** @param {keyof typeof WORDS} name */
const say = (name) => filled(ofCatalogue(WORDS[name]), { host: HOST });

/** Whoever made the link chose the name of the other service, so it is not shown. */
export const refusedScreen = () => html`
  <main class="page">
    <h1>${say("title")}</h1>
    <p role="alert">${say("why")}</p>
    <p>${say("care")}</p>
    <p><a class="button main" href=${location.pathname}>${say("go")}</a></p>
  </main>
`;
