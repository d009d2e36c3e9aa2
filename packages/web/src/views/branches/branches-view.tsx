import { useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import { useCall } from "../../api/use-call.ts";
import { useText } from "../../i18n/text.ts";
import { Icon } from "../../ui/icon.tsx";
import { Failed, Loading } from "../../ui/states.tsx";
import { Head } from "../../ui/title.tsx";
import { BranchRow } from "./branch-row.tsx";
import { CreateDialog } from "./create-dialog.tsx";
import { DeletedBranches } from "./deleted-branches.tsx";
import { Lanes } from "./lane-graph.tsx";
import { ordered, partedByUse } from "./lanes.ts";

export function BranchesView() {
  const t = useText();
  const { space, moment, params, set } = useAddress();
  const { data, error, isPending } = useCall("branchSummaries", { space });
  const isMaking = params.has("try");
  const setMaking = (is: boolean) => set({ try: is ? "1" : null }, { replace: true });
  const [isWhole, setWhole] = useState(false);
  const { shown, quiet } = partedByUse(ordered(data?.branches ?? []));
  const rows = isWhole ? [...shown, ...quiet] : shown;
  return (
    <>
      <Head title={t("nav.branches")} lead={t(moment === undefined ? "branches.lead" : "branches.past")}>
        {moment === undefined && (
          <button type="button" className="btn" onClick={() => setMaking(true)}>
            <Icon name="plus" />
            {t("branches.try")}
          </button>
        )}
      </Head>
      {error !== null && <Failed error={error} />}
      {isPending && <Loading />}
      {rows.length > 0 && (
        <div className="bg">
          {rows.map((branch) => (
            <BranchRow key={branch.id} branch={branch} />
          ))}
          <Lanes branches={rows} />
        </div>
      )}
      {quiet.length > 0 && (
        <button type="button" className="btn q" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          <Icon name="down" />
          {t("branches.quiet", { n: quiet.length })}
        </button>
      )}
      {moment === undefined && <DeletedBranches />}
      {isMaking && <CreateDialog onClose={() => setMaking(false)} />}
    </>
  );
}
