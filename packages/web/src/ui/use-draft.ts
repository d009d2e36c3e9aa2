import { useCallback, useState } from "react";

/** By what they are for. As long as the page is open: nobody loses words to a key. */
const drafts = new Map<string, string>();

/** What somebody is writing, kept when its form is closed. */
export function useDraft(
  name: string,
  initial = "",
): readonly [text: string, write: (text: string) => void, forget: () => void] {
  const [text, setText] = useState(() => drafts.get(name) ?? initial);
  const write = useCallback(
    (next: string) => {
      drafts.set(name, next);
      setText(next);
    },
    [name],
  );
  const forget = useCallback(() => {
    drafts.delete(name);
    setText(initial);
  }, [name, initial]);
  return [text, write, forget];
}
