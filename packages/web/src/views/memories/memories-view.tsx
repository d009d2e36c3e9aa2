import { useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import { useReader } from "../../i18n/text.ts";
import { Icon } from "../../ui/icon.tsx";
import { Failed, Loading } from "../../ui/states.tsx";
import { Head } from "../../ui/title.tsx";
import { Filters } from "./filter-bar.tsx";
import { orderIn } from "./filters.ts";
import { MemoryList } from "./memory-list.tsx";
import { News } from "./news.tsx";
import { NoMemories } from "./no-memories.tsx";
import { Search } from "./search.tsx";
import { Sort } from "./sort.tsx";
import { useMemories } from "./use-memories.ts";
import { WriteDialog } from "./write-dialog.tsx";

export function MemoriesView() {
  const { t } = useReader();
  const { moment, params } = useAddress();
  const listed = useMemories();
  const [isWriting, setWriting] = useState(false);
  const isList = !params.has("q");
  const isByDay = isList && orderIn(params) === "changed";
  return (
    <>
      <Head title={t("nav.memories")}>
        {moment === undefined && (
          <button type="button" className="btn" onClick={() => setWriting(true)}>
            <Icon name="plus" />
            {t("memories.add")}
          </button>
        )}
      </Head>
      <Search />
      <div className="narrowing">
        <Filters />
        <Sort />
      </div>
      {moment === undefined && !params.has("conflict") && <News since={listed.readAt} />}
      {listed.error !== undefined && <Failed error={listed.error} onRetry={listed.retry} />}
      {listed.isLoading && listed.error === undefined && <Loading />}
      {!listed.isLoading && listed.error === undefined && listed.memories.length === 0 && (
        <NoMemories onAdd={() => setWriting(true)} />
      )}
      <MemoryList listed={listed} isByDay={isByDay} />
      {listed.unreadable > 0 && (
        <p className="f note">{t("memories.unreadable", { n: listed.unreadable })}</p>
      )}
      {isWriting && <WriteDialog onClose={() => setWriting(false)} />}
    </>
  );
}
