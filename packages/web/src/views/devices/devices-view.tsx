import { useAddress } from "../../address/use-address.ts";
import { useCall } from "../../api/use-call.ts";
import { useText } from "../../i18n/text.ts";
import { Choices } from "../../shell/side.tsx";
import { Failed, Loading } from "../../ui/states.tsx";
import { Head } from "../../ui/title.tsx";
import { DamagedSpace } from "../damage/damaged-space.tsx";
import { StoreSection } from "../damage/store-section.tsx";
import { PolicySection } from "../policy/policy-section.tsx";
import { SettingsSection } from "../settings/settings-section.tsx";
import { BackupCard } from "./backup-card.tsx";
import { Concealed } from "./concealed.tsx";
import { CopyCard } from "./copy-card.tsx";
import { Erasures } from "./erasures.tsx";
import { InviteCard } from "./invite-card.tsx";
import { KitCard } from "./kit-card.tsx";
import { Members } from "./members.tsx";

const WAYS = ["forget", "conceal", "erase", "remove"] as const;

export function DevicesView() {
  const t = useText();
  const { space } = useAddress();
  const members = useCall("membersList", { space });
  // A relay that is away lets the list wait: what this device knows by itself is there at once.
  const devices = useCall("membersDevices", { space }).data?.devices;
  const shown = members.data?.members ?? devices;
  const status = useCall("status", { space });
  const isAlone = status.data && status.data.relay.url === null;
  // A space that cannot be read has nothing to be set.
  if (status.error !== null)
    return (
      <>
        <Head title={t("nav.devices")} />
        <Failed error={status.error} onRetry={() => void status.refetch()}>
          {status.error.code === "STORE_DAMAGED" && <DamagedSpace />}
        </Failed>
      </>
    );
  return (
    <>
      <Head title={t("nav.devices")} lead={t(isAlone === true ? "devices.leadAlone" : "devices.lead")} />
      {members.error !== null && <Failed error={members.error} onRetry={() => void members.refetch()} />}
      {members.isPending && shown === undefined && <Loading />}
      {shown !== undefined && members.error === null && <Members members={shown} />}
      <div className="g2 sect">
        <InviteCard isAlone={isAlone} />
        <CopyCard />
        <BackupCard />
        <KitCard members={members.data?.members} />
      </div>
      <PolicySection />
      <SettingsSection />
      <StoreSection />
      <Concealed />
      <Erasures />
      <section className="sect">
        <h2>{t("devices.away")}</h2>
        <table className="tblx">
          <thead>
            <tr>
              <td />
              <th scope="col">{t("away.what")}</th>
              <th scope="col">{t("away.back")}</th>
              <th scope="col">{t("away.who")}</th>
            </tr>
          </thead>
          <tbody>
            {WAYS.map((way) => (
              <tr key={way}>
                <th scope="row">{t(`away.${way}`)}</th>
                <td>{t(`away.${way}What`)}</td>
                <td data-label={t("away.back")}>{t(`away.${way}Back`)}</td>
                <td data-label={t("away.who")}>{t(`away.${way}Who`)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <div className="foot narrow-only">
        <Choices />
      </div>
    </>
  );
}
