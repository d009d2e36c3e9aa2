import { useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import { call } from "../../api/client.ts";
import { useCall } from "../../api/use-call.ts";
import { useText } from "../../i18n/text.ts";
import { Icon } from "../../ui/icon.tsx";
import { useWrite } from "../../ui/use-write.ts";
import { languageOf } from "../../ui/words.tsx";
import { isOfProposals } from "./lanes.ts";

/** One line until somebody asks: what was deleted, to be brought back. */
export function DeletedBranches() {
  const t = useText();
  const { space } = useAddress();
  const write = useWrite();
  const [isOpen, setOpen] = useState(false);
  const all = useCall("branchesList", { space, deleted: true }).data?.branches ?? [];
  const deleted = all.filter((branch) => branch.status === "deleted" && !isOfProposals(branch));
  if (deleted.length === 0) return null;
  const restore = (branch: string) =>
    write(
      "branchesRestore",
      { space, branch },
      {
        done: "branches.restored",
        values: ({ name }) => ({ name }),
        undo: () => call("branchesDelete", { space, branch }),
      },
    );
  return (
    <section>
      <button type="button" className="btn q" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="down" />
        {t("branches.gone", { n: deleted.length })}
      </button>
      {isOpen &&
        deleted.map(({ id, name, memories }) => (
          <div key={id} className="row goner">
            <span className="grow" lang={languageOf(name)}>
              <bdi>{name}</bdi>{" "}
              {memories !== undefined && <span className="f">{t("branch.memories", { n: memories })}</span>}
            </span>
            <button type="button" className="btn s" onClick={() => void restore(id)}>
              {t("branches.restore")}
            </button>
          </div>
        ))}
    </section>
  );
}
