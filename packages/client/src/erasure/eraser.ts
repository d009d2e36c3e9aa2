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
  type ErasureEntry,
  type ErasureTarget,
  erasedTextCode,
  isCambiumError,
  type MemoryId,
  type PackId,
  packHashes,
  uuidFromBytes,
} from "@cambium/core";
import type { EraseOptions, EraseResult, Erasure, FoundTrace, TraceOptions } from "../api.js";
import type { PolicyCheck } from "../governance/policy-check.js";
import { readCheckedJson, writeCheckedJson } from "../platform/private-files.js";
import { Turns } from "../platform/turns.js";
import { targetOf } from "./known-records.js";
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
    const target = await targetOf(this.#services, options, headers);
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
      repeated: result.repeated,
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
    const known = [...catalog.current.erasures.keys()];
    return known.some((id) => !this.#done.has(id)) || (known.length > 0 && packErasure.isRetiredHere);
  }

  /** Goes on with what an earlier session began, or another device asked for. */
  async resume(): Promise<void> {
    await this.#turns.take(async () => {
      if (this.isBehind) await this.#carryOut();
    });
  }

  async #carryOut(): Promise<void> {
    const { packErasure, catalog, mayWrite } = this.#services;
    const rules = [...catalog.current.erasures.keys()];
    const coverage = await this.#namedCoverage();
    await packErasure.destroy(coverage, mayWrite());
    await destroyTraces(this.#services, new Set(coverage.records.keys()));
    this.#note([...rules, ...[...catalog.current.erasures.keys()].filter((id) => id.startsWith(CARRIED))]);
  }

  /** Once a rule names every text that is carried on, each record says by itself what of it is erased. */
  async #namedCoverage(): Promise<Coverage> {
    const { packErasure, packs, catalog, documents, mayWrite, now, replica } = this.#services;
    for (let round = 0; ; round += 1) {
      const coverage = coverageOf(packs.erasures, await packErasure.headers());
      if (coverage.unnamed.size === 0 || !mayWrite() || round >= MAX_ROUNDS) return coverage;
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

  #shown(id: string, first: ErasureEntry, parts: ReadonlyMap<string, ErasureEntry>): Erasure {
    const { replicas } = this.#services.catalog.current;
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
      isDoneHere: [...parts.keys()].every((key) => this.#done.has(key)),
    };
  }
}

/** Begins the id of a rule that a device added because what it found carries an erased text on. */
const CARRIED = "carried-";
const NOTHING: Uint8Array = new Uint8Array();

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
  { target, coverage, texts, requests }: PlannedErasure,
  key: Uint8Array,
  described: Omit<ErasureEntry, keyof ErasureTarget | "texts">,
): readonly ErasureEntry[] {
  const { memories = NOTHING, records = NOTHING, from, until } = target;
  const single = [...hashesIn(target.parts), ...coverage.unnamed];
  // Contents of versions in a range go by name as well, for whoever carries one and lies outside.
  const ofRange = from === undefined && until === undefined ? [] : coverage.parts;
  const lists = {
    ...{ memories, parts: packHashes([...single, ...ofRange] as never[]) },
    records: new Uint8Array(Buffer.concat([records, packHashes(requests)])),
    texts: new Uint8Array(Buffer.concat(texts.map((text) => erasedTextCode(key, text)))),
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
