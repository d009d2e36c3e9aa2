import type { Key } from "../i18n/catalogue.ts";
import type { IconName } from "../ui/icon.tsx";

export interface ViewEntry {
  readonly path: string;
  readonly icon: IconName;
  readonly name: Key;
  /** On narrow screens. */
  readonly short: Key;
  /** After `g`. */
  readonly key: string;
}

/** As the side bar lists them. */
export const VIEWS: readonly ViewEntry[] = [
  { path: "/", icon: "memories", name: "nav.memories", short: "nav.memories", key: "m" },
  { path: "/timeline", icon: "timeline", name: "nav.timeline", short: "nav.timeline", key: "t" },
  { path: "/branches", icon: "branch", name: "nav.branches", short: "nav.branches", key: "b" },
  { path: "/review", icon: "review", name: "nav.review", short: "nav.review", key: "r" },
  { path: "/goback", icon: "flag", name: "nav.goback", short: "nav.goback.short", key: "s" },
  { path: "/devices", icon: "devices", name: "nav.devices", short: "nav.devices.short", key: "d" },
];

/** Whether a path belongs to a view: one memory belongs to Memories. */
export function isOf(view: string, path: string): boolean {
  if (view === "/") return path === "/" || path.startsWith("/memory/");
  if (view === "/timeline") return path === "/timeline" || path === "/compare";
  if (view === "/branches") return path === "/branches" || path === "/merge";
  return path === view;
}
