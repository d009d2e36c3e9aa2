import { useAddress } from "../../address/use-address.ts";
import { useCall } from "../../api/use-call.ts";
import { date } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { By } from "../../ui/author.tsx";
import { Diff, Words } from "../../ui/words.tsx";
import { MergeResult } from "./merge-result.tsx";
import type { MergeAnswer, MergePreview } from "./selection.ts";

interface MergeConflictProps {
  readonly conflict: MergePreview["conflicts"][number];
  readonly branches: { readonly source: string; readonly target: string };
  readonly answer: MergeAnswer | undefined;
  readonly onAnswer: (answer: MergeAnswer | undefined) => void;
}

/** Both branches changed the same: the common text, the two sides, the answer, and what will come of it. */
export function MergeConflict({ conflict, branches, answer, onAnswer }: MergeConflictProps) {
  const { t } = useReader();
  const { space } = useAddress();
  const { id, fields } = conflict;
  const sides = {
    source: useCall("get", { space, branch: branches.source, id }).data,
    target: useCall("get", { space, branch: branches.target, id }).data,
  };
  const content = fields.find(({ field }) => field === "content");
  const base = content?.base;
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
      <MergeResult
        answer={answer}
        onAnswer={onAnswer}
        source={branches.source}
        texts={{ source: sides.source?.content, target: sides.target?.content }}
        base={typeof base === "string" ? base : undefined}
        isOfWords={content !== undefined}
      />
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
