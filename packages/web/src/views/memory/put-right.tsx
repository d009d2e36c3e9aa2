import { type FormEvent, useId, useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import type { Memory } from "../../api/client.ts";
import { useReader } from "../../i18n/text.ts";
import { useDraft } from "../../ui/use-draft.ts";
import { useKeys } from "../../ui/use-keys.ts";
import { useWrite } from "../../ui/use-write.ts";

type Mode = "update" | "correct";

/** Edit, correct, forget or bring back: each says what it does before it is pressed. */
export function PutRight({ memory }: { readonly memory: Memory }) {
  const { t } = useReader();
  const [mode, setMode] = useState<Mode>();
  useKeys({ e: () => setMode("update") });
  return (
    <section className="box">
      <h2>{t("memory.right")}</h2>
      {mode !== undefined ? (
        <EditForm memory={memory} mode={mode} onDone={() => setMode(undefined)} />
      ) : memory.deleted ? (
        <BringBack memory={memory} />
      ) : (
        <Acts memory={memory} onMode={setMode} />
      )}
    </section>
  );
}

function Acts({ memory, onMode }: { readonly memory: Memory; readonly onMode: (mode: Mode) => void }) {
  const { t } = useReader();
  const { space, branch } = useAddress();
  const write = useWrite();
  const forget = () => void write("forget", { space, branch, id: memory.id }, { done: "done.forgotten" });
  const versions = { now: memory.version, next: memory.version + 1 };
  return (
    <div className="acts">
      <Act label={t("memory.edit")} hint={t("memory.editHint", versions)} onPress={() => onMode("update")} />
      <Act
        label={t("memory.correct")}
        hint={t("memory.correctHint", versions)}
        onPress={() => onMode("correct")}
      />
      <Act label={t("memory.forget")} hint={t("memory.forgetHint")} onPress={forget} />
    </div>
  );
}

function BringBack({ memory: { id } }: { readonly memory: Memory }) {
  const { t } = useReader();
  const { space, branch } = useAddress();
  const write = useWrite();
  const restore = () => void write("restore", { space, branch, id }, { done: "done.restored" });
  return (
    <>
      <p className="m">{t("memory.gone")}</p>
      <Act label={t("memory.restore")} hint={t("memory.restoreHint")} onPress={restore} />
    </>
  );
}

interface ActProps {
  readonly label: string;
  readonly hint: string;
  readonly onPress: () => void;
}

function Act({ label, hint, onPress }: ActProps) {
  const id = useId();
  return (
    <div className="act">
      <button type="button" className="btn s" aria-describedby={id} onClick={onPress}>
        {label}
      </button>
      <p id={id}>{hint}</p>
    </div>
  );
}

interface EditFormProps {
  readonly memory: Memory;
  readonly mode: Mode;
  readonly onDone: () => void;
}

/** Where another version came meanwhile, the words stay here. */
function EditForm({ memory, mode, onDone }: EditFormProps) {
  const { t } = useReader();
  const { space, branch } = useAddress();
  const write = useWrite();
  const [content, setContent, forgetContent] = useDraft(`${mode} ${memory.id}`, memory.content);
  const [reason, setReason, forgetReason] = useDraft(`${mode} ${memory.id} reason`);
  const [startedFrom] = useState(memory.record);
  const ids = { content: useId(), reason: useId() };
  const isOvertaken = memory.record !== startedFrom;
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
      <label htmlFor={ids.content}>{t(mode === "correct" ? "edit.correctTitle" : "edit.title")}</label>
      <textarea
        id={ids.content}
        className="field area lead"
        rows={4}
        dir="auto"
        // biome-ignore lint/a11y/noAutofocus: it opens because somebody pressed Edit
        autoFocus
        value={content}
        onChange={({ target }) => setContent(target.value)}
      />
      {isOvertaken && <p className="warn">{t("edit.stale")}</p>}
      <label htmlFor={ids.reason}>{t("edit.reason")}</label>
      <input
        id={ids.reason}
        className="field"
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
      <div className="row end">
        <button type="button" className="btn q" onClick={onDone}>
          {t("common.cancel")}
        </button>
        <button
          type="submit"
          className="btn p"
          disabled={content.trim() === "" || content === memory.content}
        >
          {t("edit.save", { next: memory.version + 1 })}
        </button>
      </div>
    </form>
  );
}
