import { type FormEvent, useId, useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import { call } from "../../api/client.ts";
import { dayOf } from "../../i18n/dates.ts";
import { useText } from "../../i18n/text.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { useDraft } from "../../ui/use-draft.ts";
import { useWrite } from "../../ui/use-write.ts";
import { stateIn } from "../goback/scope.ts";
import { branchNameOf } from "./lanes.ts";
import { useMoveChanges } from "./move-changes.ts";

/** A branch from now, or from any day before. */
export function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const { space, branch, moment, go, to } = useAddress();
  const write = useWrite();
  const [name, setName, forgetName] = useDraft("branch");
  const [day, setDay] = useState(moment?.day ?? "");
  const [isMoved, setMoved] = useState(false);
  const then = stateIn(day, branch);
  const asked = branchNameOf(name);
  /** The page shows the new branch, which is gone then. */
  const remove = (id: string) => {
    go(to("/"));
    return call("branchesDelete", { space, branch: id });
  };
  const moveChanges = useMoveChanges(remove);
  const create = async (event: FormEvent) => {
    event.preventDefault();
    const made = await write(
      "branchesCreate",
      { space, name: asked, from: then ?? branch },
      {
        done: "branches.created",
        values: (answer) => ({ name: answer.name }),
        undo: ({ id }) => remove(id),
      },
    );
    if (made === undefined) return;
    if (isMoved && then !== undefined) await moveChanges(made, then);
    forgetName();
    onClose();
    go(to("/", { branch: made.name, at: null }));
  };
  return (
    <Dialog title={t("branches.try")} onClose={onClose}>
      <form className="form" onSubmit={(event) => void create(event)}>
        <Field
          label={t("branches.name")}
          placeholder={t("branches.nameHint")}
          value={name}
          onChange={setName}
          hasFocus
        />
        <Field
          label={t("branches.fromDate", { branch })}
          type="date"
          className="fit"
          max={dayOf(Date.now())}
          value={day}
          onChange={setDay}
        />
        {then === undefined ? (
          <p className="f">{t("branches.fromNow", { branch })}</p>
        ) : (
          <Moves branch={branch} isMoved={isMoved} onMove={setMoved} />
        )}
        <div className="row end">
          <button type="submit" className="btn p" disabled={asked === ""}>
            {t("branches.create")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface MovesProps {
  readonly branch: string;
  readonly isMoved: boolean;
  readonly onMove: (isMoved: boolean) => void;
}

/** Whether what came since goes to the new branch. */
function Moves({ branch, isMoved, onMove }: MovesProps) {
  const t = useText();
  const id = useId();
  return (
    <label className="row" htmlFor={id}>
      <input id={id} type="checkbox" checked={isMoved} onChange={({ target }) => onMove(target.checked)} />
      {t("branches.move", { branch })}
    </label>
  );
}
