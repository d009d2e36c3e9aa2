import { type FormEvent, useId, useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import { call, type Input } from "../../api/client.ts";
import type { Schemas } from "../../api/interface.ts";
import { useCall } from "../../api/use-call.ts";
import { useReader } from "../../i18n/text.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { FormEnd } from "../../ui/form-end.tsx";
import { Select } from "../../ui/select.tsx";
import { useWrite } from "../../ui/use-write.ts";
import { ROLES } from "./invitation.tsx";

type Member = Schemas["Member"];

/** Who loses access with it, and what stands open although it goes. */
function Consequences({ asked }: { readonly asked: Input<"membersRevoke"> }) {
  const reader = useReader();
  const { data } = useCall("membersRevoke", { ...asked, preview: true });
  if (data === undefined) return null;
  const names = (list: readonly string[]) => new Intl.ListFormat(reader.locale).format(list);
  return (
    <>
      {data.devices.length > 1 && (
        <p className="warn">{reader.t("devices.alsoRemoved", { names: names(data.devices) })}</p>
      )}
      {data.keeping.length > 0 && (
        <p className="m">{reader.t("devices.keeping", { names: names(data.keeping) })}</p>
      )}
      {data.standing.length > 0 && (
        <p className="m">{reader.t("devices.kitsStand", { n: data.standing.length })}</p>
      )}
    </>
  );
}

export function Rename({ name }: { readonly name: string }) {
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

/** One's own access, or, where it shares that of its invitation, that one. */
function accessOf(space: string, { access, invitation }: Member): Input<"membersRevoke"> | undefined {
  if (access !== undefined) return { space, invitation: access };
  return invitation === undefined ? undefined : { space, invitation, devices: true };
}

interface RemoveProps {
  readonly member: Member;
  /** As it is shown. */
  readonly name: string;
}

export function Remove({ member, name }: RemoveProps) {
  const { t } = useReader();
  const { space } = useAddress();
  const write = useWrite();
  const [isAsked, setAsked] = useState(false);
  const asked = accessOf(space, member);
  if (asked === undefined) return null;
  const remove = async () => {
    const outcome = { done: "devices.removed", undo: "none" } as const;
    const done = await write("membersRevoke", asked, outcome);
    if (done !== undefined) setAsked(false);
  };
  return (
    <>
      <button type="button" className="btn q s" onClick={() => setAsked(true)}>
        {t("devices.remove")}
      </button>
      {isAsked && (
        <Dialog title={t("devices.removeTitle", { name })} onClose={() => setAsked(false)}>
          <p>{t(member.isRecoveryKit ? "kit.removeHint" : "devices.removeHint")}</p>
          <Consequences asked={asked} />
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

export function RoleChange({ member }: { readonly member: Member }) {
  const { t } = useReader();
  const [isAsked, setAsked] = useState(false);
  const { name, role, access, revokedAt } = member;
  if (role === undefined || access === undefined || revokedAt !== undefined) return null;
  return (
    <>
      <button type="button" className="btn q s" onClick={() => setAsked(true)}>
        {t("role.change")}
      </button>
      {isAsked && (
        <Dialog title={t("role.title", { name })} onClose={() => setAsked(false)}>
          <RoleForm device={access} name={name} present={role} onClose={() => setAsked(false)} />
        </Dialog>
      )}
    </>
  );
}

interface RoleFormProps {
  /** The id of its access. */
  readonly device: string;
  readonly name: string;
  readonly present: Schemas["Role"];
  readonly onClose: () => void;
}

function RoleForm({ device, name, present, onClose }: RoleFormProps) {
  const { t } = useReader();
  const { space } = useAddress();
  const write = useWrite();
  const id = useId();
  const [role, setRole] = useState(present);
  const isOther = role !== present;
  const asked = { space, device, role };
  const preview = useCall("membersChangeRole", isOther ? { ...asked, preview: true } : undefined);
  const ends = isOther ? preview.data : undefined;
  const change = async (event: FormEvent) => {
    event.preventDefault();
    const done = await write("membersChangeRole", asked, {
      done: "role.done",
      values: () => ({ name, role: t(`role.${role}`) }),
      undo: () => call("membersChangeRole", { ...asked, role: present }),
    });
    if (done !== undefined) onClose();
  };
  return (
    <form className="form" onSubmit={(event) => void change(event)}>
      <label htmlFor={id}>{t("role.may")}</label>
      <Select
        id={id}
        className="field"
        value={role}
        choices={ROLES.map((one) => [one, t(`role.${one}`)] as const)}
        onChoose={setRole}
      />
      <p className="m">{t("role.hint")}</p>
      {ends?.invitation !== undefined && <p className="m">{t("role.invitationEnds")}</p>}
      {ends !== undefined && ends.standing.length > 0 && (
        <p className="m">{t("devices.stillOpen", { n: ends.standing.length })}</p>
      )}
      <FormEnd onCancel={onClose} does={t("role.button")} isReady={isOther} />
    </form>
  );
}
