import { useText } from "../../i18n/text.ts";
import { useToasts } from "../../ui/toasts.tsx";

/** What somebody is to run in a terminal. */
export function Command({ text }: { readonly text: string }) {
  const t = useText();
  const toasts = useToasts();
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    toasts.show({ text: t("devices.copied") });
  };
  return (
    <>
      <p className="code">{text}</p>
      <button type="button" className="btn s" onClick={() => void copy()}>
        {t("devices.copy")}
      </button>
    </>
  );
}
