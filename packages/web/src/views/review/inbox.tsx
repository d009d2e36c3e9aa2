import { type ReactNode, useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import { useText } from "../../i18n/text.ts";
import { useKeys } from "../../ui/use-keys.ts";

export interface InboxItem {
  readonly id: string;
  readonly row: ReactNode;
  /** It can only be rejected. */
  readonly isStale?: boolean;
}

interface InboxProps {
  readonly items: readonly InboxItem[];
  readonly acceptText: (n: number) => string;
  readonly rejectText: string;
  readonly onAccept: (ids: readonly string[]) => Promise<void>;
  readonly onReject: (ids: readonly string[]) => Promise<void>;
  readonly onEdit?: (id: string) => void;
  /** Of the item that is open. */
  readonly children: (id: string) => ReactNode;
}

/** A list with ticks at the left, what is open at the right, and keys for both. */
export function Inbox({ items, acceptText, rejectText, onAccept, onReject, onEdit, children }: InboxProps) {
  const t = useText();
  const { params, moment, set } = useAddress();
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const index = Math.max(
    0,
    items.findIndex(({ id }) => id === params.get("item")),
  );
  const open = items[index];
  const selected = items.filter(({ id }) => ticked.has(id));
  const all = selected.map(({ id }) => id);
  const acceptable = selected.filter(({ isStale }) => isStale !== true).map(({ id }) => id);
  const isNow = moment === undefined;
  const tick = (id: string) =>
    setTicked(new Set(ticked.has(id) ? [...ticked].filter((each) => each !== id) : [...ticked, id]));
  const goTo = (at: number) => {
    const item = items[Math.min(items.length - 1, Math.max(0, at))];
    if (item !== undefined) set({ item: item.id }, { replace: true });
  };
  const acceptSelected = () => isNow && acceptable.length > 0 && void onAccept(acceptable);
  useKeys({
    j: () => goTo(index + 1),
    k: () => goTo(index - 1),
    " ": () => open !== undefined && tick(open.id),
    a: () => isNow && open !== undefined && open.isStale !== true && void onAccept([open.id]),
    x: () => isNow && open !== undefined && void onReject([open.id]),
    A: acceptSelected,
    ...(onEdit === undefined ? {} : { e: () => isNow && open !== undefined && onEdit(open.id) }),
  });
  return (
    <div className="rev">
      <div className="list">
        <div className="bulk">
          <label className="row grow">
            <input
              type="checkbox"
              checked={selected.length === items.length}
              onChange={({ target }) => setTicked(new Set(target.checked ? items.map(({ id }) => id) : []))}
            />
            {selected.length === 0 ? t("review.select") : t("review.selected", { n: selected.length })}
          </label>
          {selected.length > 0 && isNow && (
            <>
              <button type="button" className="btn q s" onClick={() => void onReject(all)}>
                {rejectText}
              </button>
              <button
                type="button"
                className="btn p s"
                disabled={acceptable.length === 0}
                onClick={acceptSelected}
              >
                {acceptText(acceptable.length)}
              </button>
            </>
          )}
        </div>
        {items.map(({ id, row }) => (
          <div key={id} className={id === open?.id ? "pr on" : "pr"}>
            <input
              type="checkbox"
              aria-labelledby={`item-${id}`}
              checked={ticked.has(id)}
              onChange={() => tick(id)}
            />
            <button
              type="button"
              id={`item-${id}`}
              aria-pressed={id === open?.id}
              onClick={() => set({ item: id }, { replace: true })}
            >
              {row}
            </button>
          </div>
        ))}
      </div>
      <div>{open !== undefined && children(open.id)}</div>
    </div>
  );
}
