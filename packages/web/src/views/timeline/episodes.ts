/**
 * What happened, in a row for each author, day and kind of act.
 *
 * @module
 */
import type { Schemas } from "../../api/interface.ts";
import type { Translate } from "../../i18n/text.ts";

export type Episode = Schemas["Episode"];

export const KINDS = ["everything", "checkpoint", "merge", "large", "undo"] as const;
export type Kind = (typeof KINDS)[number];

/** From this many on, a change is a large one. */
const LARGE = 20;

export const sizeOf = ({ added, changed, hidden, restored }: Episode): number =>
  added + changed + hidden + restored;
export const isLarge = (episode: Episode): boolean => sizeOf(episode) >= LARGE;

export function isOfKind(episode: Episode, kind: Kind): boolean {
  if (kind === "everything") return true;
  if (kind === "large") return isLarge(episode);
  if (kind === "undo") return episode.kind === "undo" || episode.kind === "rollback";
  return episode.kind === kind;
}

/** 42 memories added and 3 memories changed */
export function countsOf(t: Translate, episode: Episode): string {
  const parts = (["added", "changed", "hidden", "restored"] as const)
    .filter((name) => episode[name] > 0)
    .map((name) => t(`event.${name}`, { n: episode[name] }));
  return parts.length === 0
    ? t("event.nothing")
    : parts.reduce((one, other) => t("event.and", { one, other }));
}

export function titleOf(t: Translate, episode: Episode): string {
  const { kind, branch, source, name = "" } = episode;
  if (kind === "checkpoint") return t("event.checkpoint", { name });
  if (kind === "merge")
    return source === undefined ? t("event.mergeUnknown", { branch }) : t("event.merge", { source, branch });
  const what = countsOf(t, episode);
  return kind === "write" ? what : t(`event.${kind}`, { what });
}

export interface EpisodeDay {
  readonly day: string;
  readonly episodes: readonly Episode[];
}

export function episodeDays(episodes: readonly Episode[]): readonly EpisodeDay[] {
  const days: { day: string; episodes: Episode[] }[] = [];
  for (const episode of episodes) {
    if (days.at(-1)?.day !== episode.day) days.push({ day: episode.day, episodes: [] });
    days.at(-1)?.episodes.push(episode);
  }
  return days;
}
