/**
 * The erasures of a space as people see them: what each covers, who asked for it, and who has destroyed their copy.
 *
 * @module
 */
import {
  type BranchId,
  type CheckpointId,
  checkpointTextId,
  concealmentsIn,
  type ErasureEntry,
  type MemoryId,
  uuidFromBytes,
} from "@cambium/core";
import { counted, NOTHING_TO_DO } from "@cambium/core/text";
import type { Erasure } from "../api.js";
import { deviceNames } from "../documents/device-names.js";
import { CARRIED } from "../documents/erasure-note.js";
import { formerReplicas } from "../keys/inherited-keys.js";
import { withoutAccess } from "../keys/key-recipients.js";
import { nameMemoryId } from "../space/branch-directory.js";
import { hashesIn } from "./erasure-entries.js";
import { requestTexts } from "./quoting-requests.js";
import type { ErasureServices } from "./services.js";
import { ACKNOWLEDGED, REFUSED } from "./services.js";
import { coversEverything } from "./whole-space.js";

type ListServices = Pick<ErasureServices, "catalog" | "packs" | "note" | "relay">;

/** Newest first. */
export function erasuresIn(services: ListServices): readonly Erasure[] {
  const entries = [...services.catalog.current.erasures].flatMap(([id, { value }]) =>
    value.cause === undefined ? [[id, value] as const] : [],
  );
  return entries
    .filter(([, { of }]) => of === undefined)
    .map(([id, first]) => {
      const parts = entries.filter(([key, { of }]) => key === id || of === id);
      return shownErasure(services, id, first, new Map(parts));
    })
    .sort((a, b) => b.at - a.at || (a.id < b.id ? -1 : 1));
}

/** Which devices have said that they destroyed it, which that they keep their copy, and who cannot say so any more. */
function reach({ catalog }: ListServices, erasure: string, rules: readonly string[]) {
  const { settings } = catalog.current;
  const listed = (key: string): ReadonlySet<string> => {
    const value = settings.get(key)?.value.value;
    return new Set(Array.isArray(value) ? value : []);
  };
  const former = formerReplicas(catalog.current);
  const gone = withoutAccess(catalog.current);
  const asked = [...deviceNames(catalog.current)].filter(([id]) => !former.has(id));
  const devices = asked.map(([id, name]) => {
    const done = listed(ACKNOWLEDGED + id);
    const isDone = rules.every((rule) => done.has(rule));
    const open = gone.has(id) ? "ended" : "waiting";
    const state = isDone ? "acknowledged" : listed(REFUSED + id).has(erasure) ? "refused" : open;
    return { device: { id, name }, state };
  });
  const those = (wanted: string) =>
    devices.flatMap(({ device, state }) => (state === wanted ? [device] : []));
  return {
    ...{ acknowledged: those("acknowledged"), waiting: those("waiting") },
    ...{ ended: those("ended"), refused: those("refused") },
  };
}

function shownErasure(
  services: ListServices,
  id: string,
  first: ErasureEntry,
  parts: ReadonlyMap<string, ErasureEntry>,
): Erasure {
  const { catalog, packs, note } = services;
  const { replica, agent } = first.by;
  const { done, held } = note.noted;
  const concealed = concealmentsIn(catalog.current.settings);
  const names = nameMemories(services);
  const memories = [...parts.values()]
    .flatMap((entry) => idsIn(entry.memories))
    .filter((memory) => !names.has(memory));
  const requests = requestTexts(catalog.current.settings);
  const versions = [...parts].reduce(
    (sum, [key, { records }]) => sum + versionsIn(key, records, requests),
    0,
  );
  const { from, until, reason } = first;
  const isDoneHere = [...parts.keys()].every((key) => done.has(key));
  const state = note.stateOf(id);
  const heldMemories = held.get(id);
  return {
    ...{ id, at: first.at, counts: first.counts },
    by: {
      ...{ replica, device: deviceNames(catalog.current).get(replica) ?? replica },
      ...(agent === undefined ? {} : { agent }),
    },
    ...(reason === undefined ? {} : { reason }),
    covers: {
      ...(coversEverything(first) ? { everything: true as const } : {}),
      ...{ memories, versions },
      ...(from === undefined ? {} : { from }),
      ...(until === undefined ? {} : { until }),
    },
    mayRepeat: idsIn(first.mayRepeat).filter(
      (memory) => !packs.erasures.coversMemory(memory) && !concealed.has(memory),
    ),
    isDoneHere,
    here: isDoneHere ? "destroyed" : state === "held" || state === "refused" ? state : "pending",
    ...(heldMemories === undefined ? {} : { wouldTake: heldMemories }),
    ...reach(services, id, [...parts.keys()]),
    relay: services.relay(),
  };
}

