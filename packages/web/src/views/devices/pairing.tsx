import { useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import type { Schemas } from "../../api/interface.ts";
import { useCall } from "../../api/use-call.ts";
import { clock } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { QrCode } from "../../ui/qr-code.tsx";
import { useWrite } from "../../ui/use-write.ts";
import { Command } from "./command.tsx";

const ASKS_MS = 1_500;

/** A code for one device that is at hand: for its camera, or to be typed. */
export function Pair({ role }: { readonly role: Schemas["Role"] }) {
  const { t } = useReader();
  const { space } = useAddress();
  const write = useWrite();
  const [pairing, setPairing] = useState<Schemas["Pairing"]>();
  const begin = async () => {
    const made = await write("membersPair", { space, role }, { done: "pair.made", undo: "none" });
    if (made !== undefined) setPairing(made);
  };
  const end = async (made: Schemas["Pairing"]) => {
    const { invitation, access } = made;
    await write("membersEndPairing", { space, invitation, access }, { done: "pair.ended", undo: "none" });
    setPairing(undefined);
  };
  if (pairing !== undefined) return <Shown pairing={pairing} onEnd={() => void end(pairing)} />;
  return (
    <button type="button" className="btn s" onClick={() => void begin()}>
      {t("pair.begin")}
    </button>
  );
}

interface ShownProps {
  readonly pairing: Schemas["Pairing"];
  readonly onEnd: () => void;
}

function Shown({ pairing: { code, link, invitation, expiresAt }, onEnd }: ShownProps) {
  const reader = useReader();
  const { t } = reader;
  const { space } = useAddress();
  const [hasCome, setCome] = useState<string>();
  const asked = hasCome === undefined ? { space, invitation } : undefined;
  const came = useCall("membersPaired", asked, { everyMs: ASKS_MS }).data?.device?.name;
  if (came !== undefined && hasCome === undefined) setCome(came);
  if (hasCome !== undefined)
    return (
      <p className="row" role="status">
        <span className="dot" />
        <bdi>{t("pair.came", { name: hasCome })}</bdi>
      </p>
    );
  return (
    <div className="made">
      <QrCode text={link} label={t("pair.qr")} />
      <p className="f">{t("pair.hint", { time: clock(reader, expiresAt) })}</p>
      <p className="paircode">{code}</p>
      <Command text={`cambium pair "${link}"`} />
      <button type="button" className="btn q s" onClick={onEnd}>
        {t("pair.end")}
      </button>
    </div>
  );
}
