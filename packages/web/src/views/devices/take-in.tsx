import { type FormEvent, useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import { type Answer, ApiError, call, type Input } from "../../api/client.ts";
import { useCall } from "../../api/use-call.ts";
import { dayAndTime } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { InRow } from "../../ui/in-row.tsx";
import { Segment } from "../../ui/segment.tsx";
import { Select } from "../../ui/select.tsx";
import { Failed } from "../../ui/states.tsx";
import { useWrite } from "../../ui/use-write.ts";

type Looked = Answer<"archivesImport">;
type Asked = Input<"archivesImport">;

const MOST_BACKUPS = 30;

/** An archive or a backup of this device, into the space that it is of, or as another one. */
export function TakeIn() {
  const { t } = useReader();
  const [isAsked, setAsked] = useState(false);
  return (
    <div className="tools form">
      <p className="m">{t("takeIn.lead")}</p>
      <div className="row end">
        <button type="button" className="btn s" onClick={() => setAsked(true)}>
          {t("takeIn.begin")}
        </button>
      </div>
      {isAsked && <TakeInDialog onClose={() => setAsked(false)} />}
    </div>
  );
}

function TakeInDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useReader();
  const { go } = useAddress();
  const write = useWrite();
  const [asked, setAsked] = useState<Asked>();
  const [looked, setLooked] = useState<Looked>();
  const [error, setError] = useState<ApiError>();
  const [isBusy, setBusy] = useState(false);
  const look = async (wanted: Asked) => {
    setBusy(true);
    setError(undefined);
    try {
      setLooked(await call("archivesImport", { ...wanted, preview: true }));
      setAsked(wanted);
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      setError(reason);
    }
    setBusy(false);
  };
  const takeIn = async () => {
    if (asked === undefined) return;
    setBusy(true);
    const done = await write("archivesImport", asked, {
      done: "takeIn.done",
      values: ({ space }) => ({ space: space.name }),
      undoFor: undoOf,
    });
    setBusy(false);
    if (done === undefined) return;
    onClose();
    go(`/?space=${encodeURIComponent(done.space.id)}`);
  };
  return (
    <Dialog title={t("takeIn.title")} onClose={onClose}>
      <Which
        isBusy={isBusy}
        isLooked={looked !== undefined}
        onLook={(wanted) => void look(wanted)}
        onOther={() => setLooked(undefined)}
      />
      {error !== undefined && <Failed error={error} />}
      {looked !== undefined && (
        <div className="tools">
          <Contents looked={looked} />
          <div className="row end">
            <button type="button" className="btn p" disabled={isBusy} onClick={() => void takeIn()}>
              {t(isBusy ? "takeIn.doing" : "takeIn.do")}
            </button>
          </div>
        </div>
      )}
    </Dialog>
  );
}

/** A space that is new here stays; what was merged is taken back, branch by branch. */
function undoOf({ as, space, branches = [] }: Looked): (() => Promise<unknown>) | undefined {
  const changes = branches.flatMap(({ branch, change }) =>
    change === undefined ? [] : [{ branch, change }],
  );
  if (as !== "merge" || changes.length === 0 || changes.length < branches.length) return undefined;
  return () => Promise.all(changes.map((one) => call("undo", { space: space.id, ...one })));
}

interface WhichProps {
  readonly isBusy: boolean;
  readonly isLooked: boolean;
  readonly onLook: (asked: Asked) => void;
  /** Another one is meant. */
  readonly onOther: () => void;
}

