import { useAddress } from "../../address/use-address.ts";
import { useCall } from "../../api/use-call.ts";
import { useText } from "../../i18n/text.ts";
import { Segment } from "../../ui/segment.tsx";
import { Head } from "../../ui/title.tsx";
import { Asks } from "./asks.tsx";
import { Decided } from "./decided.tsx";

/** What waits for the reader's word, and what was decided. */
export function ReviewView() {
  const t = useText();
  const { space, params, set } = useAddress();
  const asks = useCall("requestsList", { space, state: "open" }).data?.requests.length ?? 0;
  const shown = params.get("show") === "decided" ? "decided" : "asks";
  return (
    <>
      <Head title={t("nav.review")} lead={asks === 0 ? undefined : t("review.asksLead", { n: asks })}>
        <Segment
          label={t("nav.review")}
          chosen={shown}
          choices={[
            ["asks", t("review.asks", { n: asks })],
            ["decided", t("review.decided")],
          ]}
          onChoose={(show) => set({ show: show === "asks" ? null : show, item: null })}
        />
      </Head>
      {shown === "asks" ? <Asks /> : <Decided />}
    </>
  );
}
