import { useId } from "react";
import { useAddress } from "../../address/use-address.ts";
import { useText } from "../../i18n/text.ts";
import { ORDERS, orderIn } from "./filters.ts";

/** In which order the list is; a search has its own. */
export function Sort() {
  const t = useText();
  const { params, set } = useAddress();
  const id = useId();
  if (params.has("q") || params.has("conflict")) return null;
  const order = orderIn(params);
  return (
    <div className="row sort">
      <label className="f" htmlFor={id}>
        {t("sort.by")}
      </label>
      <select
        id={id}
        className="field fit s"
        value={order}
        onChange={({ target }) => set({ sort: target.value === "changed" ? null : target.value })}
      >
        {ORDERS.map((name) => (
          <option key={name} value={name}>
            {t(`sort.${name}`)}
          </option>
        ))}
      </select>
    </div>
  );
}
