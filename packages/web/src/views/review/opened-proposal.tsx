import type { FormEvent } from "react";
import { useAddress } from "../../address/use-address.ts";
import type { Schemas } from "../../api/interface.ts";
import { date } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { By, deviceOf } from "../../ui/author.tsx";
import { Field } from "../../ui/field.tsx";
import { FormEnd } from "../../ui/form-end.tsx";
import { useDraft } from "../../ui/use-draft.ts";
import { Diff, Whole } from "../../ui/words.tsx";
import { FieldChanges } from "../changes/change-row.tsx";
import { Tags } from "../memories/memory-row.tsx";
import { Sources } from "../memory/sources.tsx";

type Proposal = Schemas["Proposal"];

interface OpenedProposalProps {
  readonly proposal: Proposal;
  readonly isEdited: boolean;
  readonly onEdit: (isOpen: boolean) => void;
  readonly onAccept: (content?: string) => Promise<void>;
  readonly onReject: () => Promise<void>;
}

/** What would come of it, who wrote it and where it is from; then the three answers. */
export function OpenedProposal(props: OpenedProposalProps) {
  const { proposal, isEdited, onEdit, onAccept, onReject } = props;
  const reader = useReader();
  const { t } = reader;
  const { moment } = useAddress();
  const { by, at, after, isContested, kind } = proposal;
  return (
    <section className="card">
      <p className="row wrapx">
        <By by={by} />
        <span className="f">{[deviceOf(reader, by), date(reader, at)].filter(Boolean).join(", ")}</span>
      </p>
      <Proposed proposal={proposal} />
      <Tags memory={{ ...after, conflicts: [] }} />
      {after.reason !== undefined && (
        <p className="m" dir="auto">
          {t("review.why")}: {after.reason}
        </p>
      )}
      {isContested && <p className="warn">{t("review.contested")}</p>}
      {isEdited ? (
        <EditForm proposal={proposal} onSave={onAccept} onCancel={() => onEdit(false)} />
      ) : (
        moment === undefined && (
          <div className="row wrapx decide">
            <button type="button" className="btn p" onClick={() => void onAccept()}>
              {t("review.accept")} <kbd>A</kbd>
            </button>
            {kind !== "hidden" && (
              <button type="button" className="btn" onClick={() => onEdit(true)}>
                {t("review.edit")} <kbd>E</kbd>
              </button>
            )}
            <button type="button" className="btn" onClick={() => void onReject()}>
              {t("review.reject")} <kbd>X</kbd>
            </button>
          </div>
        )
      )}
      <Sources memory={after} />
    </section>
  );
}

function Proposed({ proposal: { kind, before, after } }: { readonly proposal: Proposal }) {
  if (kind !== "changed")
    return <Whole text={after.content} is={kind === "added" ? "added" : "removed"} className="lead" />;
  if (before === undefined || before.content === after.content)
    return <FieldChanges memory={after} before={before} className="lead" />;
  return <Diff before={before.content} after={after.content} className="lead" />;
}

interface EditFormProps {
  readonly proposal: Proposal;
  readonly onSave: (content: string) => Promise<void>;
  readonly onCancel: () => void;
}

function EditForm({ proposal: { id, after }, onSave, onCancel }: EditFormProps) {
  const { t } = useReader();
  const [content, setContent, forget] = useDraft(`proposal ${id}`, after.content);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    await onSave(content.trim());
    forget();
  };
  return (
    <form className="form" onSubmit={(event) => void save(event)}>
      <Field label={t("edit.title")} rows={4} value={content} onChange={setContent} hasFocus />
      <FormEnd onCancel={onCancel} does={t("review.acceptEdited")} isReady={content.trim() !== ""} />
    </form>
  );
}
