import { useEffect, useRef } from "react";

/** By key, as in `KeyboardEvent.key`; `g m` is one after the other. */
export type Keys = Readonly<Record<string, () => void>>;

const PREFIX = "g";
const PREFIX_MS = 1_200;
const STORED = "cambium-keys";

export const areKeysOn = (): boolean => localStorage.getItem(STORED) !== "off";
export const setKeysOn = (on: boolean): void => localStorage.setItem(STORED, on ? "on" : "off");

let prefixAt = Number.NEGATIVE_INFINITY;

/** Single keys, unless somebody types, or has turned them off. */
export function useKeys(keys: Keys): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !areKeysOn() || isTyping(event)) return;
      const isSecond = performance.now() - prefixAt < PREFIX_MS;
      const action = current.current[isSecond ? `${PREFIX} ${event.key}` : event.key];
      if (action === undefined) return;
      event.preventDefault();
      prefixAt = Number.NEGATIVE_INFINITY;
      action();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}

/** Notes the first of two keys, after all others have looked at it. */
export function usePrefixKey(): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!event.defaultPrevented && event.key === PREFIX && !isTyping(event)) prefixAt = performance.now();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}

const WITH_TEXT = new Set(["text", "search", "url", "email", "password", "number", "date", "datetime-local"]);

/** Keys with Ctrl or the like are somebody else's. */
function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true;
  // An open dialog has all keys, also when what had the focus in it is gone.
  if (document.querySelector("dialog[open]") !== null) return true;
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return WITH_TEXT.has(target.type);
  if (target.closest("dialog, [popover]") !== null) return true;
  return (
    target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable
  );
}
