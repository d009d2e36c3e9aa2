import { useAddress } from "../../address/use-address.ts";
import { useCall } from "../../api/use-call.ts";
import { date } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { By } from "../../ui/author.tsx";
import { Diff, Words } from "../../ui/words.tsx";
import type { MergePreview, Side } from "./selection.ts";

interface MergeConflictProps {
  readonly conflict: MergePreview["conflicts"][number];
  readonly branches: { readonly source: string; readonly target: string };
  readonly answer: Side | undefined;
  readonly onAnswer: (side: Side | undefined) => void;
}

/** Both branches changed the same: the common text, the two sides, and the answer. */
export function MergeConflict({ conflict, branches, answer, onAnswer }: MergeConflictProps) {
  const { t } = useReader();
  const { space } = useAddress();
  const { id, fields } = conflict;
  const sides = {
    source: useCall("get", { space, branch: branches.source, id }).data,
    target: useCall("get", { space, branch: branches.target, id }).data,
  };
  const base = fields.find(({ field }) => field === "content")?.base;
  const names = fields.map(({ field }) => t(`field.${field}`)).join(", ");
  return (
    <section className="con">
      <div className="base">
        <p className="f">
          {typeof base === "string" ? t("conflict.base") : t("memory.fields", { fields: names })}
        </p>
        {typeof base === "string" && <Words text={base} />}
      </div>
      <div className="sides">
        {(["source", "target"] as const).map((side) => (
          <OneSide
            key={side}
            side={side}
            branch={branches[side]}
            memory={sides[side]}
            base={base}
            isKept={answer === side}
            onKeep={() => onAnswer(answer === side ? undefined : side)}
          />
        ))}
      </div>
      <div className="res">
        <span className="grow m">
          {answer === undefined && t("merge.unanswered", { branch: branches.source })}
        </span>
        <button
          type="button"
          className={answer === "both" ? "btn s p" : "btn s"}
          aria-pressed={answer === "both"}
          onClick={() => onAnswer(answer === "both" ? undefined : "both")}
        >
          {t("conflict.both")}
        </button>
      </div>
    </section>
  );
}

interface OneSideProps {
  readonly side: "source" | "target";
  readonly branch: string;
  readonly memory: ReturnType<typeof useCall<"get">>["data"];
  readonly base: unknown;
  readonly isKept: boolean;
  readonly onKeep: () => void;
}

function OneSide({ side, branch, memory, base, isKept, onKeep }: OneSideProps) {
  const reader = useReader();
  const { t } = reader;
  return (
    <div className={isKept ? "sd on" : "sd"}>
      <p className="f">
        {t("merge.onSource", { branch })}
        {memory !== undefined && (
          <>
            , <By by={memory.by} />, {date(reader, memory.at)}
          </>
        )}
      </p>
      {memory !== undefined &&
        (typeof base === "string" ? (
          <Diff before={base} after={memory.content} />
        ) : (
          <Words text={memory.content} />
        ))}
      <button type="button" className={isKept ? "btn p" : "btn"} aria-pressed={isKept} onClick={onKeep}>
        {t(isKept ? "conflict.kept" : side === "source" ? "conflict.this" : "conflict.that")}
      </button>
    </div>
  );
}
