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
import { Invitation, ROLES } from "./invitation.tsx";

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
        <p className="m">{reader.t("devices.stillOpen", { n: data.standing.length })}</p>
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

/** What a device may do comes with its invitation: it gets another one. */
export function RoleChange({ member }: { readonly member: Member }) {
  const { t } = useReader();
  const { space } = useAddress();
  const [isAsked, setAsked] = useState(false);
  const { name, role, revokedAt } = member;
  const asked = accessOf(space, member);
  const isOffered = asked !== undefined && role !== undefined && revokedAt === undefined;
  // The dialog outlives the access that it ends.
  if (!isOffered && !isAsked) return null;
  return (
    <>
      {isOffered && (
        <button type="button" className="btn q s" onClick={() => setAsked(true)}>
          {t("role.change")}
        </button>
      )}
      {isAsked && (
        <Dialog title={t("role.title", { name })} onClose={() => setAsked(false)}>
          <RoleForm asked={asked} name={name} present={role} onClose={() => setAsked(false)} />
        </Dialog>
      )}
    </>
  );
}

interface RoleFormProps {
  readonly asked: Input<"membersRevoke"> | undefined;
  readonly name: string;
  readonly present: Schemas["Role"] | undefined;
  readonly onClose: () => void;
}

function RoleForm({ asked, name, present, onClose }: RoleFormProps) {
  const { t } = useReader();
  const { space } = useAddress();
  const write = useWrite();
  const id = useId();
  const [role, setRole] = useState(present ?? "write");
  const [invitation, setInvitation] = useState<string>();
  const change = async (event: FormEvent) => {
    event.preventDefault();
    if (asked === undefined) return;
    const ended = await write("membersRevoke", asked, { done: "role.ended", undo: "none" });
    if (ended === undefined) return;
    const outcome = { done: "role.done", values: () => ({ name }), undo: "none" } as const;
    const made = await write("spacesInvite", { space, role, uses: 1 }, outcome);
    setInvitation(made?.invitation);
  };
  if (invitation !== undefined)
    return <Invitation invitation={invitation} lead={t("role.again", { name })} />;
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
      {asked !== undefined && <Consequences asked={asked} />}
      <FormEnd onCancel={onClose} does={t("role.button")} isReady={role !== present} />
    </form>
  );
}
