import { Link } from "wouter";
import { useAddress, useShown } from "../../address/use-address.ts";
import type { Memory } from "../../api/client.ts";
import { useCall } from "../../api/use-call.ts";
import { useReader } from "../../i18n/text.ts";
import { Icon } from "../../ui/icon.tsx";
import { Empty, Failed, Loading } from "../../ui/states.tsx";
import { Title } from "../../ui/title.tsx";
import { Diff, languageOf } from "../../ui/words.tsx";
import { Tags } from "../memories/memory-row.tsx";
import { useListed } from "../memories/use-listed.ts";
import { Blame } from "./blame.tsx";
import { CompareBar } from "./compare-bar.tsx";
import { ConflictCard } from "./conflict-card.tsx";
import { Erased } from "./erased.tsx";
import { Facts } from "./facts.tsx";
import { History } from "./history.tsx";
import { PutRight } from "./put-right.tsx";
import { SinceThen } from "./since-then.tsx";
import { Sources } from "./sources.tsx";
import { useChosenVersions } from "./use-chosen-versions.ts";
import type { Version } from "./versions.ts";

export function MemoryView({ id }: { readonly id: string }) {
  const { t } = useReader();
  const { to, moment } = useAddress();
  const shown = useShown();
  const { space, branch } = shown;
  const listed = useListed(id);
  const asked = useCall("get", { ...shown, id });
  // While it is asked for: the words that the list had, never those of another memory.
  const isThis = asked.data !== undefined && (!asked.isPlaceholderData || asked.data.id === id);
  const memory = { ...asked, data: isThis ? asked.data : listed };
  const isNotThen = moment !== undefined && memory.error?.code === "MEMORY_NOT_FOUND";
  const history = useCall("history", { space, branch, id });
  return (
    <>
      <p className="back">
        <Link href={to("/")} className="row m">
          <Icon name="left" />
          {t("memory.back")}
        </Link>
      </p>
      {memory.data === undefined && memory.error === null && <Loading />}
      {isNotThen && <NotThen />}
      {memory.error !== null && !isNotThen && (
        <Failed error={memory.error} onRetry={() => void memory.refetch()} />
      )}
      {memory.data !== undefined && memory.error === null && (
        <Opened
          key={memory.data.id}
          memory={memory.data}
          versions={history.isPlaceholderData ? [] : (history.data?.versions ?? [])}
        />
      )}
    </>
  );
}

function NotThen() {
  const { t } = useReader();
  const { set } = useAddress();
  return (
    <Empty title={t("memory.notThen")}>
      <button type="button" className="btn" onClick={() => set({ at: null })}>
        {t("past.now")}
      </button>
    </Empty>
  );
}

interface OpenedProps {
  readonly memory: Memory;
  readonly versions: readonly Version[];
}

function Opened({ memory, versions }: OpenedProps) {
  const { t } = useReader();
  const { moment } = useAddress();
  const chosen = useChosenVersions(versions);
  const isNewest = chosen.seen === undefined && chosen.from === undefined;
  return (
    <div className="two">
      <div>
        <Heading memory={memory} chosen={chosen} />
        {isNewest && <SinceThen then={memory} />}
        <CompareBar versions={versions} chosen={chosen} memory={memory} />
        {isNewest && <Tags memory={{ ...memory, conflicts: [] }} canOpen />}
        {isNewest &&
          moment === undefined &&
          memory.conflicts.map((conflict) => (
            <ConflictCard key={conflict.field} memory={memory} conflict={conflict} />
          ))}
        {isNewest && moment === undefined && <PutRight memory={memory} />}
        <Sources memory={memory} />
        {isNewest && <Blame id={memory.id} />}
      </div>
      <aside aria-label={t("memory.history")}>
        <History versions={versions} chosen={chosen} current={memory.record} />
        <Facts memory={memory} />
      </aside>
    </div>
  );
}

interface HeadingProps {
  readonly memory: Memory;
  readonly chosen: ReturnType<typeof useChosenVersions>;
}

/** The words: of now, of the version that is looked at, or of two versions as one. */
function Heading({ memory, chosen: { seen, from, to } }: HeadingProps) {
  const { erased, content: words } = seen ?? memory;
  if (from !== undefined && to !== undefined) {
    return (
      <>
        <Title className="vh" name={memory.content.slice(0, 80)}>
          {memory.content}
        </Title>
        <Diff before={from.content} after={to.content} className="lead" />
      </>
    );
  }
  if (erased !== undefined) return <Erased key={erased} memory={{ ...memory, erased }} />;
  return (
    <Title className="lead" lang={languageOf(words)} name={words.slice(0, 80)}>
      {words}
    </Title>
  );
}
