/**
 * Making a brief: what others wrote since an agent's last one, what is undecided, what waits, and what matters.
 *
 * What matters is what is left of a memory's strength, weighed by its importance: else whatever was written
 * yesterday would come before what must never be forgotten.
 *
 * @module
 */
import {
  addUsage,
  CambiumError,
  compareText,
  type MemoryId,
  NO_USAGE,
  ORDINARY_IMPORTANCE,
  type ReplicaId,
  retentionStrength,
  type Usage,
} from "@cambium/core";
import { callerText } from "@cambium/core/text";
import type { ApprovalRequest, Brief, BriefNews, BriefOptions } from "../api.js";
import { namedAuthor } from "../documents/device-names.js";
import type { Outline } from "../index-store/brief-queries.js";
import type { SpaceServices } from "../space/space-services.js";
import type { FoundState } from "../space/state-finder.js";
import type { BriefMark, BriefMarks } from "./brief-marks.js";
import { clippedLine } from "./clip.js";
import { writeBrief } from "./write-brief.js";

export interface BriefMakerOptions
  extends Pick<SpaceServices, "finder" | "index" | "uses" | "catalog" | "now"> {
  readonly space: string;
  readonly replica: ReplicaId;
  readonly marks: BriefMarks;
  /** Those that wait for the owner. */
  readonly requests: () => Promise<readonly ApprovalRequest[]>;
  readonly notices: () => Promise<readonly string[]>;
}

const DEFAULT_BYTES = 4_000;
const LEAST_BYTES = 500;
const MOST_BYTES = 1_000_000;
/** A line takes about as many bytes, at the least; so what a brief has no room for is not read. */
const LEAST_LINE = 40;
/** Of each kind, so many memories are looked at to find the strongest. */
const CANDIDATES = 200;

export async function makeBrief(options: BriefMakerOptions, asked: BriefOptions = {}): Promise<Brief> {
  const maxBytes = checkedBytes(asked.maxBytes);
  const { finder, marks, now } = options;
  const { agent, branch, peek = false } = asked;
  const found = await finder.find({ branch });
  const { heads } = found.ref;
  const mark = marks.find(found.branch.id, agent);
  const since = await sinceOf(options, found, asked, mark);
  const { news, ids, visible } =
    since === undefined ? NOTHING_NEW : newsOf(options, { since, found, agent, maxBytes });
  const brief = writeBrief(
    {
      ...{ space: options.space, branch: found.branch.name, agent, heads },
      since: since && { ref: since.ref, at: since.at },
      news,
      conflicts: conflictsOf(options, found, maxBytes),
      requests: await requestsOf(options, maxBytes),
      notices: (await options.notices()).map((notice) => clippedLine(notice, lineSpace(maxBytes))),
      matters: await mattersOf(options, { found, known: ids, described: visible, maxBytes }),
    },
    maxBytes,
  );
  if (!peek) marks.put(found.branch.id, agent, { heads, at: now() });
  return brief;
}

function checkedBytes(maxBytes = DEFAULT_BYTES): number {
  if (Number.isInteger(maxBytes) && maxBytes >= LEAST_BYTES && maxBytes <= MOST_BYTES) return maxBytes;
  const message = `maxBytes has to be a whole number from ${LEAST_BYTES} to ${MOST_BYTES}.`;
  throw new CambiumError("BAD_INPUT", message);
}

/** From when on all is new. */
interface Since {
  readonly state: FoundState["state"];
  readonly ref: string;
  /** When that was, if it is known. */
  readonly at: number | undefined;
}

async function sinceOf(
  { finder, index }: BriefMakerOptions,
  { branch, view }: FoundState,
  { since }: BriefOptions,
  mark: BriefMark | undefined,
): Promise<Since | undefined> {
  if (since !== undefined) {
    const found = await finder.find({ branch: branch.id, at: since });
    if (found.branch.id !== branch.id) {
      const message = `${since} is a state of ${found.branch.name}, and the brief is of ${branch.name}.`;
      throw new CambiumError("BAD_INPUT", message, { hint: "Compare branches with `cambium diff`." });
    }
    return { state: found.state, ref: since, at: found.at };
  }
  if (mark === undefined) return undefined;
  // A branch that was empty has no heads to name it by, and a restored one may lack those that were seen.
  const isHere = mark.heads.every((head) => index.tables.changes.placeOf(view.row, head) !== undefined);
  const isNamed = isHere && mark.heads.length > 0;
  const point = isNamed ? `heads:${mark.heads.join(",")}` : new Date(mark.at).toISOString();
  const { state } = await finder.find({ at: `${branch.id}@${point}` });
  return { state, ref: `${branch.name}@${point}`, at: mark.at };
}

const NOTHING_NEW = { news: { total: 0, items: [] }, ids: new Set<MemoryId>(), visible: 0 } as const;

