import { useAddress } from "../../address/use-address.ts";
import { call } from "../../api/client.ts";
import { useCall } from "../../api/use-call.ts";
import { refusalText } from "../../i18n/refusals.ts";
import { type Translate, useReader } from "../../i18n/text.ts";
import { Loading } from "../../ui/states.tsx";
import { useWrite } from "../../ui/use-write.ts";
import { changeBack, isRule, type Setting, type SettingsChange } from "./rules.ts";
import { WouldGo } from "./would-go.tsx";

interface DraftCardProps {
  readonly change: SettingsChange;
  readonly settings: readonly Setting[];
  readonly onDone: () => void;
}

/** What a change would let go of, before the button that makes it. */
export function DraftCard({ change, settings, onDone }: DraftCardProps) {
  const { t, language } = useReader();
  const { space } = useAddress();
  const write = useWrite();
  const asked = isRule(change) ? { space, preview: true, settings: change } : undefined;
  const preview = useCall("prune", asked);
  const save = () =>
    write(
      "changeSettings",
      { space, ...change },
      {
        done: "settings.saved",
        undo: (after) => call("changeSettings", { space, ...changeBack(settings, after.settings) }),
        leave: onDone,
      },
    );
  return (
    <div className="card draft" aria-live="polite">
      {asked !== undefined && preview.error !== null && (
        <p className="warn">{refusalText(preview.error, language)}</p>
      )}
      {asked !== undefined && preview.isPending && <Loading />}
      {asked !== undefined && preview.data !== undefined && preview.error === null && (
        <>
          <WouldGo result={preview.data} />
          {preview.data.counts.versions > 0 && <p className="f">{whenOf(t, settings)}</p>}
        </>
      )}
      <div className="row end">
        <button type="button" className="btn q" onClick={onDone}>
          {t("common.cancel")}
        </button>
        <button
          type="button"
          className="btn p"
          disabled={asked !== undefined && (preview.data === undefined || preview.isPlaceholderData)}
          onClick={() => void save()}
        >
          {t("settings.use")}
        </button>
      </div>
    </div>
  );
}

/** When the rules are carried out. */
function whenOf(t: Translate, settings: readonly Setting[]): string {
  const run = settings.find(({ key }) => key === "retention.run")?.value;
  if (run === "off") return t("settings.whenAsked");
  return t("settings.when", { often: t(run === "daily" ? "word.daily" : "word.weekly") });
}
