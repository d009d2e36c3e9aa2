import { Link, Redirect, Route, Switch } from "wouter";
import { branchOfOldAddress } from "../address/address.ts";
import { useAddress } from "../address/use-address.ts";
import { useText } from "../i18n/text.ts";
import { Title } from "../ui/title.tsx";
import { BranchesView } from "../views/branches/branches-view.tsx";
import { DevicesView } from "../views/devices/devices-view.tsx";
import { GoBackView } from "../views/goback/goback-view.tsx";
import { MemoriesView } from "../views/memories/memories-view.tsx";
import { MemoryView } from "../views/memory/memory-view.tsx";
import { MergeView } from "../views/merge/merge-view.tsx";
import { ReviewView } from "../views/review/review-view.tsx";
import { CompareView } from "../views/timeline/compare-view.tsx";
import { TimelineView } from "../views/timeline/timeline-view.tsx";

export function Routes() {
  const t = useText();
  const { to } = useAddress();
  return (
    <Switch>
      <Route path="/" component={MemoriesView} />
      <Route path="/memory/:id">{({ id }) => <MemoryView id={id} />}</Route>
      <Route path="/timeline" component={TimelineView} />
      <Route path="/compare" component={CompareView} />
      <Route path="/branches" component={BranchesView} />
      <Route path="/merge" component={MergeView} />
      <Route path="/merge/*">
        {({ "*": name }) => <Redirect to={to("/merge", { from: branchOfOldAddress(name) })} replace />}
      </Route>
      <Route path="/review" component={ReviewView} />
      <Route path="/devices" component={DevicesView} />
      <Route path="/goback" component={GoBackView} />
      <Route>
        <Title>{t("error.notFound")}</Title>
        <p>
          <Link className="textlink" href={to("/")}>
            {t("nav.memories")}
          </Link>
        </p>
      </Route>
    </Switch>
  );
}
