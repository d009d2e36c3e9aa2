import { useAddress } from "../../address/use-address.ts";
import { useSay } from "../../i18n/text.ts";
import { Empty } from "../../ui/states.tsx";
import { FILTERS } from "./filters.ts";

/** Nothing yet, nothing then, or nothing that matches. */
export function NoMemories() {
  const say = useSay();
  const { params, moment } = useAddress();
  const isFiltered = ["q", "conflict", "forgotten", ...FILTERS].some((name) => params.has(name));
  if (isFiltered) return <NotFound />;
  if (moment !== undefined) return <Empty title={say("memories.notThen")} />;
  return (
    <Empty title={say("memories.empty")}>
      <p className="m">{say("memories.emptyHint")}</p>
    </Empty>
  );
}

function NotFound() {
  const say = useSay();
  return (
    <Empty title={say("memories.notFound")}>
      <p className="m">{say("memories.notFoundHint")}</p>
    </Empty>
  );
}
