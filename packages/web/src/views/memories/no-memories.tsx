import { useAddress } from "../../address/use-address.ts";
import { useCall } from "../../api/use-call.ts";
import { fullDate } from "../../i18n/dates.ts";
import { useReader, useText } from "../../i18n/text.ts";
import { Empty } from "../../ui/states.tsx";
import { CONVERSATION, chosenIn, FILTERS } from "./filters.ts";

/** Nothing yet, nothing then, or nothing that matches. */
export function NoMemories({ onAdd }: { readonly onAdd: () => void }) {
  const t = useText();
  const { params, moment } = useAddress();
  const isFiltered = ["q", "conflict", "forgotten", CONVERSATION, ...FILTERS].some((name) =>
    params.has(name),
  );
  if (isFiltered) return <NotFound />;
  if (moment !== undefined) return <Empty title={t("memories.notThen")} />;
  return (
    <Empty title={t("memories.empty")}>
      <p className="m">{t("memories.emptyHint")}</p>
      <button type="button" className="btn p" onClick={onAdd}>
        {t("memories.add")}
      </button>
    </Empty>
  );
}

/** Where it was known once, the way there. */
function NotFound() {
  const reader = useReader();
  const { t } = reader;
  const { space, branch, params, moment, set } = useAddress();
  const query = params.get("q");
  const isAsked = query !== null && moment === undefined;
  const { data } = useCall("lastFound", isAsked ? { space, branch, query, ...chosenIn(params) } : undefined);
  const found = isAsked ? data?.found : undefined;
  if (found === undefined) {
    return (
      <Empty title={t("memories.notFound")}>
        <p className="m">{t("memories.notFoundHint")}</p>
      </Empty>
    );
  }
  return (
    <Empty title={t("memories.notNow", { n: found.count, date: fullDate(reader, found.at) })}>
      <button type="button" className="btn" onClick={() => set({ at: new Date(found.at).toISOString() })}>
        {t("memories.lookThen")}
      </button>
    </Empty>
  );
}
