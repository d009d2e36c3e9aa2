import { useAddress } from "../../address/use-address.ts";
import { call } from "../../api/client.ts";
import { useCall } from "../../api/use-call.ts";
import { date } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { By } from "../../ui/author.tsx";
import { useWrite } from "../../ui/use-write.ts";
import { languageOf } from "../../ui/words.tsx";

/** The one place that shows what is hidden without a trace. */
export function Concealed() {
  const reader = useReader();
  const { t } = reader;
  const { space, branch } = useAddress();
  const write = useWrite();
  const memories = useCall("concealed", { space, branch }).data?.memories ?? [];
  if (memories.length === 0) return null;
  const show = (ids: readonly string[]) =>
    write(
      "reveal",
      { space, branch, ids },
      { done: "done.revealed", undo: () => call("conceal", { space, branch, ids }) },
    );
  return (
    <section className="sect">
      <h2>{t("concealed.title")}</h2>
      <p className="m">{t("concealed.lead")}</p>
      <div className="list">
        {memories.map(({ id, at, by, memory }) => (
          <div key={id} className="row concealed">
            <div className="grow">
              <p className="txt clamp" dir="auto" lang={languageOf(memory?.content ?? "")}>
                {memory?.content ?? t("concealed.away")}
              </p>
              <p className="f">
                {t("concealed.when", { date: date(reader, at) })} <By by={by} />
              </p>
            </div>
            <button type="button" className="btn s" onClick={() => void show([id])}>
              {t("concealed.show")}
            </button>
          </div>
        ))}
      </div>
    </section>
  );
}
