import { Route, Switch } from "wouter";
import { useText } from "../i18n/text.ts";
import { Title } from "../ui/title.tsx";
import { MemoriesView } from "../views/memories/memories-view.tsx";
import { MemoryView } from "../views/memory/memory-view.tsx";

export function Routes() {
  const t = useText();
  return (
    <Switch>
      <Route path="/" component={MemoriesView} />
      <Route path="/memory/:id">{({ id }) => <MemoryView id={id} />}</Route>
      <Route>
        <Title>{t("error.notFound")}</Title>
      </Route>
    </Switch>
  );
}
