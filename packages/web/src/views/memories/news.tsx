import { useAddress } from "../../address/use-address.ts";
import type { Answer } from "../../api/client.ts";
import { useLive } from "../../api/live.tsx";
import { useCall, useRefresh } from "../../api/use-call.ts";
import { useReader } from "../../i18n/text.ts";
import { useAuthorName } from "../../ui/author.tsx";

type Changes = Answer<"log">["changes"];

/** What was written since the list was read. It waits here: a list never jumps under the hand. */
export function News({ since }: { readonly since: number }) {
  const { t } = useReader();
  const { space, branch } = useAddress();
  const { changes: heard } = useLive();
  const refresh = useRefresh();
  const nameOf = useAuthorName();
  const asked = heard > 0 && since > 0 ? { space, branch, since: String(since), limit: 50 } : undefined;
  const changes = useCall("log", asked).data?.changes ?? [];
  if (asked === undefined || changes.length === 0) return null;
  const { isNew, count } = summaryOf(changes);
  const names = [...new Set(changes.map(({ by }) => nameOf(by)))].join(", ");
  return (
    <div className="arrive" role="status">
      <span className="dot" />
      <span className="grow">
        <b>{t(isNew ? "memories.new" : "memories.changes", { n: count })}</b>{" "}
        <span className="m">{t("memories.from", { who: names })}</span>
      </span>
      <button type="button" className="btn q s" onClick={() => void refresh()}>
        {t("common.show")}
      </button>
    </div>
  );
}

export function summaryOf(changes: Changes): { readonly isNew: boolean; readonly count: number } {
  return {
    isNew: changes.every(({ type }) => type === "remember"),
    count: changes.reduce(
      (sum, { memories }) => sum + (typeof memories === "number" ? memories : memories.length),
      0,
    ),
  };
}
