import { useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import type { Answer, Input } from "../../api/client.ts";
import { fullDate } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { Sum } from "../../ui/sum.tsx";
import { useWrite } from "../../ui/use-write.ts";
import { ChangedWords } from "../changes/change-row.tsx";
import { changesIn } from "../changes/changes.ts";
import { TextsGone } from "./texts-gone.tsx";

const FIRST_SHOWN = 3;
const MOST_SHOWN = 200;

interface ConsequenceProps {
  readonly asked: Pick<Input<"rollback">, "to" | "only">;
  readonly result: Answer<"rollback">;
  /** The preview is of what was chosen before. */
  readonly isOld: boolean;
}

/** The sentence, the counts, the words, and the button that repeats the count. */
export function Consequence({ asked, result, isOld }: ConsequenceProps) {
  const reader = useReader();
  const { t } = reader;
  const { space, branch, set } = useAddress();
  const write = useWrite();
  const [isWhole, setWhole] = useState(false);
  const { counts, undoes, kept, broughtBack, from, textsGone = [] } = result;
  const touched = counts.created + counts.changed + counts.broughtBack + counts.hidden;
  const n = undoes?.changes ?? touched;
  if (touched === 0)
    return (
      <>
        <p className="m note">{t("goback.nothing")}</p>
        <TextsGone ids={textsGone} />
      </>
    );
  const changes = [
    ...changesIn(result),
    ...broughtBack.map((memory) => ({ kind: "added", memory }) as const),
  ];
  const go = async () => {
    const done = await write(
      "rollback",
      { space, branch, ...asked, expect: from.heads },
      {
        done: "goback.done",
        values: () => ({ n }),
        change: ({ change }) => change,
      },
    );
    if (done !== undefined) set({ to: null, scope: null, of: null, since: null, until: null });
  };
  return (
    <div className={isOld ? "consequence old" : "consequence"}>
      <p className="big-n">
        {undoes?.since === undefined
          ? t("goback.willPlain", { n: touched })
          : t("goback.will", { n, date: fullDate(reader, undoes.since) })}
      </p>
      <dl className="sum">
        <Sum name={t("goback.takenOut")} count={counts.hidden} />
        <Sum name={t("goback.putBack")} count={counts.changed} />
        <Sum name={t("goback.broughtBack")} count={counts.broughtBack + counts.created} />
      </dl>
      <div className="sample">
        {changes.slice(0, isWhole ? MOST_SHOWN : FIRST_SHOWN).map((change) => (
          <ChangedWords key={change.memory.id} change={change} className="m" />
        ))}
        {!isWhole && changes.length > FIRST_SHOWN && (
          <button type="button" className="textlink" onClick={() => setWhole(true)}>
            {t("goback.seeAll", { n: changes.length })}
          </button>
        )}
      </div>
      {kept.length > 0 && <p className="f">{t("goback.kept", { n: kept.length })}</p>}
      <TextsGone ids={textsGone} />
      <button type="button" className="btn p wide" disabled={isOld} onClick={() => void go()}>
        {t("goback.button", { n })}
      </button>
      <p className="f">{t("goback.note")}</p>
    </div>
  );
}
