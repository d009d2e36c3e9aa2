import { useId, useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import type { Schemas } from "../../api/interface.ts";
import { useCall } from "../../api/use-call.ts";
import { ago } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { QrCode } from "../../ui/qr-code.tsx";
import { useWrite } from "../../ui/use-write.ts";
import { Command } from "./command.tsx";
import { Pair } from "./pairing.tsx";

const ROLES: readonly Schemas["Role"][] = ["write", "read", "admin"];

/**
 * For another device, or another person.
 *
 * @param isAlone - whether the space has no relay; undefined until that is known
 */
export function InviteCard({ isAlone }: { readonly isAlone: boolean | undefined }) {
  const { t } = useReader();
  const { space } = useAddress();
  const write = useWrite();
  const id = useId();
  const [role, setRole] = useState<Schemas["Role"]>("write");
  const [invitation, setInvitation] = useState<string>();
  const invite = async () => {
    const made = await write(
      "spacesInvite",
      { space, role, uses: 1 },
      { done: "devices.invited", undo: "none" },
    );
    if (made !== undefined) setInvitation(made.invitation);
  };
  return (
    <section className="card">
      <h2>{t("devices.add")}</h2>
      {isAlone === true && <p className="m">{t("devices.noRelay")}</p>}
      {isAlone === false && (
        <>
          <p className="m">{t("devices.addHint")}</p>
          <div className="row wrapx tools">
            <label htmlFor={id} className="f">
              {t("devices.inviteFor")}
            </label>
            <select
              id={id}
              className="field fit"
              value={role}
              onChange={({ target }) => setRole(target.value as Schemas["Role"])}
            >
              {ROLES.map((name) => (
                <option key={name} value={name}>
                  {t(`role.${name}`)}
                </option>
              ))}
            </select>
          </div>
          <div className="row wrapx">
            <Pair role={role} />
            <button type="button" className="btn q s" onClick={() => void invite()}>
              {t("devices.invite")}
            </button>
          </div>
          {invitation !== undefined && <Made invitation={invitation} />}
          <Standing />
        </>
      )}
    </section>
  );
}

function Made({ invitation }: { readonly invitation: string }) {
  const { t } = useReader();
  return (
    <div className="made">
      <QrCode text={invitation} label={t("devices.qr")} />
      <p className="f">{t("devices.qrHint")}</p>
      <p className="f">{t("devices.how")}</p>
      <Command text={`cambium join "${invitation}"`} />
    </div>
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
      {open.map(({ id, role, createdAt }) => (
        <div key={id} className="row">
          <span className="grow">
            {t("devices.standingLine", { role: t(`role.${role}`), when: ago(reader, createdAt) })}
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
    </>
  );
}
