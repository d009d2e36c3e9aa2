import { useText } from "../i18n/text.ts";
import { Field } from "./field.tsx";

interface NewPassphraseProps {
  readonly label: string;
  readonly passphrase: string;
  readonly again: string;
  readonly onPassphrase: (passphrase: string) => void;
  readonly onAgain: (again: string) => void;
}

/** Typed twice: nobody can ask for it later. */
export function NewPassphrase({ label, passphrase, again, onPassphrase, onAgain }: NewPassphraseProps) {
  const t = useText();
  return (
    <>
      <Field label={label} type="password" value={passphrase} onChange={onPassphrase} />
      <Field label={t("archive.again")} type="password" value={again} onChange={onAgain} />
      {again !== "" && again !== passphrase && <p className="warn">{t("archive.differ")}</p>}
    </>
  );
}
