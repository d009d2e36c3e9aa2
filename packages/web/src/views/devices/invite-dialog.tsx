import { type FormEvent, useId, useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import type { Schemas } from "../../api/interface.ts";
import { DAY_MS } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { FormEnd } from "../../ui/form-end.tsx";
import { Select } from "../../ui/select.tsx";
import { useWrite } from "../../ui/use-write.ts";
import { Invitation, ROLES } from "./invitation.tsx";

const LASTS = { day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS, never: undefined } as const;
type Lasts = keyof typeof LASTS;
const LENGTHS: readonly Lasts[] = ["day", "week", "month", "never"];
const STAYS = { day: "stayDay", week: "stayWeek", month: "stayMonth", never: "stayNever" } as const;
const MOST_USES = 9_999;

interface InviteDialogProps {
  readonly role: Schemas["Role"];
  readonly onClose: () => void;
}

/** What whoever comes may do, until when, and how many may come. */
export function InviteDialog({ role: first, onClose }: InviteDialogProps) {
  const { t } = useReader();
  const { space } = useAddress();
  const write = useWrite();
  const [roleId, lastsId, staysId] = [useId(), useId(), useId()];
  const [role, setRole] = useState(first);
  const [lasts, setLasts] = useState<Lasts>("week");
  const [stays, setStays] = useState<Lasts>("never");
  const [uses, setUses] = useState("1");
  const [invitation, setInvitation] = useState<string>();
  const isReady = /^\d+$/.test(uses) && Number(uses) >= 1 && Number(uses) <= MOST_USES;
  const invite = async (event: FormEvent) => {
    event.preventDefault();
    const [ms, stayMs] = [LASTS[lasts], LASTS[stays]];
    const expiresAt = ms === undefined ? null : Date.now() + ms;
    const accessUntil = stayMs === undefined ? {} : { accessUntil: Date.now() + stayMs };
    const made = await write(
      "spacesInvite",
      { space, role, expiresAt, uses: Number(uses), ...accessUntil },
      { done: "invite.made", values: () => ({ n: Number(uses) }), undo: "none" },
    );
    setInvitation(made?.invitation);
  };
  return (
    <Dialog title={t("invite.title")} onClose={onClose}>
      {invitation === undefined ? (
        <form className="form" onSubmit={(event) => void invite(event)}>
          <label htmlFor={roleId}>{t("devices.inviteFor")}</label>
          <Select
            id={roleId}
            className="field"
            value={role}
            choices={ROLES.map((name) => [name, t(`role.${name}`)] as const)}
            onChoose={setRole}
          />
          <label htmlFor={lastsId}>{t("invite.until")}</label>
          <Select
            id={lastsId}
            className="field"
            value={lasts}
            choices={LENGTHS.map((name) => [name, t(`invite.${name}`)] as const)}
            onChoose={setLasts}
          />
          <label htmlFor={staysId}>{t("invite.stay")}</label>
          <Select
            id={staysId}
            className="field"
            value={stays}
            choices={LENGTHS.map((name) => [name, t(`invite.${STAYS[name]}`)] as const)}
            onChoose={setStays}
          />
          <Field
            label={t("invite.uses")}
            type="number"
            min="1"
            max={String(MOST_USES)}
            value={uses}
            onChange={setUses}
          />
          <p className="f">{t("devices.addHint")}</p>
          <FormEnd onCancel={onClose} does={t("devices.invite")} isReady={isReady} />
        </form>
      ) : (
        <Invitation invitation={invitation} lead={t("devices.how")} />
      )}
    </Dialog>
  );
}
