import type { Schemas } from "../../api/interface.ts";
import { ago, date } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { behindAmong } from "../../shell/use-behind.ts";
import { Remove, Rename, RoleChange } from "./member-actions.tsx";

type Member = Schemas["Member"];

export function Members({ members }: { readonly members: readonly Member[] }) {
  const { t } = useReader();
  const behind = behindAmong(members);
  const isAdmin = members.some(({ isThis, role }) => isThis && role === "admin");
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
            isAdmin={isAdmin}
            isBehind={behind.some(({ name }) => name === member.name)}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly member: Member;
  /** Whether this device may change what others may do. */
  readonly isAdmin: boolean;
  readonly isBehind: boolean;
}

function Row({ member, isAdmin, isBehind }: RowProps) {
  const reader = useReader();
  const { t } = reader;
  const { isThis, isConnected, lastUsedAt, lastChangeAt, role, revokedAt, expiresAt, isRecoveryKit } = member;
  const name = isRecoveryKit ? t("kit.name") : member.name;
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
        {revokedAt === undefined && expiresAt !== undefined && (
          <p className="f">{t("invite.stayEnds", { when: date(reader, expiresAt) })}</p>
        )}
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
        {!isThis && isAdmin && !isRecoveryKit && <RoleChange member={member} />}
        {!isThis && isAdmin && revokedAt === undefined && <Remove member={member} name={name} />}
      </td>
    </tr>
  );
}
