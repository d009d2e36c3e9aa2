import { type FormEvent, useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import { call } from "../../api/client.ts";
import type { Schemas } from "../../api/interface.ts";
import { useCall } from "../../api/use-call.ts";
import { ago } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { behindAmong } from "../../shell/use-behind.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { useWrite } from "../../ui/use-write.ts";

type Member = Schemas["Member"];

export function Members({ members }: { readonly members: readonly Member[] }) {
  const { t } = useReader();
  const behind = behindAmong(members);
  return (
    <table className="tblx">
      <thead>
        <tr>
          <th scope="col">{t("devices.device")}</th>
          <th scope="col">{t("devices.role")}</th>
          <th scope="col">{t("devices.seen")}</th>
          <th scope="col">{t("devices.changed")}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {members.map((member) => (
          <Row
            key={member.replica ?? member.invitation ?? member.name}
            member={member}
            isBehind={behind.some(({ name }) => name === member.name)}
          />
        ))}
      </tbody>
    </table>
  );
}

function Row({ member, isBehind }: { readonly member: Member; readonly isBehind: boolean }) {
  const reader = useReader();
  const { t } = reader;
  const { name, isThis, isConnected, lastUsedAt, lastChangeAt, role, revokedAt } = member;
  const isNow = isThis || isConnected === true;
  const seen = isNow ? t("devices.connected") : lastUsedAt === undefined ? "" : ago(reader, lastUsedAt);
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi> {isThis && <span className="f">{t("devices.this")}</span>}
      </th>
      <td>
        {revokedAt !== undefined
          ? t("devices.revoked", { when: ago(reader, revokedAt) })
          : role !== undefined && t(`role.${role}`)}
      </td>
      <td data-label={seen === "" ? undefined : t("devices.seen")}>
        <span className="row">
          {seen !== "" && <span className={isNow ? "dot" : "dot offline"} />}
          {seen}
        </span>
        {isBehind && <p className="f">{t("devices.behind")}</p>}
      </td>
      <td data-label={t("devices.changed")}>{lastChangeAt !== undefined && ago(reader, lastChangeAt)}</td>
      <td>
        {isThis && <Rename name={name} />}
        {!isThis && revokedAt === undefined && <Remove member={member} />}
      </td>
    </tr>
  );
}

/** Who loses access with it, and what stands open although it goes. */
function Consequences({ invitation }: { readonly invitation: string }) {
  const reader = useReader();
  const { space } = useAddress();
  const { data } = useCall("membersRevoke", { space, invitation, devices: true, preview: true });
  if (data === undefined) return null;
  const names = (list: readonly string[]) => new Intl.ListFormat(reader.locale).format(list);
  return (
    <>
      {data.devices.length > 1 && (
        <p className="warn">{reader.t("devices.alsoRemoved", { names: names(data.devices) })}</p>
      )}
      {data.standing.length > 0 && (
        <p className="m">{reader.t("devices.stillOpen", { n: data.standing.length })}</p>
      )}
    </>
  );
}

function Rename({ name }: { readonly name: string }) {
  const { t } = useReader();
  const write = useWrite();
  const [isAsked, setAsked] = useState(false);
  const [typed, setTyped] = useState(name);
  const rename = async (event: FormEvent) => {
    event.preventDefault();
    const done = await write(
      "deviceRename",
      { name: typed.trim() },
      {
        done: "branches.renamed",
        values: (renamed) => ({ name: renamed.name }),
        undo: () => call("deviceRename", { name }),
      },
    );
    if (done !== undefined) setAsked(false);
  };
  return (
    <>
      <button type="button" className="btn q s" onClick={() => setAsked(true)}>
        {t("common.rename")}
      </button>
      {isAsked && (
        <Dialog title={t("devices.rename")} onClose={() => setAsked(false)}>
          <form className="form" onSubmit={(event) => void rename(event)}>
            <Field label={t("devices.name")} value={typed} onChange={setTyped} hasFocus />
            <div className="row end">
              <button type="submit" className="btn p" disabled={typed.trim() === "" || typed.trim() === name}>
                {t("common.rename")}
              </button>
            </div>
          </form>
        </Dialog>
      )}
    </>
  );
}

function Remove({ member: { name, invitation } }: { readonly member: Member }) {
  const { t } = useReader();
  const { space } = useAddress();
  const write = useWrite();
  const [isAsked, setAsked] = useState(false);
  if (invitation === undefined) return null;
  const remove = async () => {
    const outcome = { done: "devices.removed", undo: "none" } as const;
    const done = await write("membersRevoke", { space, invitation, devices: true }, outcome);
    if (done !== undefined) setAsked(false);
  };
  return (
    <>
      <button type="button" className="btn q s" onClick={() => setAsked(true)}>
        {t("devices.remove")}
      </button>
      {isAsked && (
        <Dialog title={t("devices.removeTitle", { name })} onClose={() => setAsked(false)}>
          <p>{t("devices.removeHint")}</p>
          <Consequences invitation={invitation} />
          <div className="row end">
            <button type="button" className="btn q" onClick={() => setAsked(false)}>
              {t("common.cancel")}
            </button>
            <button type="button" className="btn d" onClick={() => void remove()}>
              {t("devices.removeButton", { name })}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
