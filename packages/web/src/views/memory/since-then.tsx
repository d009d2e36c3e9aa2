import { useAddress } from "../../address/use-address.ts";
import type { Memory } from "../../api/client.ts";
import { useCall } from "../../api/use-call.ts";
import { date } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { By } from "../../ui/author.tsx";
import { Diff } from "../../ui/words.tsx";

/** Below the words of then: what the memory has become, one click away. */
export function SinceThen({ then }: { readonly then: Memory }) {
  const reader = useReader();
  const { t } = reader;
  const { space, branch, moment, set } = useAddress();
  const now = useCall("get", moment === undefined ? undefined : { space, branch, id: then.id }).data;
  if (moment === undefined || now === undefined) return null;
  const isSame = now.content === then.content && !now.deleted;
  if (isSame) return <p className="m since">{t("since.same")}</p>;
  return (
    <section className="card since">
      <p className="f">
        {t(now.deleted ? "since.forgottenOn" : "since.title", { date: date(reader, now.at) })}{" "}
        <By by={now.by} />
      </p>
      {!now.deleted && <Diff before={then.content} after={now.content} />}
      {now.conflicts[0] !== undefined && (
        <span className="tag c">{t("memories.answers", { n: now.conflicts[0].values.length })}</span>
      )}
      <button type="button" className="btn s" onClick={() => set({ at: null })}>
        {t("since.see")}
      </button>
    </section>
  );
}
