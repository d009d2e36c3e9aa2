import { memo } from "react";
import { Link } from "wouter";
import { useAddress } from "../../address/use-address.ts";
import type { Memory } from "../../api/client.ts";
import { clock, whenShort } from "../../i18n/dates.ts";
import { type Reader, useReader } from "../../i18n/text.ts";
import { By, deviceOf } from "../../ui/author.tsx";
import { ConflictTag } from "../../ui/conflict-tag.tsx";
import { languageOf } from "../../ui/words.tsx";
import { useReadAhead } from "./use-listed.ts";

const MOST_TAGS = 5;

interface MemoryRowProps {
  readonly memory: Memory;
  readonly isByDay: boolean;
  /** What it reads now, where the page shows the past; null where it is forgotten since. */
  readonly later?: string | null | undefined;
}

/** Two lines of what was said, its tags, and who said it. */
export const MemoryRow = memo(({ memory, isByDay, later }: MemoryRowProps) => {
  const reader = useReader();
  const { to } = useAddress();
  const { id, content, by, at } = memory;
  const readAhead = useReadAhead(id);
  return (
    <Link className="mem" href={to(`/memory/${id}`)} onPointerEnter={readAhead} onFocus={readAhead}>
      <div>
        <p className="txt clamp" dir="auto" lang={languageOf(content)}>
          {content}
        </p>
        {later !== undefined && (
          <p className="later-line">
            {later === null ? (
              reader.t("since.forgotten")
            ) : (
              <>
                {reader.t("since.became")} <bdi lang={languageOf(later)}>{later}</bdi>
              </>
            )}
          </p>
        )}
        <Tags memory={memory} />
      </div>
      <div className="who">
        <By by={by} />
        <span className="f">
          {[deviceOf(reader, by), storyOf(reader, memory)].filter(Boolean).join(", ")}
        </span>
      </div>
      <div className="when">{isByDay ? clock(reader, at) : whenShort(reader, at)}</div>
    </Link>
  );
});

/** How often it has changed. */
function storyOf({ t }: Reader, { type, versions }: Memory): string {
  if (type === "correct") return t("memories.corrected");
  return versions > 1 ? t("memories.changedTimes", { n: versions - 1 }) : "";
}

export function Tags({ memory }: { readonly memory: Pick<Memory, "tags" | "category" | "conflicts"> }) {
  const { t } = useReader();
  const { category, conflicts, tags } = memory;
  const shown = [...(category === undefined ? [] : [category]), ...tags.filter((tag) => tag !== category)];
  if (shown.length === 0 && conflicts.length === 0) return null;
  return (
    <div className="tags">
      <ConflictTag conflicts={conflicts} />
      {shown.slice(0, MOST_TAGS).map((tag) => (
        <bdi key={tag} className="tag" lang={languageOf(tag)}>
          {tag}
        </bdi>
      ))}
      {shown.length > MOST_TAGS && (
        <span className="tag more">{t("memories.moreTags", { n: shown.length - MOST_TAGS })}</span>
      )}
    </div>
  );
}
