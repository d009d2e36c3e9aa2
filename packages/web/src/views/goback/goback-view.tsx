import { Link } from "wouter";
import { useAddress } from "../../address/use-address.ts";
import { useCall } from "../../api/use-call.ts";
import { useText } from "../../i18n/text.ts";
import { Failed, Loading } from "../../ui/states.tsx";
import { Head } from "../../ui/title.tsx";
import { CheckpointRow } from "./checkpoint-row.tsx";
import { PreviewCard } from "./preview-card.tsx";
import { SaveForm } from "./save-form.tsx";

export function GoBackView() {
  const t = useText();
  const { space, branch, moment, params, to } = useAddress();
  const { data, error, isPending } = useCall("checkpointsList", { space, branch });
  const checkpoints = data?.checkpoints ?? [];
  const isAsked = params.has("to") || params.has("since");
  return (
    <>
      <Head title={t("nav.goback")} lead={t("goback.lead")} />
      <div className="two w">
        <div>
          <SaveForm />
          {error !== null && <Failed error={error} />}
          {isPending && <Loading />}
          {!isPending && checkpoints.length === 0 && <p className="m note">{t("goback.none")}</p>}
          {checkpoints.map((checkpoint) => (
            <CheckpointRow key={checkpoint.id} checkpoint={checkpoint} />
          ))}
          {moment === undefined && (
            <p className="m note">
              {t("goback.instead")}{" "}
              <Link className="textlink" href={to("/branches", { try: "1" })}>
                {t("goback.try")}
              </Link>
            </p>
          )}
        </div>
        <div className={isAsked ? "sticky sheet" : "sticky"}>
          <PreviewCard checkpoints={checkpoints} />
        </div>
      </div>
    </>
  );
}
