import { useEffect, useRef, useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import { useReader } from "../../i18n/text.ts";
import { Icon } from "../../ui/icon.tsx";

/** Answers come while somebody types: at once, and then not for every letter of a quick word. */
const PAUSE_MS = 90;

export function Search() {
  const { t } = useReader();
  const { moment, params, set } = useAddress();
  const query = params.get("q") ?? "";
  const [text, setText] = useState(query);
  const pausing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const askedAt = useRef(Number.NEGATIVE_INFINITY);
  const field = useRef<HTMLInputElement>(null);
  const wantsFocus = params.has("focus");
  useEffect(() => {
    // The address has changed elsewhere: the way back, or a filter taken away.
    if (document.activeElement !== field.current) setText(query);
  }, [query]);
  useEffect(() => {
    if (!wantsFocus) return;
    field.current?.focus();
    set({ focus: null }, { replace: true });
  }, [wantsFocus, set]);
  // Who has left this view does not come back to it.
  useEffect(() => () => clearTimeout(pausing.current), []);
  const type = (next: string) => {
    setText(next);
    clearTimeout(pausing.current);
    const asked = next.trim();
    const ask = () => {
      askedAt.current = performance.now();
      set({ q: asked === "" ? null : asked }, { replace: true });
    };
    const wait = PAUSE_MS - (performance.now() - askedAt.current);
    if (wait <= 0) ask();
    else pausing.current = setTimeout(ask, wait);
  };
  const placeholder = moment === undefined ? t("memories.placeholder") : t("memories.placeholderPast");
  return (
    <label className="search">
      <Icon name="search" />
      <span className="vh">{t("memories.search")}</span>
      <input
        ref={field}
        type="search"
        placeholder={placeholder}
        value={text}
        onChange={({ target }) => type(target.value)}
      />
      <kbd>/</kbd>
    </label>
  );
}
