import { type FormEvent, useId, useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import { call } from "../../api/client.ts";
import { dayOf } from "../../i18n/dates.ts";
import { useText } from "../../i18n/text.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { useDraft } from "../../ui/use-draft.ts";
import { useWrite } from "../../ui/use-write.ts";
import { stateIn } from "../goback/scope.ts";

/** A branch from now, or from any day before. */
export function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const { space, branch, go, to } = useAddress();
  const write = useWrite();
  const ids = { name: useId(), day: useId() };
  const [name, setName, forgetName] = useDraft("branch");
  const [day, setDay] = useState("");
  const create = async (event: FormEvent) => {
    event.preventDefault();
    const from = stateIn(day, branch) ?? branch;
    const made = await write(
      "branchesCreate",
      { space, name: name.trim(), from },
      {
        done: "branches.created",
        values: () => ({ name: name.trim() }),
        undo: ({ id }) => call("branchesDelete", { space, branch: id }),
      },
    );
    if (made === undefined) return;
    forgetName();
    onClose();
    go(to("/", { branch: made.name, at: null }));
  };
  return (
    <Dialog title={t("branches.try")} onClose={onClose}>
      <form className="form" onSubmit={(event) => void create(event)}>
        <label htmlFor={ids.name}>{t("branches.name")}</label>
        <input
          id={ids.name}
          className="field"
          placeholder={t("branches.nameHint")}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <label htmlFor={ids.day}>{t("branches.fromDate", { branch })}</label>
        <input
          id={ids.day}
          type="date"
          className="field fit"
          max={dayOf(Date.now())}
          value={day}
          onChange={({ target }) => setDay(target.value)}
        />
        {day === "" && <p className="f">{t("branches.fromNow", { branch })}</p>}
        <div className="row end">
          <button type="submit" className="btn p" disabled={name.trim() === ""}>
            {t("branches.create")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
