import type { Schemas } from "../../api/interface.ts";
import { useReader } from "../../i18n/text.ts";
import { QrCode } from "../../ui/qr-code.tsx";
import { Command } from "./command.tsx";

export const ROLES: readonly Schemas["Role"][] = ["write", "read", "admin"];

interface InvitationProps {
  readonly invitation: string;
  /** Above the command. */
  readonly lead: string;
}

/** For a camera, and to be run. */
export function Invitation({ invitation, lead }: InvitationProps) {
  const { t } = useReader();
  return (
    <div className="made">
      <QrCode text={invitation} label={t("devices.qr")} />
      <p className="f">{t("devices.qrHint")}</p>
      <p className="f">{lead}</p>
      <Command text={`cambium join "${invitation}"`} />
    </div>
  );
}
