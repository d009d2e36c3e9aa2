import { type FormEvent, useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import type { Answer, Input } from "../../api/client.ts";
import { useCall } from "../../api/use-call.ts";
import { useReader } from "../../i18n/text.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Failed, Loading } from "../../ui/states.tsx";
import { useWrite } from "../../ui/use-write.ts";
import { ErasePreview } from "./erase-preview.tsx";

type Selected = Pick<Input<"erase">, "ids" | "versions">;

interface EraseDialogProps {
  readonly selected: Selected;
  readonly onClose: () => void;
  readonly onErased: () => void;
}

/** What erasing is, what would go, and the number that has to be typed. */
export function EraseDialog({ selected, onClose, onErased }: EraseDialogProps) {
  const { t } = useReader();
  const { space, branch } = useAddress();
  const [also, setAlso] = useState<readonly string[]>([]);
  const asked = { space, branch, ...selected, ...(also.length === 0 ? {} : { also }) };
  const preview = useCall("erase", { ...asked, preview: true });
  return (
    <Dialog title={t("erase.title")} onClose={onClose}>
      <p>{t("erase.what")}</p>
      <p className="m">{t("erase.instead")}</p>
      {preview.error !== null && <Failed error={preview.error} />}
      {preview.isPending && <Loading />}
      {preview.data !== undefined && preview.error === null && (
        <>
          <ErasePreview preview={preview.data} also={also} onAlso={setAlso} />
          <Confirm
            asked={asked}
            preview={preview.data}
            isOld={preview.isPlaceholderData}
            onErased={onErased}
          />
        </>
      )}
    </Dialog>
  );
}

interface ConfirmProps {
  readonly asked: Input<"erase">;
  readonly preview: Answer<"erase">;
  /** The preview is of what was ticked before. */
  readonly isOld: boolean;
  readonly onErased: () => void;
}

function Confirm({ asked, preview, isOld, onErased }: ConfirmProps) {
  const { t } = useReader();
  const write = useWrite();
  const [typed, setTyped] = useState("");
  const [reason, setReason] = useState("");
  const n = preview.counts.memories;
  const erase = async (event: FormEvent) => {
    event.preventDefault();
    const why = reason.trim() === "" ? {} : { reason: reason.trim() };
    const sure = { confirm: n, ...(preview.isMany ? { many: true } : {}) };
    await write(
      "erase",
      { ...asked, ...why, ...sure },
      { done: "erase.done", values: () => ({ n }), undo: "none", leave: onErased },
    );
  };
  if (n === 0) return <p className="m note">{t("erase.nothing")}</p>;
  return (
    <form className="form" onSubmit={(event) => void erase(event)}>
      <Field label={t("erase.reason")} value={reason} onChange={setReason} />
      <Field label={t("erase.type", { n })} value={typed} onChange={setTyped} className="fit" />
      <div className="row end">
        <button type="submit" className="btn d" disabled={isOld || typed.trim() !== String(n)}>
          {t("erase.button", { n })}
        </button>
      </div>
    </form>
  );
}