/**
 * Sentences about what is left of the space, what waits here for a person, what this device alone has, and who still may
 * have a copy.
 */
export function erasureNotices(erasures: readonly Erasure[]): readonly string[] {
  const waits = [
    ...wholeNotice(erasures),
    ...erasures.filter(({ here }) => here === "held").map(heldNotice),
    ...erasures.filter(({ here }) => here === "refused").map(refusedNotice),
  ];
  const open = erasures.filter(({ here, waiting, relay }) => {
    const isOurs = here === "destroyed" || here === "pending";
    return isOurs && (waiting.length > 0 || relay === "pending");
  });
  if (open.length === 0) return waits;
  const names = [...new Set(open.flatMap(({ waiting }) => waiting.map(({ name }) => name)))];
  const relay = open.some((erasure) => erasure.relay === "pending") ? ["the relay"] : [];
  const what = open.length === 1 ? "An erasure is" : `${open.length} erasures are`;
  const missing = [...relay, ...names].join(", ");
  return [...waits, `${what} not acknowledged yet by ${missing}. See \`cambium erasures\`.`];
}

/** The one that took the space, if one did and it is in force here. */
const wholeErasure = (erasures: readonly Erasure[]): Erasure | undefined =>
  erasures.find(({ covers, here }) => covers.everything === true && here !== "held" && here !== "refused");

function wholeNotice(erasures: readonly Erasure[]): readonly string[] {
  const whole = wholeErasure(erasures);
  if (whole === undefined) return [];
  const when = new Date(whole.at).toISOString();
  return [
    `This space was erased for good as a whole, on ${whole.by.device} at ${when}: nothing can be written to it. ` +
      "To take it off this device: `cambium spaces --remove <name>`. To create another one: `cambium init <name>`.",
  ];
}

function heldNotice({ id, by, covers, wouldTake = 0 }: Erasure): string {
  const count = counted(wouldTake, "memory", "memories");
  const what = covers.everything === true ? `the whole space for good, here ${count}` : `${count} for good`;
  const short = id.slice(0, 12);
  return (
    `${by.device} asks to erase ${what}. This waits for you: ` +
    `\`cambium erasures --accept ${short}\` or \`--refuse ${short}\`. Others have erased it already: ` +
    "what is written to it stays on this device."
  );
}

/** It was decided: whoever did wants to know what it means, and not to be asked again. */
function refusedNotice({ id, by, covers, counts }: Erasure): string {
  const count = counted(counts.memories, "memory", "memories");
  const [what, copy] =
    covers.everything === true
      ? ["the whole space", "what is written to it"]
      : [count, `what is written to ${counts.memories === 1 ? "it" : "them"}`];
  return (
    `${by.device} has erased ${what} for good and this device keeps its copy (\`cambium erasures\`, ${id.slice(0, 12)}): ` +
    `neither that nor ${copy} is on any other device. ${NOTHING_TO_DO}`
  );
}

/** Memories that came from another device and say what was erased once. */
export function returnedNotice(memories: readonly string[]): readonly string[] {
  if (memories.length === 0) return [];
  const [first = "", ...others] = memories;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return [
    `A text that was erased has come again from another device, in ${first}${more}. To erase it: \`cambium erase ${first}\`.`,
  ];
}

/** What a branch or a checkpoint was called is no memory to anybody. */
const nameMemories = ({ catalog: { current } }: Pick<ListServices, "catalog">): ReadonlySet<MemoryId> =>
  new Set([
    ...[...current.branches.keys()].map((branch) => nameMemoryId(branch as BranchId)),
    ...[...current.checkpoints.keys()].map((checkpoint) => checkpointTextId(checkpoint as CheckpointId)),
  ]);

const ID_BYTES = 16;

/** What a device added to it names no versions, but what carries them on. Words of requests are none either. */
const versionsIn = (
  key: string,
  records: Uint8Array = new Uint8Array(),
  requests: ReadonlySet<string>,
): number => (key.startsWith(CARRIED) ? 0 : hashesIn(records).filter((hash) => !requests.has(hash)).length);

const idsIn = (bytes: Uint8Array = new Uint8Array()): readonly MemoryId[] =>
  Array.from(
    { length: bytes.length / ID_BYTES },
    (_, place) => uuidFromBytes(bytes.subarray(place * ID_BYTES, (place + 1) * ID_BYTES)) as MemoryId,
  );
