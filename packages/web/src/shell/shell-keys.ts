import { useEffect } from "react";
import { useAddress } from "../address/use-address.ts";
import { addDays, dayOf } from "../i18n/dates.ts";
import { useToasts } from "../ui/toasts.tsx";
import { useKeys, usePrefixKey } from "../ui/use-keys.ts";
import { VIEWS } from "./views.ts";

/** The keys that every view has. */
export function useShellKeys({ onHelp }: { readonly onHelp: () => void }): void {
  const { moment, set, go, to } = useAddress();
  const toasts = useToasts();
  const step = (days: number) => () => {
    const day = addDays(moment?.day ?? dayOf(Date.now()), days);
    set({ at: day >= dayOf(Date.now()) ? null : day });
  };
  const now = () => moment !== undefined && set({ at: null });
  useKeys({
    "?": onHelp,
    "[": step(-1),
    "]": step(1),
    "{": step(-7),
    "}": step(7),
    n: now,
    Escape: now,
    c: () => go(to("/compare")),
    "/": () => {
      const search = document.querySelector<HTMLInputElement>(".search input");
      if (search === null) go(to("/", { focus: "search" }));
      else search.focus();
    },
    ...Object.fromEntries(VIEWS.map(({ key, path }) => [`g ${key}`, () => go(to(path))])),
  });
  usePrefixKey();
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const isUndo = event.key === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey;
      if (!isUndo || isEditable(event.target)) return;
      event.preventDefault();
      void toasts.undoLast();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [toasts]);
}

/** Where Ctrl Z takes back letters. */
const isEditable = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches("input:not([type=range], [type=checkbox]), textarea");
