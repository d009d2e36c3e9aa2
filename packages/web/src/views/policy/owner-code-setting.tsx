import { type FormEvent, useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import { useText } from "../../i18n/text.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { FormEnd } from "../../ui/form-end.tsx";
import { useWrite } from "../../ui/use-write.ts";

const LENGTHS = [6, 200] as const;

/** Setting, changing and removing the owner's code. The present one is asked for with the call. */
export function OwnerCodeSetting({ isSet }: { readonly isSet: boolean }) {
  const t = useText();
  const { space } = useAddress();
  const write = useWrite();
  const [isAsked, setAsked] = useState(false);
  const remove = () =>
    write("policySetOwnerCode", { space, code: null }, { done: "ownerCode.removed", undo: "none" });
  return (
    <div className="row wrapx tools">
      <button type="button" className="btn s" onClick={() => setAsked(true)}>
        {t(isSet ? "ownerCode.change" : "ownerCode.set")}
      </button>
      {isSet && (
        <button type="button" className="btn q s" onClick={() => void remove()}>
          {t("ownerCode.remove")}
        </button>
      )}
      {isAsked && <NewCode isSet={isSet} onClose={() => setAsked(false)} />}
    </div>
  );
}

function NewCode({ isSet, onClose }: { readonly isSet: boolean; readonly onClose: () => void }) {
  const t = useText();
  const { space } = useAddress();
  const write = useWrite();
  const [code, setCode] = useState("");
  const [again, setAgain] = useState("");
  const [least, most] = LENGTHS;
  const isReady = code === again && code.length >= least && code.length <= most;
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const done = await write(
      "policySetOwnerCode",
      { space, code },
      { done: "ownerCode.saved", undo: "none" },
    );
    if (done !== undefined) onClose();
  };
  return (
    <Dialog title={t(isSet ? "ownerCode.changeTitle" : "ownerCode.setTitle")} onClose={onClose}>
      <form className="form" onSubmit={(event) => void save(event)}>
        <p className="m">{t("ownerCode.setHint")}</p>
        <Field label={t("ownerCode.new")} type="password" value={code} onChange={setCode} hasFocus />
        <Field label={t("ownerCode.again")} type="password" value={again} onChange={setAgain} />
        {again !== "" && again !== code && <p className="warn">{t("ownerCode.differ")}</p>}
        <FormEnd
          onCancel={onClose}
          does={t(isSet ? "ownerCode.changeTitle" : "ownerCode.setTitle")}
          isReady={isReady}
        />
      </form>
    </Dialog>
  );
}
