import { useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import type { Schemas } from "../../api/interface.ts";
import { ago } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { useWrite } from "../../ui/use-write.ts";

type Member = Schemas["Member"];

export function Members({ members }: { readonly members: readonly Member[] }) {
  const { t } = useReader();
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
          <Row key={member.replica ?? member.invitation ?? member.name} member={member} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ member }: { readonly member: Member }) {
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
      <td>
        <span className="row">
          {seen !== "" && <span className={isNow ? "dot" : "dot offline"} />}
          {seen}
        </span>
      </td>
      <td>{lastChangeAt !== undefined && ago(reader, lastChangeAt)}</td>
      <td>{!isThis && revokedAt === undefined && <Remove member={member} />}</td>
    </tr>
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
