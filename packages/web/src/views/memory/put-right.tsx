import { useId, useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import { call, type Memory } from "../../api/client.ts";
import { useReader } from "../../i18n/text.ts";
import { useKeys } from "../../ui/use-keys.ts";
import { useWrite } from "../../ui/use-write.ts";
import { EraseDialog } from "../erase/erase-dialog.tsx";
import { EditForm, type Mode } from "./edit-form.tsx";

/** Edit, correct, forget or bring back: each says what it does before it is pressed. */
export function PutRight({ memory }: { readonly memory: Memory }) {
  const { t } = useReader();
  const [mode, setMode] = useState<Mode>();
  const isErased = memory.erased === "whole";
  useKeys(isErased ? {} : { e: () => setMode("update") });
  // What somebody writes just now stays, to be copied.
  if (isErased && mode === undefined) return null;
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
      <ConcealAct id={memory.id} />
      <EraseAct id={memory.id} />
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
      <div className="acts">
        <Act label={t("memory.restore")} hint={t("memory.restoreHint")} onPress={restore} />
        <ConcealAct id={id} />
        <EraseAct id={id} />
      </div>
    </>
  );
}

/** Between forgetting and erasing: nothing shows it, and nothing is destroyed. */
function ConcealAct({ id }: { readonly id: string }) {
  const { t } = useReader();
  const { space, branch, go, to } = useAddress();
  const write = useWrite();
  const conceal = () =>
    void write(
      "conceal",
      { space, branch, ids: [id] },
      {
        done: "done.concealed",
        leave: () => go(to("/")),
        undo: () => call("reveal", { space, branch, ids: [id] }),
      },
    );
  return <Act label={t("memory.conceal")} hint={t("memory.concealHint")} onPress={conceal} />;
}

function EraseAct({ id }: { readonly id: string }) {
  const { t } = useReader();
  const { go, to } = useAddress();
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Act label={t("memory.erase")} hint={t("memory.eraseHint")} onPress={() => setAsked(true)} />
      {isAsked && (
        <EraseDialog selected={{ ids: [id] }} onClose={() => setAsked(false)} onErased={() => go(to("/"))} />
      )}
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
