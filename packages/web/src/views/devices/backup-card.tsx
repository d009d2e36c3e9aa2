import { useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import { type Answer, call } from "../../api/client.ts";
import { useCall } from "../../api/use-call.ts";
import { ago, dayAndTime } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormEnd } from "../../ui/form-end.tsx";
import { useWrite } from "../../ui/use-write.ts";
import { BackupDialog, everyOf, type Plan } from "./backup-dialog.tsx";

type Backups = Answer<"backupsShow">;

const LOOKS_MS = 60_000;

/** Whether copies are made by themselves, how the last one went, and turning that on and off. */
export function BackupCard() {
  const { t } = useReader();
  const { space } = useAddress();
  const { data } = useCall("backupsShow", { space }, { everyMs: LOOKS_MS });
  return (
    <section className="card">
      <h2>{t("backup.title")}</h2>
      {data?.plan === undefined ? data !== undefined && <Off /> : <On backups={data} plan={data.plan} />}
    </section>
  );
}

function Off() {
  const { t } = useReader();
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <p className="m">{t("backup.off")}</p>
      <p className="f">{t("backup.what")}</p>
      <div className="row end">
        <button type="button" className="btn s" onClick={() => setAsked(true)}>
          {t("backup.turnOn")}
        </button>
      </div>
      {isAsked && <BackupDialog onClose={() => setAsked(false)} />}
    </>
  );
}

interface OnProps {
  readonly backups: Backups;
  readonly plan: Plan;
}

function On({ backups, plan }: OnProps) {
  const reader = useReader();
  const { t } = reader;
  const { space } = useAddress();
  const write = useWrite();
  const [isMaking, setMaking] = useState(false);
  const [asked, setAsked] = useState<"change" | "end">();
  const make = async () => {
    setMaking(true);
    const values = () => ({ keep: plan.keep });
    await write("backupsMake", { space }, { done: "backup.done", values, undo: "none" });
    setMaking(false);
  };
  return (
    <>
      <p className="m">
        {t(plan.isSealed ? "backup.sealed" : "backup.clear", {
          every: t(`backup.${everyOf(plan)}`),
          keep: plan.keep,
        })}
      </p>
      <p className="code">{plan.dir}</p>
      <Standing backups={backups} plan={plan} />
      <div className="row wrapx end">
        <button type="button" className="btn q s" onClick={() => setAsked("end")}>
          {t("backup.end")}
        </button>
        <button type="button" className="btn q s" onClick={() => setAsked("change")}>
          {t("backup.change")}
        </button>
        <button type="button" className="btn s" disabled={isMaking} onClick={() => void make()}>
          {t(isMaking ? "copy.making" : "backup.now")}
        </button>
      </div>
      {asked === "change" && <BackupDialog plan={plan} onClose={() => setAsked(undefined)} />}
      {asked === "end" && <EndDialog backups={backups} plan={plan} onClose={() => setAsked(undefined)} />}
    </>
  );
}

/** How the last one went, and when the next comes. */
function Standing({ backups, plan }: OnProps) {
  const reader = useReader();
  const { t } = reader;
  const { length: n } = backups.backups;
  const [newest] = backups.backups;
  const when =
    newest === undefined ? t("backup.none") : t("backup.newest", { when: ago(reader, newest.at), n });
  return (
    <>
      {backups.state === "fine" && (
        <p className="row">
          <span className="dot" />
          {when}
        </p>
      )}
      {backups.state === "late" && (
        <p className="warn">
          {t("backup.late")} {when} {t("backup.lateHint")}
        </p>
      )}
      {backups.failure !== undefined && (
        <p className="warn">
          {t("backup.failed", { when: ago(reader, backups.failure.at) })} {backups.failure.message} {when}
        </p>
      )}
      {backups.state === "fine" && (
        <p className="f">{t("backup.next", { when: dayAndTime(reader, plan.nextAt) })}</p>
      )}
    </>
  );
}

function EndDialog({ backups, plan, onClose }: OnProps & { readonly onClose: () => void }) {
  const { t } = useReader();
  const { space } = useAddress();
  const write = useWrite();
  const { dir, keep, isSealed } = plan;
  const again = () => call("backupsSet", { space, dir, keep, every: everyOf(plan), clear: true });
  const end = async () => {
    const undo = isSealed ? "none" : again;
    const done = await write("backupsEnd", { space }, { done: "backup.ended", undo });
    if (done !== undefined) onClose();
  };
  return (
    <Dialog title={t("backup.endTitle")} onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          void end();
        }}
      >
        <p>{t("backup.endHint", { n: backups.backups.length })}</p>
        {isSealed && <p className="m">{t("backup.endSealed")}</p>}
        <FormEnd onCancel={onClose} does={t("backup.endButton")} isReady />
      </form>
    </Dialog>
  );
}