/** Which file, with which passphrase, and as what. */
function Which({ isBusy, isLooked, onLook, onOther }: WhichProps) {
  const { t } = useReader();
  const [path, setPath] = useState("");
  const [passphrase, setPassphrase] = useState("");
  const [as, setAs] = useState<"own" | "space">("own");
  const [name, setName] = useState("");
  const other =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value);
      onOther();
    };
  const isReady = path.trim() !== "" && (as === "own" || name.trim() !== "") && !isBusy;
  const asked = {
    path: path.trim(),
    ...(passphrase === "" ? {} : { passphrase }),
    ...(as === "space" ? { asSpace: name.trim() } : {}),
  };
  const look = (event: FormEvent) => {
    event.preventDefault();
    onLook(asked);
  };
  return (
    <form className="form" onSubmit={look}>
      <WhichFile path={path} onPath={other(setPath)} />
      <Field
        label={t("takeIn.passphrase")}
        type="password"
        value={passphrase}
        onChange={other(setPassphrase)}
      />
      <Segment
        label={t("takeIn.as")}
        chosen={as}
        choices={[
          ["own", t("takeIn.asItIs")],
          ["space", t("takeIn.asSpace")],
        ]}
        onChoose={other(setAs)}
      />
      {as === "space" && <Field label={t("takeIn.name")} value={name} onChange={other(setName)} />}
      {!isLooked && (
        <div className="row end">
          <button type="submit" className="btn p" disabled={!isReady}>
            {t(isBusy ? "takeIn.looking" : "takeIn.look")}
          </button>
        </div>
      )}
    </form>
  );
}

interface WhichFileProps {
  readonly path: string;
  readonly onPath: (path: string) => void;
}

/** A backup of the space that is shown, or any file. */
function WhichFile({ path, onPath }: WhichFileProps) {
  const reader = useReader();
  const { t } = reader;
  const { space } = useAddress();
  const backups = (useCall("backupsShow", { space }).data?.backups ?? []).slice(0, MOST_BACKUPS);
  const isBackup = backups.some((backup) => backup.path === path);
  const choices = backups.map((backup) => {
    const when = dayAndTime(reader, backup.at);
    return [backup.path, t("takeIn.backup", { when })] as const;
  });
  return (
    <>
      {backups.length > 0 && (
        <InRow label={t("takeIn.which")} className="row wrapx">
          {(id) => (
            <Select<string>
              id={id}
              value={isBackup ? path : ""}
              choices={[["", t("takeIn.other")], ...choices]}
              onChoose={onPath}
            />
          )}
        </InRow>
      )}
      {!isBackup && (
        <Field
          label={t("takeIn.path")}
          placeholder="~/Downloads/notes.cambium"
          value={path}
          onChange={onPath}
          hasFocus
        />
      )}
    </>
  );
}

/** What is in it, and what becomes of it here. */
function Contents({ looked }: { readonly looked: Looked }) {
  const reader = useReader();
  const { t } = reader;
  const { as, archive, space } = looked;
  const main = archive.branches.find(({ name }) => name === "main")?.memories;
  const facts = [
    ...(main === undefined ? [] : [t("takeIn.memories", { n: main })]),
    t("takeIn.branches", { n: archive.branches.length }),
  ];
  const when = dayAndTime(reader, archive.madeAt);
  const damaged = archive.damaged ?? 0;
  return (
    <>
      <h3>
        <bdi>{t("takeIn.contents", { space: archive.space.name, when, device: archive.by.device })}</bdi>
      </h3>
      <p className="m">{facts.join(", ")}</p>
      {damaged > 0 && <p className="warn">{t("takeIn.damaged", { n: damaged })}</p>}
      <p>{t(`taken.${as}`, { space: space.name })}</p>
      {as === "merge" && <Brought branches={looked.branches ?? []} />}
    </>
  );
}

/** What each branch of the space that is here would get. */
function Brought({ branches }: { readonly branches: NonNullable<Looked["branches"]> }) {
  const { t } = useReader();
  if (branches.length === 0) return <p className="m">{t("takeIn.nothing")}</p>;
  return branches.map(({ branch, created, changed, deleted, conflicts }) => (
    <p key={branch} className="m">
      <bdi>
        {t("takeIn.branch", {
          ...{ branch, n: created.length, changed: changed.length, gone: deleted.length },
        })}
      </bdi>
      {conflicts > 0 && <> {t("takeIn.conflicts", { n: conflicts })}</>}
    </p>
  ));
}
