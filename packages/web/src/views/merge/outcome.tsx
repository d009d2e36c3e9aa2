import { useAddress } from "../../address/use-address.ts";
import { call } from "../../api/client.ts";
import { useCall } from "../../api/use-call.ts";
import { useReader } from "../../i18n/text.ts";
import { Sum } from "../../ui/sum.tsx";
import { useWrite } from "../../ui/use-write.ts";
import { type MergePreview, mergeOf, plainOf, type Selection, totalsOf } from "./selection.ts";

interface OutcomeProps {
  readonly preview: MergePreview;
  readonly selection: Selection;
}

/** Follows every tick, and has the one button, with the count. */
export function Outcome({ preview, selection }: OutcomeProps) {
  const { t } = useReader();
  const { space, go, to } = useAddress();
  const write = useWrite();
  const into = preview.to.branch;
  const from = preview.from.branch;
  const now = useCall("facets", { space, branch: into }).data?.total;
  const plain = plainOf(preview);
  const totals = totalsOf(preview, selection);
  const taken = totals.taken.length;
  const some = (count: number, n: number) => (count === n ? n : t("merge.of", { some: count, n }));
  const bring = async () => {
    const outcome = {
      done: "merge.done",
      values: () => ({ n: taken, into }),
      undo: ({ change }: MergePreview) =>
        call("undo", { space, branch: into, ...(change === undefined ? {} : { change }) }),
    } as const;
    const done = await write("merge", { space, ...mergeOf(preview, selection) }, outcome);
    if (done !== undefined && done.status !== "conflict") go(to("/branches"));
  };
  return (
    <section className="card outcome" aria-live="polite">
      <p className="f">{t("merge.ifYou", { branch: into })}</p>
      {now !== undefined && (
        <p className="big-n">{t("merge.result", { n: now + totals.created - totals.deleted })}</p>
      )}
      <dl className="sum">
        <Sum name={t("change.added")} count={some(totals.created, plain.created.length)} />
        <Sum name={t("change.changed")} count={some(totals.changed, plain.changed.length)} />
        <Sum name={t("change.hidden")} count={some(totals.deleted, plain.deleted.length)} />
        <Sum name={t("merge.answers")} count={some(totals.answers, preview.conflicts.length)} />
      </dl>
      {taken < totals.all && <p className="f">{t("merge.stays", { branch: from })}</p>}
      <button type="button" className="btn p wide" disabled={taken === 0} onClick={() => void bring()}>
        {taken === totals.all
          ? t("merge.buttonAll", { n: taken, into })
          : t("merge.button", { some: taken, n: totals.all, into })}
      </button>
      <p className="f">{t("merge.undo")}</p>
    </section>
  );
}
