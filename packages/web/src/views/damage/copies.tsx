import { useAddress } from "../../address/use-address.ts";
import { useCall } from "../../api/use-call.ts";
import { dayAndTime } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { Command } from "../devices/command.tsx";

interface CopiesProps {
  /** Whether the space can be opened: what comes back joins it. */
  readonly isOpen: boolean;
}

const FOLDER = "~/cambium-again";

/** Where what is damaged here can still be had, and what brings it back. */
export function Copies({ isOpen }: CopiesProps) {
  const reader = useReader();
  const { t } = reader;
  const { space } = useAddress();
  const spaces = useCall("spacesList", {}).data?.spaces;
  const backups = useCall("backupsShow", { space }).data?.backups;
  const here = spaces?.find(({ id, name, isDefault }) =>
    space === "~" ? isDefault : id === space || name === space,
  );
  if (spaces === undefined || backups === undefined) return null;
  const [newest] = backups;
  const hasRelay = here !== undefined && here.relay !== null;
  const word = (text: string) => `"${text.replaceAll(/["\\$`]/g, "\\$&")}"`;
  return (
    <>
      <h3>{t("damage.copies")}</h3>
      {hasRelay && <p>{t(isOpen ? "damage.relay" : "damage.closedRelay")}</p>}
      {hasRelay && !isOpen && <Command text={`CAMBIUM_HOME=${FOLDER} cambium join <invitation>`} />}
      {newest !== undefined && (
        <>
          <p>{t("damage.backup", { when: dayAndTime(reader, newest.at) })}</p>
          <p className="code">{newest.path}</p>
          <p className="m">{t(isOpen ? "damage.backupMends" : "damage.closedBackup")}</p>
          <Command text={`cambium restore-backup --space ${word(here?.name ?? space)}`} />
        </>
      )}
      {!hasRelay && newest === undefined && <p className="warn">{t("damage.none")}</p>}
    </>
  );
}
