import { useAddress } from "../../address/use-address.ts";
import { useText } from "../../i18n/text.ts";
import { Empty } from "../../ui/states.tsx";
import { FILTERS } from "./filters.ts";

/** Nothing yet, nothing then, or nothing that matches. */
export function NoMemories() {
  const t = useText();
  const { params, moment } = useAddress();
  const isFiltered = ["q", "conflict", "forgotten", ...FILTERS].some((name) => params.has(name));
  if (isFiltered) return <NotFound />;
  if (moment !== undefined) return <Empty title={t("memories.notThen")} />;
  return (
    <Empty title={t("memories.empty")}>
      <p className="m">{t("memories.emptyHint")}</p>
    </Empty>
  );
}

function NotFound() {
  const t = useText();
  return (
    <Empty title={t("memories.notFound")}>
      <p className="m">{t("memories.notFoundHint")}</p>
    </Empty>
  );
}
