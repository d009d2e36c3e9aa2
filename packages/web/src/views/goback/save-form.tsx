import { type FormEvent, useId } from "react";
import { useAddress } from "../../address/use-address.ts";
import { call } from "../../api/client.ts";
import { useText } from "../../i18n/text.ts";
import { useDraft } from "../../ui/use-draft.ts";
import { useWrite } from "../../ui/use-write.ts";

export function SaveForm() {
  const t = useText();
  const id = useId();
  const { space, branch, moment } = useAddress();
  const write = useWrite();
  const [name, setName, forgetName] = useDraft("checkpoint");
  if (moment !== undefined) return null;
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const made = await write(
      "checkpointsCreate",
      { space, branch, name: name.trim() },
      {
        done: "goback.saved",
        values: (checkpoint) => ({ name: checkpoint.name }),
        undo: (checkpoint) => call("checkpointsDelete", { space, checkpoint: checkpoint.id }),
      },
    );
    if (made !== undefined) forgetName();
  };
  return (
    <form className="row save" onSubmit={(event) => void save(event)}>
      <label className="vh" htmlFor={id}>
        {t("goback.name")}
      </label>
      <input
        id={id}
        className="field"
        placeholder={t("goback.placeholder")}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <button type="submit" className="btn" disabled={name.trim() === ""}>
        {t("goback.save")}
      </button>
    </form>
  );
}
