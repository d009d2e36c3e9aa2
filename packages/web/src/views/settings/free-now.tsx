import { useAddress } from "../../address/use-address.ts";
import { useCall } from "../../api/use-call.ts";
import { size } from "../../i18n/sizes.ts";
import { useReader } from "../../i18n/text.ts";
import { useWrite } from "../../ui/use-write.ts";
import { ruleOf, type Setting, scopesIn } from "./rules.ts";
import { freedBy, WouldGo } from "./would-go.tsx";

/** What the rules that hold would let go of now. Nothing while everything stays. */
export function FreeNow({ settings }: { readonly settings: readonly Setting[] }) {
  const reader = useReader();
  const { t } = reader;
  const { space } = useAddress();
  const write = useWrite();
  const keepsAll = ruleOf(settings) === "keep-everything" && scopesIn(settings).length === 0;
  const { data } = useCall("prune", keepsAll ? undefined : { space, preview: true });
  if (keepsAll || data === undefined || (data.counts.versions === 0 && data.waitingFor.length === 0))
    return null;
  const n = data.counts.versions;
  const free = () =>
    write(
      "prune",
      { space },
      {
        done: "settings.freed",
        values: (done) => ({ n: done.counts.versions, size: size(reader, freedBy(done)) }),
        undo: "none",
      },
    );
  return (
    <div className="card draft">
      <WouldGo result={data} />
      {n > 0 && (
        <>
          <p className="f">{t("settings.freeHint")}</p>
          <div className="row end">
            <button type="button" className="btn d" onClick={() => void free()}>
              {t("settings.free", { n })}
            </button>
          </div>
        </>
      )}
    </div>
  );
}
