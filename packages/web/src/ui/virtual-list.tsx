import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, type Ref, useEffect, useLayoutEffect, useRef, useState } from "react";
import { SCROLL_ID } from "../shell/scroll.ts";

interface VirtualListProps<Item> {
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /** In pixels, until it is measured. */
  readonly heightOf: (item: Item) => number;
  /** How many are drawn before and after those that can be seen. */
  readonly overscan: number;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
  readonly ref?: Ref<HTMLDivElement>;
  readonly children: (item: Item) => ReactNode;
}

/** Only what can be seen, and a little more. Asks for more near the end. */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { items, keyOf, heightOf, overscan, hasMore, loadMore, ref, children } = props;
  const place = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => setMargin(place.current?.offsetTop ?? 0), []);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => document.getElementById(SCROLL_ID),
    estimateSize: (index) => ((item) => (item === undefined ? 0 : heightOf(item)))(items[index]),
    getItemKey: (index) => ((item) => (item === undefined ? index : keyOf(item)))(items[index]),
    overscan,
    scrollMargin: margin,
  });
  const drawn = virtual.getVirtualItems();
  const last = drawn.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= items.length - overscan * 2) loadMore();
  }, [hasMore, last, items.length, overscan, loadMore]);
  return (
    <div ref={place}>
      <div ref={ref} className="items" style={{ height: virtual.getTotalSize() }}>
        {drawn.map(({ index, key, start }) => {
          const item = items[index];
          return (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className="item"
              style={{ transform: `translateY(${start - margin}px)` }}
            >
              {item !== undefined && children(item)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
