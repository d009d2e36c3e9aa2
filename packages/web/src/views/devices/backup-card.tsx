import { useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import type { Answer } from "../../api/client.ts";
import { useCall } from "../../api/use-call.ts";
import { ago } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { useWrite } from "../../ui/use-write.ts";
import { Command } from "./command.tsx";

type Backups = Answer<"backupsShow">;

const COMMAND = "cambium backup ~/backups --passphrase-file ~/passphrase.txt";
const LOOKS_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Whether copies are made by themselves, how the last one went, and how to turn them on. */
export function BackupCard() {
  const { t } = useReader();
  const { space } = useAddress();
  const { data } = useCall("backupsShow", { space }, { everyMs: LOOKS_MS });
  return (
    <section className="card">
      <h2>{t("backup.title")}</h2>
      {data?.plan === undefined ? (
        data !== undefined && (
          <div className="made">
            <p className="m">{t("backup.off")}</p>
            <p className="f">{t("backup.how")}</p>
            <Command text={COMMAND} />
          </div>
        )
      ) : (
        <Plan backups={data} plan={data.plan} />
      )}
    </section>
  );
}

function Plan({ backups, plan }: { readonly backups: Backups; readonly plan: NonNullable<Backups["plan"]> }) {
  const reader = useReader();
  const { t } = reader;
  const { space } = useAddress();
  const write = useWrite();
  const [isMaking, setMaking] = useState(false);
  const [newest] = backups.backups;
  const when = newest === undefined ? t("backup.none") : t("backup.newest", { when: ago(reader, newest.at) });
  const make = async () => {
    setMaking(true);
    await write("backupsMake", { space }, { done: "backup.done", undo: "none" });
    setMaking(false);
  };
  return (
    <>
      <p className="m">
        {t(plan.isSealed ? "backup.sealed" : "backup.clear", {
          every: t(everyOf(plan.everyMs)),
          keep: plan.keep,
        })}
      </p>
      <p className="code">{plan.dir}</p>
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
      <div className="row end">
        <button type="button" className="btn s" disabled={isMaking} onClick={() => void make()}>
          {t(isMaking ? "copy.making" : "backup.now")}
        </button>
      </div>
      <p className="f">{t("backup.change")}</p>
    </>
  );
}

function everyOf(everyMs: number) {
  if (everyMs <= HOUR_MS) return "backup.hourly";
  return everyMs <= 24 * HOUR_MS ? "backup.daily" : "backup.weekly";
}
