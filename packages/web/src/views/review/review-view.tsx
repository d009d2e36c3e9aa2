import { useAddress } from "../../address/use-address.ts";
import { useText } from "../../i18n/text.ts";
import { useCounts } from "../../shell/use-counts.ts";
import { Segment } from "../../ui/segment.tsx";
import { Head } from "../../ui/title.tsx";
import { Asks } from "./asks.tsx";
import { Decided } from "./decided.tsx";
import { Proposals } from "./proposals.tsx";

const SHOWN = ["proposals", "asks", "decided"] as const;

/** Where something waits; proposals come first. */
const firstOf = (proposals: number, asks: number) => (proposals === 0 && asks > 0 ? "asks" : "proposals");

/** What waits for the reader's word, and what was decided. */
export function ReviewView() {
  const t = useText();
  const { params, set } = useAddress();
  const { asks, proposals } = useCounts();
  const shown = SHOWN.find((name) => name === params.get("show")) ?? firstOf(proposals, asks);
  const lead = { proposals: proposals > 0, asks: asks > 0, decided: false }[shown];
  return (
    <>
      <Head
        title={t("nav.review")}
        lead={
          lead
            ? shown === "asks"
              ? t("review.asksLead", { n: asks })
              : t("review.lead", { n: proposals })
            : undefined
        }
      >
        <Segment
          label={t("nav.review")}
          chosen={shown}
          choices={[
            ["proposals", t("review.waiting", { n: proposals })],
            ["asks", t("review.asks", { n: asks })],
            ["decided", t("review.decided")],
          ]}
          onChoose={(show) => set({ show, item: null })}
        />
      </Head>
      {shown === "proposals" && <Proposals />}
      {shown === "asks" && <Asks />}
      {shown === "decided" && <Decided />}
    </>
  );
}
