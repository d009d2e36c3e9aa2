import { type FormEvent, useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import type { Memory } from "../../api/client.ts";
import { useReader } from "../../i18n/text.ts";
import { Field } from "../../ui/field.tsx";
import { FormEnd } from "../../ui/form-end.tsx";
import { useDraft } from "../../ui/use-draft.ts";
import { useWrite } from "../../ui/use-write.ts";

export type Mode = "update" | "correct";

interface EditFormProps {
  readonly memory: Memory;
  readonly mode: Mode;
  readonly onDone: () => void;
}

/** Where another version came meanwhile, the words stay here. */
export function EditForm({ memory, mode, onDone }: EditFormProps) {
  const { t } = useReader();
  const { space, branch } = useAddress();
  const write = useWrite();
  const [content, setContent, forgetContent] = useDraft(`${mode} ${memory.id}`, memory.content);
  const [reason, setReason, forgetReason] = useDraft(`${mode} ${memory.id} reason`);
  const [startedFrom] = useState(memory.record);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const why = reason.trim() === "" ? {} : { reason: reason.trim() };
    const input = { space, branch, id: memory.id, content, type: mode, expect: memory.record, ...why };
    const done = mode === "correct" ? "done.corrected" : "done.edited";
    const made = await write("revise", input, {
      done,
      values: ({ version }) => ({ version: String(version) }),
    });
    if (made === undefined) return;
    forgetContent();
    forgetReason();
    onDone();
  };
  return (
    <form className="form" onSubmit={(event) => void save(event)}>
      <Field
        label={t(mode === "correct" ? "edit.correctTitle" : "edit.title")}
        className="lead"
        rows={4}
        value={content}
        onChange={setContent}
        hasFocus
      />
      <Overtaken memory={memory} isStale={memory.record !== startedFrom} />
      <Field label={t("edit.reason")} value={reason} onChange={setReason} />
      <FormEnd
        onCancel={onDone}
        does={t("edit.save", { next: memory.version + 1 })}
        isReady={
          !memory.deleted && memory.erased !== "whole" && content.trim() !== "" && content !== memory.content
        }
      />
    </form>
  );
}

interface OvertakenProps {
  readonly memory: Memory;
  readonly isStale: boolean;
}

/** What became of the memory while somebody wrote. */
function Overtaken({ memory, isStale }: OvertakenProps) {
  const { t } = useReader();
  if (memory.erased === "whole") return <p className="warn">{t("edit.erased")}</p>;
  if (memory.deleted) return <Forgotten id={memory.id} />;
  return isStale ? <p className="warn">{t("edit.stale")}</p> : null;
}

/** It was forgotten while somebody wrote: what is forgotten cannot be edited, and comes back with a click. */
function Forgotten({ id }: { readonly id: string }) {
  const { t } = useReader();
  const { space, branch } = useAddress();
  const write = useWrite();
  return (
    <div className="warn row">
      <p className="grow">{t("edit.forgotten")}</p>
      <button
        type="button"
        className="btn s"
        onClick={() => void write("restore", { space, branch, id }, { done: "done.restored" })}
      >
        {t("memory.restore")}
      </button>
    </div>
  );
}
