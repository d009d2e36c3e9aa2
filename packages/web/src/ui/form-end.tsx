import { useText } from "../i18n/text.ts";

interface FormEndProps {
  readonly onCancel: () => void;
  /** What the button does. */
  readonly does: string;
  readonly isReady: boolean;
}

/** The two buttons of a form: leave it, or do it. */
export function FormEnd({ onCancel, does, isReady }: FormEndProps) {
  const t = useText();
  return (
    <div className="row wrapx end">
      <button type="button" className="btn q" onClick={onCancel}>
        {t("common.cancel")}
      </button>
      <button type="submit" className="btn p" disabled={!isReady}>
        {does}
      </button>
    </div>
  );
}
