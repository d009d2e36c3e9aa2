import type { Answer } from "../../api/client.ts";
import { size } from "../../i18n/sizes.ts";
import { useReader } from "../../i18n/text.ts";

/** In bytes: some of it stays, to rebuild texts. */
export const freedBy = ({ bytes, differences }: Answer<"prune">): number =>
  Math.max(0, bytes - differences.bytes);

/** How many old texts would go, and what that frees. */
export function WouldGo({ result }: { readonly result: Answer<"prune"> }) {
  const { counts, waitingFor } = result;
  const reader = useReader();
  const { t, locale } = reader;
  const names = new Intl.ListFormat(locale).format(waitingFor.map(({ name }) => name));
  return (
    <>
      <p className="big-n">
        {counts.versions === 0
          ? t("settings.nothingGoes")
          : t("settings.wouldGo", {
              n: counts.versions,
              memories: t("settings.ofMemories", { n: counts.memories }),
              size: size(reader, freedBy(result)),
            })}
      </p>
      {waitingFor.length > 0 && <p className="warn">{t("settings.waitsFor", { names })}</p>}
    </>
  );
}
