import { memo, useState } from "react";
import { Link } from "wouter";
import { useAddress } from "../../address/use-address.ts";
import type { Memory } from "../../api/client.ts";
import { clock, whenShort } from "../../i18n/dates.ts";
import { type Reader, useReader } from "../../i18n/text.ts";
import { By, deviceOf } from "../../ui/author.tsx";
import { ConflictTag } from "../../ui/conflict-tag.tsx";
import { languageOf } from "../../ui/words.tsx";
import { erasedWord } from "../memory/erased.tsx";
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
        {memory.erased === undefined ? (
          <p className="txt clamp" dir="auto" lang={languageOf(content)}>
            {content}
          </p>
        ) : (
          <p className="txt m">{reader.t(erasedWord(memory))}</p>
        )}
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

interface TagsProps {
  readonly memory: Pick<Memory, "tags" | "category" | "conflicts">;
  /** Whether those that have no room come at a click. */
  readonly canOpen?: boolean;
}

export function Tags({ memory, canOpen = false }: TagsProps) {
  const [isOpen, setOpen] = useState(false);
  const { category, conflicts, tags } = memory;
  const shown = [...(category === undefined ? [] : [category]), ...tags.filter((tag) => tag !== category)];
  if (shown.length === 0 && conflicts.length === 0) return null;
  return (
    <div className="tags">
      <ConflictTag conflicts={conflicts} />
      {shown.slice(0, isOpen ? shown.length : MOST_TAGS).map((tag) => (
        <bdi key={tag} className="tag" lang={languageOf(tag)}>
          {tag}
        </bdi>
      ))}
      {shown.length > MOST_TAGS && !isOpen && (
        <MoreTags n={shown.length - MOST_TAGS} onOpen={canOpen ? () => setOpen(true) : undefined} />
      )}
    </div>
  );
}

function MoreTags({ n, onOpen }: { readonly n: number; readonly onOpen: (() => void) | undefined }) {
  const { t } = useReader();
  const text = t("memories.moreTags", { n });
  if (onOpen === undefined) return <span className="tag more">{text}</span>;
  return (
    <button type="button" className="textlink" onClick={onOpen}>
      {text}
    </button>
  );
}
