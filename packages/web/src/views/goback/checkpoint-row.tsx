import { Link } from "wouter";
import { useAddress } from "../../address/use-address.ts";
import { call } from "../../api/client.ts";
import { clock, date } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { useAuthorName } from "../../ui/author.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useWrite } from "../../ui/use-write.ts";
import { languageOf } from "../../ui/words.tsx";
import { type Checkpoint, nameOf } from "./checkpoints.ts";

/** The name alone: the moment stays in the history. */
function DeleteName({ id, name }: { readonly id: string; readonly name: string }) {
  const { t } = useReader();
  const { space, params, set } = useAddress();
  const write = useWrite();
  const remove = async () => {
    const undo = () => call("checkpointsRestore", { space, checkpoint: id });
    const outcome = { done: "goback.deleted", values: () => ({ name }), undo } as const;
    const done = await write("checkpointsDelete", { space, checkpoint: id }, outcome);
    if (done !== undefined && params.get("to") === `checkpoint:${id}`) set({ to: null });
  };
  return (
    <button
      type="button"
      className="btn q s"
      aria-label={t("goback.delete", { name })}
      onClick={() => void remove()}
    >
      {t("common.delete")}
    </button>
  );
}

export function CheckpointRow({ checkpoint }: { readonly checkpoint: Checkpoint }) {
  const reader = useReader();
  const { t } = reader;
  const { params, moment, set, to } = useAddress();
  const authorName = useAuthorName();
  const { id, at, by, cause, description, memories } = checkpoint;
  const isManual = cause === "manual";
  const isChosen = params.get("to") === `checkpoint:${id}`;
  const name = nameOf(reader, checkpoint);
  const made = isManual
    ? t("goback.byYou", { date: date(reader, at), who: authorName(by) })
    : cause === "weekly"
      ? t("goback.itselfWeekly")
      : t("goback.itself", { date: `${date(reader, at)}, ${clock(reader, at)}` });
  return (
    <div className={`cp${isManual ? " named" : ""}${isChosen ? " on" : ""}`}>
      <Icon name={isManual ? "flag" : "auto"} />
      <div>
        <h2 lang={languageOf(name)}>
          <bdi>{name}</bdi>
        </h2>
        <p className="f">
          {made}. {memories !== undefined && t("branch.memories", { n: memories })}
        </p>
        {description !== undefined && (
          <p className="m" dir="auto">
            {description}
          </p>
        )}
      </div>
      <div className="row">
        <Link className="btn q s" href={to("/", { at: new Date(at).toISOString() })}>
          {t("goback.look")}
        </Link>
        {moment === undefined && isManual && <DeleteName id={id} name={name} />}
        {moment === undefined && (
          <button
            type="button"
            className="btn s"
            aria-pressed={isChosen}
            onClick={() => set({ to: isChosen ? null : `checkpoint:${id}` })}
          >
            {t(isChosen ? "goback.chosen" : "goback.choose")}
          </button>
        )}
      </div>
    </div>
  );
}
