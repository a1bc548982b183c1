/** What can be done about a player whose name appears in the client. */
import { html, useEffect } from "../../vendor/preact-htm.js";
import { useFollowed } from "../ui/hooks.js";
import { PersonActions } from "./person.js";
import { onShown, profileOf, showPerson, theShown } from "./player.js";
import { t } from "../texts/texts.js";
import { Dialog } from "../ui/dialog.js";

export function PersonDialog() {
  const shown = useFollowed(theShown, onShown);
  const close = () => showPerson(null);
  useEffect(() => {
    addEventListener("hashchange", close);
    return () => removeEventListener("hashchange", close);
  }, []);
  if (!shown) return null;
  return html`
    <${Dialog} key=${shown.player} title=${shown.name} onClose=${close} kind="person">
      <a class="button" href=${profileOf(shown.player)}>${t("person.profile")}</a>
      <${PersonActions} ...${shown} />
    <//>
  `;
}
