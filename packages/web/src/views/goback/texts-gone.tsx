import { useAddress } from "../../address/use-address.ts";
import { useCall } from "../../api/use-call.ts";
import { useText } from "../../i18n/text.ts";
import { Words } from "../../ui/words.tsx";

const MOST_SHOWN = 5;

/** Memories that cannot go back, for the rules have let their text of then go: they read as they do now. */
export function TextsGone({ ids }: { readonly ids: readonly string[] }) {
  const t = useText();
  if (ids.length === 0) return null;
  return (
    <div className="warn">
      <p>{t("goback.textsGone", { n: ids.length })}</p>
      {ids.slice(0, MOST_SHOWN).map((id) => (
        <Stays key={id} id={id} />
      ))}
      {ids.length > MOST_SHOWN && <p className="f">{t("event.more", { n: ids.length - MOST_SHOWN })}</p>}
    </div>
  );
}

function Stays({ id }: { readonly id: string }) {
  const { space, branch } = useAddress();
  const { data } = useCall("get", { space, branch, id });
  return data === undefined ? null : <Words text={data.content} className="txt clamp" />;
}
