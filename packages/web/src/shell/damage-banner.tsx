import { Link } from "wouter";
import { useAddress } from "../address/use-address.ts";
import { useCall } from "../api/use-call.ts";
import { useText } from "../i18n/text.ts";

/** What is damaged here is not in any list: without this, less would be shown and nothing said. */
export function DamageBanner() {
  const t = useText();
  const { space, branch, path, to } = useAddress();
  const { data, error } = useCall("status", { space, branch });
  const isClosed = error?.code === "STORE_DAMAGED";
  if ((data?.damage === undefined && !isClosed) || path === "/devices") return null;
  return (
    <div className="damage" role="status">
      <span className="grow">{t(isClosed ? "damage.closed" : "damage.banner")}</span>
      <Link className="btn s" href={to("/devices")}>
        {t("damage.more")}
      </Link>
    </div>
  );
}
