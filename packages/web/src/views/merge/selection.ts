/**
 * What of a branch is brought into another: every tick and every answer, and the call that follows from them.
 *
 * @module
 */
import type { Answer, Input } from "../../api/client.ts";

export type MergePreview = Answer<"merge">;
export type Side = "source" | "target" | "both";

/** Words of the reader's own; what else differs is taken from the side that they began with. */
export interface OwnWords {
  readonly content: string;
  readonly rest: "source" | "target";
}

export type MergeAnswer = Side | OwnWords;

export interface Selection {
  /** Memories that stay on the branch. */
  readonly left: ReadonlySet<string>;
  /** By the memory in conflict. */
  readonly answers: ReadonlyMap<string, MergeAnswer>;
}

export const NOTHING_LEFT: Selection = { left: new Set(), answers: new Map() };

export function toggled(selection: Selection, ids: readonly string[], isTaken: boolean): Selection {
  const left = new Set(selection.left);
  for (const id of ids) {
    if (isTaken) left.delete(id);
    else left.add(id);
  }
  return { ...selection, left };
}

export function answered(selection: Selection, id: string, answer: MergeAnswer | undefined): Selection {
  const answers = new Map(selection.answers);
  if (answer === undefined) answers.delete(id);
  else answers.set(id, answer);
  return { ...selection, answers };
}

/** Branches that were written on from one preview to the next. */
export function movedBetween(seen: MergePreview, now: MergePreview): readonly string[] {
  return (["from", "to"] as const)
    .filter((side) => seen[side].heads.join() !== now[side].heads.join())
    .map((side) => now[side].branch);
}

/** What still holds in a newer preview: every tick, and each answer whose question is the same. */
export function heldIn({ left, answers }: Selection, seen: MergePreview, now: MergePreview): Selection {
  const questions = ({ conflicts }: MergePreview) =>
    new Map(conflicts.map(({ id, fields }) => [id, JSON.stringify(fields)]));
  const [before, after] = [questions(seen), questions(now)];
  return { left, answers: new Map([...answers].filter(([id]) => before.get(id) === after.get(id))) };
}

/** Those in conflict are not among what changes by itself. */
export function plainOf(preview: MergePreview) {
  const contested = new Set(preview.conflicts.map(({ id }) => id));
  const isPlain = ({ id }: { readonly id: string }) => !contested.has(id);
  return {
    created: preview.created.filter(isPlain),
    changed: preview.changed.filter(isPlain),
    deleted: preview.deleted.filter(isPlain),
  };
}

export interface Totals {
  readonly all: number;
  readonly taken: readonly string[];
  readonly created: number;
  readonly changed: number;
  readonly deleted: number;
  readonly answers: number;
}

export function totalsOf(preview: MergePreview, { left, answers }: Selection): Totals {
  const plain = plainOf(preview);
  const taken = (memories: readonly { readonly id: string }[]) =>
    memories.map(({ id }) => id).filter((id) => !left.has(id));
  const [created, changed, deleted] = [taken(plain.created), taken(plain.changed), taken(plain.deleted)];
  const settled = preview.conflicts.map(({ id }) => id).filter((id) => isAnswer(answers.get(id)));
  return {
    all: plain.created.length + plain.changed.length + plain.deleted.length + preview.conflicts.length,
    taken: [...created, ...changed, ...deleted, ...settled],
    ...{ created: created.length, changed: changed.length, deleted: deleted.length, answers: settled.length },
  };
}

/** Words that are not there yet are none. */
const isAnswer = (answer: MergeAnswer | undefined): boolean =>
  typeof answer === "object" ? answer.content.trim() !== "" : answer !== undefined;

type Resolutions = NonNullable<Input<"merge">["resolutions"]>;

function resolutionsOf({ conflicts }: MergePreview, { answers }: Selection): Resolutions {
  return Object.fromEntries(
    conflicts.flatMap(({ id, fields }) => {
      const answer = answers.get(id);
      if (answer === undefined || !isAnswer(answer)) return [];
      if (typeof answer === "string") return [[id, answer]];
      const { content, rest } = answer;
      const own = fields.map(({ field }) => [
        field,
        field === "content" ? { value: content } : { take: rest },
      ]);
      return [[id, Object.fromEntries(own)]];
    }),
  );
}

/** Refused if either branch has moved on since the preview. */
export function mergeOf(preview: MergePreview, selection: Selection): Omit<Input<"merge">, "space"> {
  const { all, taken } = totalsOf(preview, selection);
  const resolutions = resolutionsOf(preview, selection);
  return {
    from: preview.from.branch,
    into: preview.to.branch,
    expect: { from: preview.from.heads, into: preview.to.heads },
    ...(taken.length === all ? {} : { only: { ids: taken } }),
    ...(Object.keys(resolutions).length === 0 ? {} : { resolutions }),
  };
}
