import { Link } from "wouter";
import { useAddress } from "../address/use-address.ts";
import { numberFormat } from "../i18n/formats.ts";
import { useReader } from "../i18n/text.ts";
import { Icon, Mark } from "../ui/icon.tsx";
import { useEpisodesAhead } from "../views/timeline/use-episodes.ts";
import { BranchPicker } from "./branch-picker.tsx";
import { useSettings } from "./settings.ts";
import { SpacePicker } from "./space-picker.tsx";
import { SyncWord } from "./sync-word.tsx";
import { useCounts } from "./use-counts.ts";
import { isOf, VIEWS, type ViewEntry } from "./views.ts";

export function Side({ onHelp }: { readonly onHelp: () => void }) {
  const { t } = useReader();
  const readAhead = useEpisodesAhead(useCounts().memories !== undefined);
  return (
    <aside className="side" aria-label="Cambium">
      <div className="brand">
        <Mark />
        Cambium
      </div>
      <SpacePicker />
      <BranchPicker />
      <nav aria-label={t("app.views")}>
        {useViews().map((view) => (
          <Entry key={view.path} view={view} ahead={view.path === "/timeline" ? readAhead : undefined} />
        ))}
      </nav>
      <SyncWord />
      <div className="foot">
        <Choices />
        <button type="button" onClick={onHelp}>
          {t("keys.title")}
        </button>
      </div>
    </aside>
  );
}

/** Light or dark, and the language. */
export function Choices() {
  const { language, t } = useReader();
  const { theme, setTheme, setLanguage } = useSettings();
  return (
    <>
      <button type="button" onClick={() => setTheme(theme === "dark" ? "light" : "dark")}>
        {t(theme === "dark" ? "theme.light" : "theme.dark")}
      </button>
      <button
        type="button"
        lang={language === "ko" ? "en" : "ko"}
        onClick={() => setLanguage(language === "ko" ? "en" : "ko")}
      >
        {t("language.other")}
      </button>
    </>
  );
}

/** With one branch, there is no view of branches. */
function useViews(): readonly ViewEntry[] {
  const { path } = useAddress();
  const { branches } = useCounts();
  return VIEWS.filter((view) => view.path !== "/branches" || branches > 1 || isOf(view.path, path));
}

interface EntryProps {
  readonly view: ViewEntry;
  /** Called when a hand is on the way to it. */
  readonly ahead: (() => void) | undefined;
}

function Entry({ view, ahead }: EntryProps) {
  const { t } = useReader();
  const { path, to } = useAddress();
  return (
    <Link
      href={to(view.path)}
      aria-current={isOf(view.path, path) ? "page" : undefined}
      onPointerEnter={ahead}
      onFocus={ahead}
    >
      <Icon name={view.icon} />
      {t(view.name)}
      <Count path={view.path} />
    </Link>
  );
}

function Count({ path }: { readonly path: string }) {
  const { locale, t } = useReader();
  const { memories, branches, asks, proposals } = useCounts();
  const waiting = asks + proposals;
  const shown = (count: number) => numberFormat(locale).format(count);
  if (path === "/" && memories !== undefined) return <span className="n">{shown(memories)}</span>;
  if (path === "/branches") return <span className="n">{shown(branches)}</span>;
  if (path !== "/review" || waiting === 0) return null;
  return (
    <span className="badge">
      <span aria-hidden="true">{shown(waiting)}</span>
      <span className="vh">{t("nav.waiting", { n: waiting })}</span>
    </span>
  );
}

/** At the bottom of narrow screens; branches are reached through their picker. */
export function Tabs() {
  const { t } = useReader();
  const { path, to } = useAddress();
  const { asks, proposals } = useCounts();
  const waiting = asks + proposals;
  return (
    <nav className="tabs" aria-label={t("app.views")}>
      {VIEWS.filter((view) => view.path !== "/branches").map((view) => (
        <Link key={view.path} href={to(view.path)} aria-current={isOf(view.path, path) ? "page" : undefined}>
          <Icon name={view.icon} />
          {t(view.short)}
          {view.path === "/review" && waiting > 0 && (
            <span className="badge">
              <span aria-hidden="true">{waiting}</span>
              <span className="vh">{t("nav.waiting", { n: waiting })}</span>
            </span>
          )}
        </Link>
      ))}
    </nav>
  );
}
