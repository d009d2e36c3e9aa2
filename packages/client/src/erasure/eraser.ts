/**
 * Erasing for good on this device: the rule is written first, and the rest is work that any later session goes on with.
 *
 * Plan: say in the catalog what is erased; write packs anew without it; destroy what was derived from it; note that
 * this is done. After a crash the rule stands and the note is missing, so all of it is done again.
 *
 * @module
 */
import { dirname, join } from "node:path";
import {
  bytesToHex,
  CambiumError,
  type Coverage,
  coverageOf,
  type DocumentId,
  decidesField,
  type ErasureEntry,
  type ErasureTarget,
  erasedTextCode,
  isCambiumError,
  type MemoryId,
  type PackId,
  packHashes,
  packIds,
  uuidFromBytes,
} from "@cambium/core";
import type { EraseOptions, EraseResult, Erasure, FoundTrace, TraceOptions } from "../api.js";
import type { HeldHeader } from "../documents/pack-erasure.js";
import type { PolicyCheck } from "../governance/policy-check.js";
import { readCheckedJson, writeCheckedJson } from "../platform/private-files.js";
import { Turns } from "../platform/turns.js";
import { targetOf, withMemories } from "./known-records.js";
import { type PlannedErasure, planErasure } from "./preview.js";
import type { ErasureServices } from "./services.js";
import { destroyTraces } from "./traces.js";

/** Who erases. */
export interface EraseCaller {
  readonly policyCheck: PolicyCheck;
  readonly agent: string | undefined;
}

/** An entry of the catalog holds a megabyte; several lists of names share it. */
const MAX_LIST_BYTES = 192 * 1024;
const ERASURE_ID_BYTES = 16;
/** Naming what carries an erased text may show more that carries it. */
const MAX_ROUNDS = 8;

export class Eraser {
  readonly #services: ErasureServices;
  readonly #notePath: string;
  /** One at a time: each reads what the one before it left. */
  readonly #turns = new Turns();
  #done: ReadonlySet<string>;
  /** Documents of packs that have come since. */
  readonly #arrived = new Set<DocumentId>();
  /** Memories of which single versions are erased: a version that comes may carry one. Undefined until it is needed. */
  #touched: ReadonlySet<MemoryId> | undefined;

  constructor(services: ErasureServices) {
    this.#services = services;
    this.#notePath = join(services.dir, "erasures.json");
    this.#done = readDone(this.#notePath);
  }

  /** @throws {CambiumError} ROLE_REFUSED, BAD_INPUT, MEMORY_NOT_FOUND, STALE_EXPECTATION, ERASES_MANY */
  erase(options: EraseOptions, caller: EraseCaller): Promise<EraseResult> {
    return this.#turns.take(() => this.#erase(options, caller));
  }

