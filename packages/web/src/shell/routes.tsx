import { Route, Switch } from "wouter";
import { useSay } from "../i18n/text.ts";
import { Title } from "../ui/title.tsx";
import { MemoriesView } from "../views/memories/memories-view.tsx";
import { MemoryView } from "../views/memory/memory-view.tsx";

export function Routes() {
  const say = useSay();
  return (
    <Switch>
      <Route path="/" component={MemoriesView} />
      <Route path="/memory/:id">{({ id }) => <MemoryView id={id} />}</Route>
      <Route>
        <Title>{say("error.notFound")}</Title>
      </Route>
    </Switch>
  );
}
