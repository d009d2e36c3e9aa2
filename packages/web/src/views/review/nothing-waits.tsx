import { useText } from "../../i18n/text.ts";
import { Empty } from "../../ui/states.tsx";
import { Decided } from "./decided.tsx";

/** With what was decided last. */
export function NothingWaits() {
  const t = useText();
  return (
    <>
      <Empty title={t("review.empty")}>
        <p className="m">{t("review.emptyHint")}</p>
      </Empty>
      <Decided most={1} />
    </>
  );
}