  async #erase(options: EraseOptions, caller: EraseCaller): Promise<EraseResult> {
    const { packErasure, index, directory } = this.#services;
    this.#refuseReaders();
    for (const { id } of await directory.all()) await index.prepare(id).catch(ignoreAbsent);
    const headers = await packErasure.headers(options.signal);
    const selected = await targetOf(this.#services, options, headers);
    const repeating = async (): Promise<readonly MemoryId[]> =>
      (await planErasure(this.#services, selected, headers)).result.repeated.map(({ id }) => id);
    const named = { target: selected, repeating };
    const target = await withMemories(this.#services, options, headers, named);
    const planned = await planErasure(this.#services, target, headers);
    const { result } = planned;
    if (options.preview === true || result.status === "nothing") return result;
    checkConfirmed(options, result);
    await caller.policyCheck.check({
      operation: "erase",
      call: { method: "erase", args: [options] },
      affected: result.counts.memories,
      reason: options.reason,
      confirmed: options.confirm === result.counts.memories,
      preview: () => ({
        counts: result.counts,
        ids: result.memories.map(({ id }) => id),
        plan: planOf(target),
      }),
    });
    const erasure = await this.#write(planned, options.reason, caller.agent);
    await this.#carryOut();
    return {
      ...{ ...result, status: "erased", erasure },
      memories: result.memories.map(({ content: _gone, ...memory }) => memory),
    };
  }

  #refuseReaders(): void {
    if (this.#services.mayWrite()) return;
    throw new CambiumError(
      "ROLE_REFUSED",
      "This replica joined the space as a reader and cannot erase anything.",
      { hint: "Ask a member for an invitation with the role write." },
    );
  }

  async #write(planned: PlannedErasure, reason: string | undefined, agent: string | undefined) {
    const { codec, catalog, documents, now, replica, directory, views } = this.#services;
    const branches = await directory.all();
    const seen = branches.map(({ id }) => [id, documents.headsOf(views.documentOf(id))] as const);
    const entries = entriesOf(planned, codec.keys.erasures(), {
      ...{ seen: Object.fromEntries(seen), counts: planned.result.counts, at: now(), reason },
      by: { replica: replica(), agent },
    });
    const id = this.#newId();
    await catalog.put(() =>
      entries.map((entry, place) =>
        place === 0
          ? { map: "erasures", key: id, entry }
          : { map: "erasures", key: `${id}-${place}`, entry: { ...entry, of: id } },
      ),
    );
    await documents.flush();
    return id;
  }

  #newId(): string {
    return bytesToHex(this.#services.codec.platform.random(ERASURE_ID_BYTES));
  }

  /** Whether there is something to destroy here. */
  get isBehind(): boolean {
    const { catalog, packErasure } = this.#services;
    const known = catalog.current.erasures.size > 0;
    return known && (this.#hasNewRules || this.#arrived.size > 0 || packErasure.isRetiredHere);
  }

  get #hasNewRules(): boolean {
    return [...this.#services.catalog.current.erasures.keys()].some((id) => !this.#done.has(id));
  }

  /** A document of a pack has come, or some of it. */
  noteArrived(document: DocumentId): void {
    this.#arrived.add(document);
  }

  /** Changes of a document that is retired have come, or are still with the relay. */
  bring(document: DocumentId, chunks: readonly Uint8Array[]): Promise<void> {
    return this.#services.packErasure.bring(document, chunks);
  }

  /** Goes on with what an earlier session began, or another device asked for. */
  async resume(): Promise<void> {
    await this.#turns.take(async () => {
      if (this.isBehind && (await this.#isConcerned())) await this.#carryOut();
    });
  }

  /** Whether what has come holds anything that is erased: looking at all packs takes a second or more. */
  async #isConcerned(): Promise<boolean> {
    const { packErasure } = this.#services;
    const arrived = [...this.#arrived];
    this.#arrived.clear();
    if (this.#hasNewRules || packErasure.isRetiredHere) return true;
    this.#touched ??= touchedBy(await this.#namedCoverage());
    const mayCarry = (header: HeldHeader): boolean =>
      this.#touched?.has(header.memory) === true && !decidesField(header, "content");
    for (const document of arrived) if (await packErasure.isTouched(document, mayCarry)) return true;
    return false;
  }

  async #carryOut(): Promise<void> {
    const { packErasure, catalog, mayWrite } = this.#services;
    const isNew = this.#hasNewRules;
    const rules = new Set(catalog.current.erasures.keys());
    const known = await this.#namedCoverage();
    const { coverage } = known;
    const destroyed = await packErasure.destroy(coverage, mayWrite());
    if (isNew || destroyed > 0) await destroyTraces(this.#services, new Set(coverage.records.keys()));
    this.#touched = touchedBy(known);
    const own = [...catalog.current.erasures.keys()].filter((id) => id.startsWith(CARRIED));
    this.#note([...rules, ...own]);
    await this.#acknowledge();
  }

  /** Says to the others what is destroyed here. A reader cannot. */
  async #acknowledge(): Promise<void> {
    const { catalog, documents, mayWrite, replica } = this.#services;
    const erased = [...this.#done].sort();
    const key = ACKNOWLEDGED + replica();
    const known = catalog.current.settings.get(key)?.value.value;
    if (!mayWrite() || JSON.stringify(known) === JSON.stringify(erased)) return;
    await catalog.put(() => [{ map: "settings", key, entry: { value: erased } }]);
    await documents.flush();
  }

  /** Once a rule names every text that is carried on, each record says by itself what of it is erased. */
  async #namedCoverage(): Promise<KnownCoverage> {
    const { packErasure, packs, catalog, documents, mayWrite, now, replica } = this.#services;
    for (let round = 0; ; round += 1) {
      const headers = await packErasure.headers();
      const coverage = coverageOf(packs.erasures, headers);
      if (coverage.unnamed.size === 0 || !mayWrite() || round >= MAX_ROUNDS) return { coverage, headers };
      const of = [...catalog.current.erasures.keys()].at(-1);
      const entry: ErasureEntry = {
        ...{ seen: {}, texts: NOTHING, at: now(), by: { replica: replica() }, of },
        counts: { memories: 0, versions: 0 },
        parts: packHashes(coverage.unnamed),
      };
      await catalog.put(() => [{ map: "erasures", key: CARRIED + this.#newId(), entry }]);
      await documents.flush();
    }
  }

  #note(done: readonly string[]): void {
    this.#done = new Set(done);
    writeCheckedJson(this.#notePath, { v: 1, done: [...this.#done].sort() });
  }

  /** Where these texts are, for somebody who has the files and the key. */
  async traces(texts: readonly string[], { paths }: TraceOptions = {}): Promise<readonly FoundTrace[]> {
    const { findTraces } = await import("./find-traces.js");
    const { documents, codec, catalog, dir } = this.#services;
    await documents.flush();
    const packs = [...catalog.current.packs.keys()] as PackId[];
    return findTraces({ paths: paths ?? [dirname(dirname(dir))], texts, codec, packs });
  }

  /** A sentence about who still may have a copy; none when all have said that they destroyed it. */
  notices(): readonly string[] {
    const open = this.list().filter(({ waiting, relay }) => waiting.length > 0 || relay === "pending");
    if (open.length === 0) return [];
    const names = [...new Set(open.flatMap(({ waiting }) => waiting.map(({ name }) => name)))];
    const relay = open.some((erasure) => erasure.relay === "pending") ? ["the relay"] : [];
    const what = open.length === 1 ? "An erasure is" : `${open.length} erasures are`;
    return [`${what} not acknowledged yet by ${[...relay, ...names].join(", ")}. See \`cambium erasures\`.`];
  }

  /** Newest first. */
  list(): readonly Erasure[] {
    const { catalog } = this.#services;
    const entries = [...catalog.current.erasures].map(([id, { value }]) => [id, value] as const);
    return entries
      .filter(([, { of }]) => of === undefined)
      .map(([id, first]) => {
        const parts = entries.filter(([key, { of }]) => key === id || of === id);
        return this.#shown(id, first, new Map(parts));
      })
      .sort((a, b) => b.at - a.at || (a.id < b.id ? -1 : 1));
  }

  /** Which devices have said that they destroyed it. */
  #reach(rules: readonly string[]): Pick<Erasure, "acknowledged" | "waiting"> {
    const { replicas, settings } = this.#services.catalog.current;
    const devices = [...replicas].map(([id, { value }]) => {
      const listed = settings.get(ACKNOWLEDGED + id)?.value.value;
      const done = new Set(Array.isArray(listed) ? listed : []);
      return { id, name: value.name, isDone: rules.every((rule) => done.has(rule)) };
    });
    const named = (isDone: boolean) =>
      devices.flatMap(({ id, name, ...device }) => (device.isDone === isDone ? [{ id, name }] : []));
    return { acknowledged: named(true), waiting: named(false) };
  }

  #shown(id: string, first: ErasureEntry, parts: ReadonlyMap<string, ErasureEntry>): Erasure {
    const { catalog, packs } = this.#services;
    const { replicas } = catalog.current;
    const { replica, agent } = first.by;
    const memories = [...parts.values()].flatMap((entry) => idsIn(entry.memories));
    const versions = [...parts.values()].reduce((sum, { records }) => sum + (records?.length ?? 0) / 32, 0);
    const { from, until, reason } = first;
    return {
      ...{ id, at: first.at, counts: first.counts },
      by: {
        ...{ replica, device: replicas.get(replica)?.value.name ?? replica },
        ...(agent === undefined ? {} : { agent }),
      },
      ...(reason === undefined ? {} : { reason }),
      covers: {
        ...{ memories, versions },
        ...(from === undefined ? {} : { from }),
        ...(until === undefined ? {} : { until }),
      },
      mayRepeat: idsIn(first.mayRepeat).filter((memory) => !packs.erasures.coversMemory(memory)),
      isDoneHere: [...parts.keys()].every((key) => this.#done.has(key)),
      ...this.#reach([...parts.keys()]),
      relay: this.#services.relay(),
    };
  }
}

/** Begins the id of a rule that a device added because what it found carries an erased text on. */
const CARRIED = "carried-";
const NOTHING: Uint8Array = new Uint8Array();
/** With the id of a replica: the setting in which it lists what it has destroyed. */
const ACKNOWLEDGED = "erased:";

/** What is covered of the records that are here. */
interface KnownCoverage {
  readonly coverage: Coverage;
  readonly headers: readonly HeldHeader[];
}

/** Memories of which something is erased. */
function touchedBy({ coverage, headers }: KnownCoverage): ReadonlySet<MemoryId> {
  return new Set(headers.flatMap(({ hash, memory }) => (coverage.records.has(hash) ? [memory] : [])));
}

function checkConfirmed({ confirm, many }: EraseOptions, { counts, isMany }: EraseResult): void {
  if (confirm !== undefined && confirm !== counts.memories) {
    throw new CambiumError(
      "STALE_EXPECTATION",
      `This would erase ${counts.memories} memories, and ${confirm} were confirmed. Nothing was erased.`,
      { hint: "Look at the preview again.", details: { confirmed: confirm, memories: counts.memories } },
    );
  }
  if (!isMany || many === true) return;
  throw new CambiumError(
    "ERASES_MANY",
    `This would erase ${counts.memories} memories, more than a tenth of the space. Nothing was erased.`,
    { hint: "If that is meant, say so: --many (in a program: many: true).", details: { ...counts } },
  );
}

/** As many as it takes for no list to be too long. */
function entriesOf(
  { target, coverage, texts, requests, result }: PlannedErasure,
  key: Uint8Array,
  described: Omit<ErasureEntry, keyof ErasureTarget | "texts" | "mayRepeat">,
): readonly ErasureEntry[] {
  const { memories = NOTHING, records = NOTHING, from, until } = target;
  const single = [...hashesIn(target.parts), ...coverage.unnamed];
  // Contents of versions in a range go by name as well, for whoever carries one and lies outside.
  const ofRange = from === undefined && until === undefined ? [] : coverage.parts;
  const lists = {
    ...{ memories, parts: packHashes([...single, ...ofRange] as never[]) },
    records: new Uint8Array(Buffer.concat([records, packHashes(requests)])),
    texts: new Uint8Array(Buffer.concat(texts.map((text) => erasedTextCode(key, text)))),
    mayRepeat: packIds(result.repeated.map(({ id }) => id)),
  };
  const count = Math.max(1, ...Object.values(lists).map(({ length }) => Math.ceil(length / MAX_LIST_BYTES)));
  return Array.from({ length: count }, (_, place) => {
    const slices = Object.entries(lists).map(([name, bytes]) => [
      name,
      bytes.slice(place * MAX_LIST_BYTES, (place + 1) * MAX_LIST_BYTES),
    ]);
    return { ...described, ...Object.fromEntries(slices), ...(place === 0 ? { from, until } : {}) };
  });
}

const HASH_BYTES = 32;
const ID_BYTES = 16;

const hashesIn = (bytes: Uint8Array = NOTHING): readonly string[] =>
  Array.from({ length: bytes.length / HASH_BYTES }, (_, place) =>
    bytesToHex(bytes.subarray(place * HASH_BYTES, (place + 1) * HASH_BYTES)),
  );

const idsIn = (bytes: Uint8Array = NOTHING): readonly MemoryId[] =>
  Array.from(
    { length: bytes.length / ID_BYTES },
    (_, place) => uuidFromBytes(bytes.subarray(place * ID_BYTES, (place + 1) * ID_BYTES)) as MemoryId,
  );

/** Differs whenever something else would be erased. */
const planOf = ({ memories, records, parts, from, until }: ErasureTarget): unknown => [
  ...[memories, records, parts].map((bytes) => bytesToHex(bytes ?? NOTHING)),
  ...[from ?? null, until ?? null],
];

/** A branch that has not arrived shows nothing here, and its records are found in their packs. */
function ignoreAbsent(error: unknown): void {
  if (!isCambiumError(error, "CONTENT_NOT_HERE") && !isCambiumError(error, "BRANCH_NOT_FOUND")) throw error;
}

/** A note that cannot be read costs doing it again. */
function readDone(path: string): ReadonlySet<string> {
  try {
    const { done } = (readCheckedJson(path, "") ?? {}) as { readonly done?: readonly string[] };
    return new Set(done);
  } catch {
    return new Set();
  }
}
