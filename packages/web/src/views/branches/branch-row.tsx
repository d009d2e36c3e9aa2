import { type FormEvent, useState } from "react";
import { Link } from "wouter";
import { useAddress } from "../../address/use-address.ts";
import { call } from "../../api/client.ts";
import { useCall } from "../../api/use-call.ts";
import { date, when } from "../../i18n/dates.ts";
import { type Translate, useReader } from "../../i18n/text.ts";
import { useAuthorName } from "../../ui/author.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { useWrite } from "../../ui/use-write.ts";
import { languageOf } from "../../ui/words.tsx";
import { type Branch, branchNameOf, bringsOf, isHome, isOfProposals, startOf } from "./lanes.ts";

export function BranchRow({ branch }: { readonly branch: Branch }) {
  const { t } = useReader();
  const { moment, to } = useAddress();
  const { name, parent = "main" } = branch;
  const brings = bringsOf(branch);
  const isForReview = isOfProposals(branch);
  return (
    <div className="br">
      <div>
        <h2 lang={languageOf(name)}>
          <Link href={to("/", { branch: name === "main" ? null : name })}>
            <bdi>{name}</bdi>
          </Link>
        </h2>
        <p className="f">
          <Story branch={branch} />
        </p>
        <Alike branch={branch} />
      </div>
      <span />
      <div className="btns">
        {name !== "main" && moment === undefined && <More branch={branch} />}
        {isForReview && brings > 0 && (
          <Link
            className="btn s"
            href={to("/review", { branch: branch.parent === "main" ? null : (branch.parent ?? null) })}
          >
            {t("branches.review")}
          </Link>
        )}
        {name !== "main" && !isForReview && (
          <Link className="btn q s" href={to("/", { branch: name })}>
            {t("common.open")}
          </Link>
        )}
        {name !== "main" && !isForReview && brings > 0 && moment === undefined && (
          <Link
            className="btn s"
            href={to("/merge", { from: name, into: parent === "main" ? null : parent })}
          >
            {t("branches.bring", { branch: parent })}
          </Link>
        )}
      </div>
    </div>
  );
}

/** 12 more, 3 changed. Last written Tuesday by Cursor. */
function Story({ branch }: { readonly branch: Branch }) {
  const reader = useReader();
  const { t } = reader;
  const { space } = useAddress();
  const nameOf = useAuthorName();
  const isMain = branch.name === "main";
  const main = useCall("facets", isMain ? { space, branch: "main" } : undefined).data;
  if (isMain) return <>{main !== undefined && t("branches.main", { n: main.total })}</>;
  if (!branch.isHere) return <>{t("branches.away")}</>;
  const { last } = branch;
  const device = last?.by.device ?? last?.device;
  const values = last && { when: when(reader, last.at), who: nameOf(last.by) };
  const written =
    device === undefined ? values && t("branches.last", values) : t("branches.lastOn", { ...values, device });
  return (
    <>
      {differenceOf(t, branch)}. {written} <Start branch={branch} />
    </>
  );
}

/** From main as it was on 3 March: of a branch that was made in retrospect. */
function Start({ branch }: { readonly branch: Branch }) {
  const reader = useReader();
  const { parent, forkedAt = 0 } = branch;
  const start = startOf(branch);
  if (start === undefined || parent === undefined) return null;
  const day = date(reader, start);
  return day === date(reader, forkedAt) ? null : reader.t("branches.startsOn", { branch: parent, day });
}

/** Two devices that were apart made branches of one name, or gave one branch two names. */
function Alike({ branch: { name, notice } }: { readonly branch: Branch }) {
  const { t } = useReader();
  if (notice === undefined) return null;
  return <p className="f">{name.includes("~") ? t("branches.alike") : <bdi>{notice}</bdi>}</p>;
}

export function differenceOf(t: Translate, branch: Branch): string {
  const { parent = "main" } = branch;
  if (isHome(branch)) return t("branches.merged", { branch: parent });
  const parts = (
    [
      ["more", branch.created],
      ["changed", branch.changed],
      ["hidden", branch.hidden],
      ["onBothSides", branch.onBothSides],
      ["conflicts", branch.conflicts],
    ] as const
  ).flatMap(([name, n = 0]) => (n === 0 ? [] : [t(`branches.${name}`, { n })]));
  return parts.length === 0 ? t("branches.same", { branch: parent }) : parts.join(", ");
}

type Asked = "rename" | "delete";

function More({ branch }: { readonly branch: Branch }) {
  const { t } = useReader();
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  if (isOfProposals(branch)) return null;
  return (
    <>
      <button type="button" className="btn q s" onClick={() => setAsked("rename")}>
        {t("common.rename")}
      </button>
      <button type="button" className="btn q s" onClick={() => setAsked("delete")}>
        {t("common.delete")}
      </button>
      {asked === "rename" && <RenameDialog branch={branch} onClose={close} />}
      {asked === "delete" && <DeleteDialog branch={branch} onClose={close} />}
    </>
  );
}

interface AskedProps {
  readonly branch: Branch;
  readonly onClose: () => void;
}

function RenameDialog({ branch, onClose }: AskedProps) {
  const { t } = useReader();
  const { space } = useAddress();
  const write = useWrite();
  const [typed, setName] = useState(branch.name);
  const name = branchNameOf(typed);
  const rename = async (event: FormEvent) => {
    event.preventDefault();
    const done = await write(
      "branchesRename",
      { space, branch: branch.id, name },
      {
        done: "branches.renamed",
        values: () => ({ name }),
        undo: () => call("branchesRename", { space, branch: branch.id, name: branch.name }),
      },
    );
    if (done !== undefined) onClose();
  };
  return (
    <Dialog title={t("common.rename")} onClose={onClose}>
      <form className="form" onSubmit={(event) => void rename(event)}>
        <Field label={t("branches.name")} value={typed} onChange={setName} hasFocus />
        <div className="row end">
          <button type="submit" className="btn p" disabled={name === "" || name === branch.name}>
            {t("common.rename")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function DeleteDialog({ branch, onClose }: AskedProps) {
  const { t } = useReader();
  const { space } = useAddress();
  const write = useWrite();
  const remove = async () => {
    const outcome = {
      done: "branches.deleted",
      values: () => ({ name: branch.name }),
      undo: () => call("branchesRestore", { space, branch: branch.id }),
    } as const;
    const done = await write("branchesDelete", { space, branch: branch.id }, outcome);
    if (done !== undefined) onClose();
  };
  return (
    <Dialog title={t("branches.deleteTitle", { name: branch.name })} onClose={onClose}>
      <p>{t("branches.deleteHint")}</p>
      <p className="m">
        {t("branches.has", { branch: branch.parent ?? "main", what: differenceOf(t, branch) })}
      </p>
      <div className="row end">
        <button type="button" className="btn q" onClick={onClose}>
          {t("common.cancel")}
        </button>
        <button type="button" className="btn d" onClick={() => void remove()}>
          {t("common.delete")}
        </button>
      </div>
    </Dialog>
  );
}
