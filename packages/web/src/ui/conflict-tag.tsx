import type { Memory } from "../api/client.ts";
import { useReader } from "../i18n/text.ts";

/** How many answers there are, where they stand against each other. */
export function ConflictTag({ conflicts: [first] }: Pick<Memory, "conflicts">) {
  const { t } = useReader();
  if (first === undefined) return null;
  return <span className="tag c">{t("memories.answers", { n: first.values.length })}</span>;
}
