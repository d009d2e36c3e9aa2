import { Link } from "wouter";
import { useAddress } from "../../address/use-address.ts";
import { useText } from "../../i18n/text.ts";

const TABS = [
  ["/timeline", "timeline.happened"],
  ["/compare", "timeline.compare"],
] as const;

export function TimelineTabs() {
  const t = useText();
  const { path, to } = useAddress();
  return (
    <nav className="seg" aria-label={t("nav.timeline")}>
      {TABS.map(([view, name]) => (
        <Link
          key={view}
          href={to(view)}
          className={view === path ? "on" : ""}
          aria-current={view === path ? "page" : undefined}
        >
          {t(name)}
        </Link>
      ))}
    </nav>
  );
}
