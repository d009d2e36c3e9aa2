import { useAddress } from "../../address/use-address.ts";
import { useText } from "../../i18n/text.ts";
import { InRow } from "../../ui/in-row.tsx";
import { Select } from "../../ui/select.tsx";
import { ORDERS, orderIn } from "./filters.ts";

/** In which order the list is; a search has its own. */
export function Sort() {
  const t = useText();
  const { params, set } = useAddress();
  if (params.has("q") || params.has("conflict")) return null;
  return (
    <InRow label={t("sort.by")} className="row sort">
      {(id) => (
        <Select
          id={id}
          className="field fit s"
          value={orderIn(params)}
          choices={ORDERS.map((name) => [name, t(`sort.${name}`)] as const)}
          onChoose={(name) => set({ sort: name === "changed" ? null : name })}
        />
      )}
    </InRow>
  );
}