interface NewsRequest {
  readonly since: Since;
  readonly found: FoundState;
  readonly agent: string | undefined;
  readonly maxBytes: number;
}

function newsOf(
  { index, replica, catalog }: BriefMakerOptions,
  { since, found, agent, maxBytes }: NewsRequest,
) {
  const all = index.briefs.differences(since.state, found.state).flatMap(({ before, after }) => {
    const shown = after ?? before;
    const [was, is] = [before?.deleted === false, after?.deleted === false];
    if (shown === undefined || (!was && !is)) return [];
    const isOwn = agent !== undefined && shown.by.agent === agent && shown.by.replica === replica;
    return isOwn ? [] : [{ shown, what: !is ? "forgotten" : was ? "changed" : "created" } as const];
  });
  all.sort((a, b) => b.shown.at - a.shown.at || compareText(a.shown.id, b.shown.id));
  const items = all.slice(0, mostLines(maxBytes)).map(
    ({ shown: { id, by, at, content }, what }): BriefNews => ({
      ...{ id, what, by: namedAuthor(catalog.current, by), at },
      text: clippedLine(content(), lineSpace(maxBytes)),
    }),
  );
  const ids = new Set(all.map(({ shown }) => shown.id));
  const visible = all.filter(({ what }) => what !== "forgotten").length;
  return { news: { total: all.length, items }, ids, visible };
}

function conflictsOf({ index }: BriefMakerOptions, { state }: FoundState, maxBytes: number) {
  const all = index.briefs.conflicts(state);
  const items = all.slice(0, mostLines(maxBytes)).map(({ id, content, conflicts }) => ({
    id,
    fields: conflicts.map(({ field }) => field),
    text: clippedLine(content, lineSpace(maxBytes)),
  }));
  return { total: all.length, items };
}

async function requestsOf({ requests, catalog }: BriefMakerOptions, maxBytes: number) {
  const all = await requests();
  const items = all.slice(0, mostLines(maxBytes)).map(({ id, operation, branch, by, at }) => ({
    ...{ id, operation, at },
    ...(branch === undefined ? {} : { branch: clippedLine(branch, lineSpace(maxBytes)) }),
    by: callerText(namedAuthor(catalog.current, by), (part) => clippedLine(part, lineSpace(maxBytes))),
  }));
  return { total: all.length, items };
}

interface MattersRequest {
  readonly found: FoundState;
  /** Those that are shown as news. */
  readonly known: ReadonlySet<MemoryId>;
  /** How many of them are there to see. */
  readonly described: number;
  readonly maxBytes: number;
}

async function mattersOf(
  { index, uses, now }: BriefMakerOptions,
  { found, known, described, maxBytes }: MattersRequest,
) {
  const [at, all] = [now(), await uses.all()];
  const candidates = index.briefs
    .candidates(found.state, mostUsed(all, at), CANDIDATES)
    .filter(({ id, validUntil }) => !known.has(id) && (validUntil === undefined || validUntil >= at));
  const ranked = candidates
    .map((outline) => ({ outline, strength: retentionStrengthNow(outline, all.get(outline.id), at) }))
    .sort(
      (a, b) =>
        b.strength * weightOf(b.outline) - a.strength * weightOf(a.outline) ||
        newerFirst(a.outline, b.outline),
    );
  const items = ranked.slice(0, mostLines(maxBytes)).map(({ outline, strength }) => ({
    ...{ id: outline.id, at: outline.at, strength: Math.round(strength * 1_000) / 1_000 },
    text: clippedLine(outline.content(), lineSpace(maxBytes)),
    ...(outline.category === undefined ? {} : { category: outline.category }),
  }));
  return { total: index.states.counts(found.state).memories - described, items };
}

const weightOf = ({ importance = ORDINARY_IMPORTANCE }: Outline): number => importance;

const newerFirst = (a: Outline, b: Outline): number => b.at - a.at || compareText(a.id, b.id);

function retentionStrengthNow({ importance, at }: Outline, uses: Usage | undefined, now: number): number {
  const { count, lastUsedAt } = addUsage(uses, NO_USAGE);
  return retentionStrength({ importance, at, uses: count, ...(count > 0 ? { lastUsedAt } : {}) }, now);
}

/** Those of which use alone has left the most. */
function mostUsed(all: ReadonlyMap<MemoryId, Usage>, now: number): readonly MemoryId[] {
  const left = [...all].map(([id, { count, lastUsedAt }]) => ({
    id,
    strength: retentionStrength({ uses: count, at: lastUsedAt }, now),
  }));
  left.sort((a, b) => b.strength - a.strength || compareText(a.id, b.id));
  return left.slice(0, CANDIDATES).map(({ id }) => id);
}

const mostLines = (maxBytes: number): number => Math.ceil(maxBytes / LEAST_LINE);

/** Longer lines where there is room for many. */
const lineSpace = (maxBytes: number): number => Math.min(240, Math.max(60, Math.floor(maxBytes / 20)));
