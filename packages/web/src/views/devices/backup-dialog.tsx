import { type FormEvent, type ReactNode, useId, useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import { type Answer, call, type Input } from "../../api/client.ts";
import { useText } from "../../i18n/text.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { FormEnd } from "../../ui/form-end.tsx";
import { NewPassphrase } from "../../ui/new-passphrase.tsx";
import { Segment } from "../../ui/segment.tsx";
import { Select } from "../../ui/select.tsx";
import { useWrite } from "../../ui/use-write.ts";

export type Plan = NonNullable<Answer<"backupsShow">["plan"]>;
type Wanted = Input<"backupsSet">;
type Every = NonNullable<Wanted["every"]>;

const EVERY: readonly Every[] = ["hour", "day", "week"];
const HOUR_MS = 3_600_000;
const MOST_KEPT = 10_000;
const FOLDER = "~/cambium-backups";

export function everyOf({ everyMs }: Plan): Every {
  if (everyMs <= HOUR_MS) return "hour";
  return everyMs <= 24 * HOUR_MS ? "day" : "week";
}

interface BackupDialogProps {
  /** Undefined while they are off. */
  readonly plan?: Plan;
  readonly onClose: () => void;
}

/** Where, how often, how many, and who can open them. What was typed as a passphrase goes with the dialog. */
export function BackupDialog({ plan, onClose }: BackupDialogProps) {
  const t = useText();
  const { space } = useAddress();
  const write = useWrite();
  const id = useId();
  const [dir, setDir] = useState(plan?.dir ?? FOLDER);
  const [every, setEvery] = useState(plan === undefined ? "day" : everyOf(plan));
  const [keep, setKeep] = useState(String(plan?.keep ?? 7));
  const [lock, setLock] = useState<"passphrase" | "none">(plan?.isSealed === false ? "none" : "passphrase");
  const [passphrase, setPassphrase] = useState("");
  const [again, setAgain] = useState("");
  const [isMaking, setMaking] = useState(false);
  const mayStay = plan?.isSealed === true;
  const isLocked = lock === "none" || (passphrase === again && (passphrase !== "" || mayStay));
  const isReady = dir.trim() !== "" && isCount(keep) && isLocked && !isMaking;
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const place = { space, dir: dir.trim(), every, keep: Number(keep) };
    const asked = {
      ...place,
      ...(lock === "none" ? { clear: true } : passphrase === "" ? {} : { passphrase }),
    };
    setMaking(true);
    const done = await write("backupsSet", asked, {
      done: plan === undefined ? "backup.started" : "backup.saved",
      undo: undoOf(plan, asked),
    });
    setMaking(false);
    if (done !== undefined) onClose();
  };
  return (
    <Dialog title={t(plan === undefined ? "backup.turnOnTitle" : "backup.changeTitle")} onClose={onClose}>
      <form className="form" onSubmit={(event) => void save(event)}>
        <Field label={t("backup.folder")} value={dir} onChange={setDir} hasFocus />
        <label htmlFor={id}>{t("backup.every")}</label>
        <Select
          id={id}
          className="field"
          value={every}
          choices={EVERY.map((name) => [name, t(`backup.${name}`)] as const)}
          onChoose={setEvery}
        />
        <Field
          label={t("backup.keep")}
          type="number"
          min="1"
          max={String(MOST_KEPT)}
          value={keep}
          onChange={setKeep}
        />
        <Segment
          label={t("backup.lock")}
          chosen={lock}
          choices={[
            ["passphrase", t("backup.withPassphrase")],
            ["none", t("backup.withNone")],
          ]}
          onChoose={setLock}
        />
        <Lock lock={lock} mayStay={mayStay} isOther={passphrase !== ""}>
          <NewPassphrase
            label={t(mayStay ? "backup.newPassphrase" : "archive.passphrase")}
            passphrase={passphrase}
            again={again}
            onPassphrase={setPassphrase}
            onAgain={setAgain}
          />
        </Lock>
        <p className="f">{plan === undefined && t("backup.first")}</p>
        <FormEnd
          onCancel={onClose}
          does={t(isMaking ? "copy.making" : plan === undefined ? "backup.start" : "backup.save")}
          isReady={isReady}
        />
      </form>
    </Dialog>
  );
}

interface LockProps {
  readonly lock: "passphrase" | "none";
  /** They are sealed, and may stay so under the passphrase that Cambium keeps. */
  readonly mayStay: boolean;
  readonly isOther: boolean;
  readonly children: ReactNode;
}

function Lock({ lock, mayStay, isOther, children }: LockProps) {
  const t = useText();
  if (lock === "passphrase")
    return (
      <>
        {children}
        <p className="f">{t(mayStay && isOther ? "backup.newHint" : "backup.passphraseHint")}</p>
      </>
    );
  return (
    <p className="warn">
      {t("backup.noneHint")} {mayStay && t("backup.newHint")}
    </p>
  );
}

const isCount = (text: string): boolean =>
  /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= MOST_KEPT;

/** A passphrase that was replaced is forgotten, and the page never had it. */
function undoOf(plan: Plan | undefined, { space, passphrase, clear }: Wanted) {
  if (plan === undefined) return () => call("backupsEnd", { space });
  const { dir, keep, isSealed } = plan;
  if (isSealed && (passphrase !== undefined || clear === true)) return "none" as const;
  return () =>
    call("backupsSet", { space, dir, keep, every: everyOf(plan), ...(isSealed ? {} : { clear: true }) });
}
