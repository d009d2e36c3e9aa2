import { Link } from "wouter";
import { useAddress } from "../../address/use-address.ts";
import type { Memory } from "../../api/client.ts";
import { useText } from "../../i18n/text.ts";
import { Title } from "../../ui/title.tsx";

/** In place of the words: who destroyed them, somebody or a rule. */
export const erasedWord = ({ erased }: Pick<Memory, "erased">) =>
  erased === "pruned" ? "memory.pruned" : "memory.erased";

/** Of a memory whose words are gone: what that means, and where it is said who still has them. */
export function Erased({ memory }: { readonly memory: Memory }) {
  const t = useText();
  const { to } = useAddress();
  const isPruned = memory.erased === "pruned";
  return (
    <>
      <Title className="lead">{t(erasedWord(memory))}</Title>
      <p className="m">{t(isPruned ? "memory.prunedHint" : "memory.erasedHint")}</p>
      {!isPruned && (
        <Link className="textlink" href={to("/devices")}>
          {t("memory.erasedWhere")}
        </Link>
      )}
    </>
  );
}
