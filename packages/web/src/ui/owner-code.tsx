import { type FormEvent, useEffect, useState } from "react";
import { askOwnerCodeWith } from "../api/owner-code.ts";
import { useText } from "../i18n/text.ts";
import { Dialog } from "./dialog.tsx";
import { Field } from "./field.tsx";
import { FormEnd } from "./form-end.tsx";

type Answering = (code: string | undefined) => void;

/** Asks for the owner's code when a call needs it. */
export function OwnerCode() {
  const t = useText();
  const [answer, setAnswer] = useState<Answering>();
  const [code, setCode] = useState("");
  useEffect(() => {
    askOwnerCodeWith(() => new Promise((resolve) => setAnswer(() => resolve)));
    return () => askOwnerCodeWith(undefined);
  }, []);
  if (answer === undefined) return null;
  const give = (given: string | undefined) => {
    setAnswer(undefined);
    setCode("");
    answer(given);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    give(code);
  };
  return (
    <Dialog title={t("ownerCode.title")} onClose={() => give(undefined)}>
      <form className="form" onSubmit={submit}>
        <p className="m">{t("ownerCode.hint")}</p>
        <Field label={t("ownerCode.code")} type="password" value={code} onChange={setCode} hasFocus />
        <FormEnd onCancel={() => give(undefined)} does={t("ownerCode.go")} isReady={code !== ""} />
      </form>
    </Dialog>
  );
}
