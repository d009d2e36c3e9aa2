import { useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import { type Answer, call } from "../../api/client.ts";
import { saveText } from "../../api/download.ts";
import type { Schemas } from "../../api/interface.ts";
import { date } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { By } from "../../ui/author.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { useWrite } from "../../ui/use-write.ts";

type Kit = Answer<"membersRecoveryKit">;
type Member = Schemas["Member"];

/** Words on paper that bring the space back when every device is lost: whether there are any, and making them. */
export function KitCard({ members }: { readonly members: readonly Member[] | undefined }) {
  const { t } = useReader();
  const [isAsked, setAsked] = useState(false);
  const kits = (members ?? []).filter(
    ({ isRecoveryKit, revokedAt }) => isRecoveryKit && revokedAt === undefined,
  );
  return (
    <section className="card">
      <h2>{t("kit.title")}</h2>
      {kits.length === 0
        ? members !== undefined && <p className="m">{t("kit.none")}</p>
        : kits.map((kit) => (
            <p key={kit.access} className="row">
              <span className="dot" />
              <span>
                {t("kit.registered")} {kit.invitedBy !== undefined && <By by={kit.invitedBy} />}
              </span>
            </p>
          ))}
      <p className="f">{t("kit.what")}</p>
      <div className="row end">
        <button type="button" className="btn s" onClick={() => setAsked(true)}>
          {t(kits.length === 0 ? "kit.make" : "kit.another")}
        </button>
      </div>
      {isAsked && <KitDialog onClose={() => setAsked(false)} />}
    </section>
  );
}

/** Before: what it is. After: the words, which are gone when the dialog is. */
function KitDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useReader();
  const { space } = useAddress();
  const write = useWrite();
  const [kit, setKit] = useState<Kit>();
  const [isMaking, setMaking] = useState(false);
  const make = async () => {
    setMaking(true);
    const made = await write(
      "membersRecoveryKit",
      { space },
      {
        done: "kit.made",
        undoFor: ({ id, relay }) =>
          relay === null ? undefined : () => call("membersRevoke", { space, invitation: id }),
      },
    );
    setMaking(false);
    if (made !== undefined) setKit(made);
  };
  return (
    <Dialog title={t("kit.title")} onClose={onClose}>
      {kit === undefined ? (
        <>
          <p>{t("kit.before")}</p>
          <p className="warn">{t("kit.power")}</p>
          <div className="row end">
            <button type="button" className="btn q" onClick={onClose}>
              {t("common.cancel")}
            </button>
            <button type="button" className="btn p" disabled={isMaking} onClick={() => void make()}>
              {t(isMaking ? "copy.making" : "kit.show")}
            </button>
          </div>
        </>
      ) : (
        <Words kit={kit} onClose={onClose} />
      )}
    </Dialog>
  );
}

function Words({ kit, onClose }: { readonly kit: Kit; readonly onClose: () => void }) {
  const reader = useReader();
  const { t } = reader;
  return (
    <>
      <p className="m">{t("kit.once", { date: date(reader, kit.madeAt) })}</p>
      <ol className="kitwords" lang="en">
        {kit.words.split(" ").map((word, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a word may come twice, and their order is what counts
          <li key={index}>{word}</li>
        ))}
      </ol>
      <div className="row wrapx end">
        <button
          type="button"
          className="btn"
          onClick={() => saveText(kit.page, `cambium-recovery-kit-${kit.space.name}.txt`)}
        >
          {t("kit.download")}
        </button>
        <button type="button" className="btn p" onClick={onClose}>
          {t("kit.written")}
        </button>
      </div>
    </>
  );
}
