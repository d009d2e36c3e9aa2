/**
 * The erasures of a space as people see them: what each covers, who asked for it, and who has destroyed their copy.
 *
 * @module
 */
import { concealmentsIn, type ErasureEntry, type MemoryId, uuidFromBytes } from "@cambium/core";
import type { Erasure } from "../api.js";
import { deviceNames } from "../documents/device-names.js";
import { CARRIED } from "../documents/erasure-note.js";
import { formerReplicas } from "../keys/inherited-keys.js";
import { hashesIn } from "./erasure-entries.js";
import { requestTexts } from "./quoting-requests.js";
import type { ErasureServices } from "./services.js";
import { ACKNOWLEDGED, REFUSED } from "./services.js";

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

/** Which devices have said that they destroyed it, and which that they keep their copy. */
function reach({ catalog }: ListServices, erasure: string, rules: readonly string[]) {
  const { settings } = catalog.current;
  const listed = (key: string): ReadonlySet<string> => {
    const value = settings.get(key)?.value.value;
    return new Set(Array.isArray(value) ? value : []);
  };
  const former = formerReplicas(catalog.current);
  const asked = [...deviceNames(catalog.current)].filter(([id]) => !former.has(id));
  const devices = asked.map(([id, name]) => {
    const done = listed(ACKNOWLEDGED + id);
    const isDone = rules.every((rule) => done.has(rule));
    const state = isDone ? "acknowledged" : listed(REFUSED + id).has(erasure) ? "refused" : "waiting";
    return { device: { id, name }, state };
  });
  const those = (wanted: string) =>
    devices.flatMap(({ device, state }) => (state === wanted ? [device] : []));
  return { acknowledged: those("acknowledged"), waiting: those("waiting"), refused: those("refused") };
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
  const memories = [...parts.values()].flatMap((entry) => idsIn(entry.memories));
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

/** Sentences about what waits here for a person, and about who still may have a copy. */
export function erasureNotices(erasures: readonly Erasure[]): readonly string[] {
  const held = erasures.filter(({ here }) => here === "held");
  const waits = held.map(
    ({ id, by, wouldTake }) =>
      `${by.device} asks to erase ${wouldTake ?? 0} memories for good. This waits for you: ` +
      `\`cambium erasures --accept ${id.slice(0, 12)}\` or \`--refuse ${id.slice(0, 12)}\`.`,
  );
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

/** Memories that came from another device and say what was erased once. */
export function returnedNotice(memories: readonly string[]): readonly string[] {
  if (memories.length === 0) return [];
  const [first = "", ...others] = memories;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return [
    `A text that was erased has come again from another device, in ${first}${more}. To erase it: \`cambium erase ${first}\`.`,
  ];
}

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
