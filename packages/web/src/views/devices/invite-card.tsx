import { useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import type { Schemas } from "../../api/interface.ts";
import { useCall } from "../../api/use-call.ts";
import { ago, date } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { InRow } from "../../ui/in-row.tsx";
import { Select } from "../../ui/select.tsx";
import { useWrite } from "../../ui/use-write.ts";
import { ROLES } from "./invitation.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { Pair } from "./pairing.tsx";

/**
 * For another device, or another person.
 *
 * @param isAlone - whether the space has no relay; undefined until that is known
 */
export function InviteCard({ isAlone }: { readonly isAlone: boolean | undefined }) {
  const { t } = useReader();
  const [role, setRole] = useState<Schemas["Role"]>("write");
  const [isAsked, setAsked] = useState(false);
  return (
    <section className="card">
      <h2>{t("devices.add")}</h2>
      {isAlone === true && <p className="m">{t("devices.noRelay")}</p>}
      {isAlone === false && (
        <>
          <p className="m">{t("devices.addHint")}</p>
          <InRow label={t("devices.inviteFor")} className="row wrapx tools">
            {(id) => (
              <Select
                id={id}
                value={role}
                choices={ROLES.map((name) => [name, t(`role.${name}`)] as const)}
                onChoose={setRole}
              />
            )}
          </InRow>
          <div className="row wrapx">
            <Pair role={role} />
            <button type="button" className="btn q s" onClick={() => setAsked(true)}>
              {t("invite.begin")}
            </button>
          </div>
          {isAsked && <InviteDialog role={role} onClose={() => setAsked(false)} />}
          <Standing />
        </>
      )}
    </section>
  );
}

/** Those that still work. */
function Standing() {
  const reader = useReader();
  const { t } = reader;
  const { space } = useAddress();
  const write = useWrite();
  const { data } = useCall("membersInvitations", { space });
  const open = (data?.invitations ?? []).filter(({ usesLeft }) => usesLeft !== 0);
  if (open.length === 0) return null;
  return (
    <>
      <h3 className="made">{t("devices.standing")}</h3>
      {open.map(({ id, role, createdAt, usesLeft, expiresAt, accessUntil }) => (
        <div key={id} className="row">
          <span className="grow">
            {t("devices.standingLine", { role: t(`role.${role}`), when: ago(reader, createdAt) })}
            <span className="f block">
              {[
                ...(usesLeft === undefined ? [] : [t("invite.left", { n: usesLeft })]),
                ...(expiresAt === undefined ? [] : [t("invite.ends", { when: date(reader, expiresAt) })]),
                ...(accessUntil === undefined
                  ? []
                  : [t("invite.stayEnds", { when: date(reader, accessUntil) })]),
              ].join(", ")}
            </span>
          </span>
          <button
            type="button"
            className="btn q s"
            onClick={() =>
              void write(
                "membersRevoke",
                { space, invitation: id },
                { done: "devices.withdrawn", undo: "none" },
              )
            }
          >
            {t("devices.withdraw")}
          </button>
        </div>
      ))}
      <p className="f">{t("invite.final")}</p>
    </>
  );
}
