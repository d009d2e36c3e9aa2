/**
 * Erasing for good on this device: the rule is written first, and the rest is work that any later session goes on with.
 *
 * Plan: say in the catalog what is erased; write packs anew without it; destroy what was derived from it; note that
 * this is done. After a crash the rule stands and the note is missing, so all of it is done again.
 *
 * @module
 */
import {
  CambiumError,
  concealmentsIn,
  type DocumentId,
  decidesField,
  type ErasureEntry,
  type ErasureTarget,
  isCambiumError,
  type MemoryId,
  type PartHash,
  throwIfAborted,
} from "@cambium/core";
import type {
  DecideErasureOptions,
  EraseOptions,
  EraseResult,
  Erasure,
  FoundTrace,
  ProgressOptions,
  TraceOptions,
} from "../api.js";
import { CARRIED } from "../documents/erasure-note.js";
import type { Rules } from "../documents/owed-erasures.js";
import type { HeldHeader } from "../documents/pack-erasure.js";
import type { PolicyCheck } from "../governance/policy-check.js";
import { Turns } from "../platform/turns.js";
import { acknowledge } from "./acknowledge.js";
import { ArrivalGuard } from "./arrival-guard.js";
import { eraseArrivedRequests, eraseBroughtRequests } from "./arrived-requests.js";
import { keptParts, namedCoverage, touchedBy } from "./coverage-here.js";
import { DifferenceKeeper, type KeptOfPruned } from "./difference-keeper.js";
import { checkConfirmed, checkMany, decision, planOf } from "./erase-checks.js";
import { entriesOf, pruningEntries } from "./erasure-entries.js";
import { newErasureId } from "./erasure-id.js";
import { erasureNotices, erasuresIn, returnedNotice } from "./erasure-list.js";
import { atFixedTimes, formerOnes, type Known, targetOf, withMemories } from "./known-records.js";
import { type PlannedErasure, planErasure, withFormer } from "./preview.js";
import { ReturnedTexts } from "./returned-texts.js";
import type { ErasureServices } from "./services.js";
import { destroyTraces } from "./traces.js";

/** Who erases. */
export interface EraseCaller {
  readonly policyCheck: PolicyCheck;
  readonly agent: string | undefined;
  /** Whether the caller may come upon what is concealed. */
  readonly seesConcealed: boolean;
}

const LEAST_ID = 4;
/** What is unknown to the catalog for longer is a branch. */
const MAX_LOOKS = 5;
/** A change has to be one that a relay takes. */
const RULES_AT_ONCE = 4;
const SHOWN_MS = 30 * 86_400_000;
const KEPT_MS = 2 * 86_400_000;

export class Eraser {
  readonly #services: ErasureServices;
  readonly #guard: ArrivalGuard;
  readonly #returned: ReturnedTexts;
  readonly #differences: DifferenceKeeper;
  /** One at a time: each reads what the one before it left. */
  readonly #turns = new Turns();
  /** Documents that have come since, packs or not, and how often the catalog did not know them. */
  readonly #arrived = new Map<DocumentId, number>();
  /** Memories of which single versions are erased: a version that comes may carry one. Undefined until it is needed. */
  #touched: ReadonlySet<MemoryId> | undefined;

  constructor(services: ErasureServices) {
    this.#services = services;
    this.#guard = new ArrivalGuard(services);
    this.#returned = new ReturnedTexts(services);
    this.#differences = new DifferenceKeeper(services);
  }

  /** @throws {CambiumError} ROLE_REFUSED, BAD_INPUT, MEMORY_NOT_FOUND, STALE_EXPECTATION, ERASES_MANY */
  erase(options: EraseOptions, caller: EraseCaller): Promise<EraseResult> {
    return this.#turns.take(() => this.#erase(options, caller));
  }

  async #erase(asked: EraseOptions, caller: EraseCaller): Promise<EraseResult> {
    const { packErasure, index, directory, now } = this.#services;
    this.#refuseReaders();
    const options = await atFixedTimes(asked, now());
    for (const { id } of await directory.all()) await index.prepare(id).catch(ignoreAbsent);
    const headers = await packErasure.headers(options);
    const all: Known = { headers, hidden: new Set() };
    const known = caller.seesConcealed ? all : this.#withoutConcealed(all);
    const selected = await targetOf(this.#services, options, known);
    const repeating = async (target: ErasureTarget) =>
      (await planErasure(this.#services, target, known)).result.repeated;
    const named = { target: selected, repeating };
    const target = await withMemories(this.#services, options, known.headers, named);
    const planned = await planErasure(this.#services, target, known);
    const { result } = planned;
    if (options.preview === true || result.status === "nothing")
      return withFormer(result, formerOnes(this.#services, options, known.headers));
    checkConfirmed(options, result.counts);
    checkMany(options, result);
    await caller.policyCheck.check({
      operation: "erase",
      call: { method: "erase", args: [options] },
      asked: [{ ...asked, confirm: undefined }],
      affected: result.counts.memories,
      reason: options.reason,
      confirmed: options.confirm === result.counts.memories,
      preview: () => ({
        counts: result.counts,
        ids: result.memories.map(({ id }) => id),
        plan: [planOf(target), result.counts, result.memories.map(({ id }) => id)],
        effect: [result.counts, result.memories.map(({ id }) => id)],
      }),
    });
    // The space as a whole takes along what is concealed, and it may repeat what goes.
    const whole = known.hidden.size === 0 ? planned : await planErasure(this.#services, target, all);
    // Whoever stops it is heard a turn later. From here on it cannot be stopped any more.
    await new Promise<void>((resolve) => void setImmediate(resolve));
    throwIfAborted(options.signal);
    const erasure = await this.#write(whole, options, caller.agent);
    await this.#carryOut(options.onProgress);
    return {
      ...{ ...result, status: "erased", erasure },
      memories: result.memories.map(({ content: _gone, ...memory }) => memory),
    };
  }

  #withoutConcealed({ headers }: Known): Known {
    const hidden = new Set(concealmentsIn(this.#services.catalog.current.settings).keys());
    return { headers: headers.filter(({ memory }) => !hidden.has(memory)), hidden };
  }

  #refuseReaders(): void {
    if (this.#services.mayWrite()) return;
    throw new CambiumError(
      "ROLE_REFUSED",
      "This replica joined the space as a reader and cannot erase anything.",
      { hint: "Ask a member for an invitation with the role write." },
    );
  }

  async #write(
    planned: PlannedErasure,
    { reason, onlyOn }: EraseOptions,
    agent: string | undefined,
  ): Promise<string> {
    const { codec, catalog, documents, now, replica, directory, views } = this.#services;
    const branches = await directory.all();
    const seen = branches.map(({ id }) => [id, documents.headsOf(views.documentOf(id))] as const);
    const entries = entriesOf(planned, codec.keys.erasures(), {
      ...{ seen: Object.fromEntries(seen), counts: planned.result.counts, at: now(), reason },
      by: { replica: replica(), agent },
    });
    const id = newErasureId(this.#services);
    this.#takeIn(id);
    const branch = onlyOn === undefined ? undefined : (await directory.findToEnd(onlyOn)).id;
    const deleted = { name: undefined, status: "deleted" } as const;
    await catalog.put(({ checkpoints }) => [
      ...entries.map((entry, place) =>
        place === 0
          ? ({ map: "erasures", key: id, entry } as const)
          : ({ map: "erasures", key: `${id}-${place}`, entry: { ...entry, of: id } } as const),
      ),
      ...(branch === undefined ? [] : [{ map: "branchStates", key: branch, entry: deleted } as const]),
      ...[...checkpoints].flatMap(([key, { value }]) =>
        value.branch === branch
          ? [{ map: "checkpoints", key, entry: { ...value, state: "deleted" } } as const]
          : [],
      ),
    ]);
    await documents.flush();
    return id;
  }

  /** In force here from then on. Own ones need no asking, and count for nothing beside those that come. */
  #takeIn(id: string): void {
    const { note, now } = this.#services;
    const [held, refused] = [new Map(note.noted.held), new Set(note.noted.refused)];
    held.delete(id);
    refused.delete(id);
    const takenIn = new Map([...note.noted.takenIn, [id, { at: now(), memories: 0 }]]);
    note.put({ takenIn, held, refused });
  }

  /** Whether there is something to destroy here. */
  get isBehind(): boolean {
    const { catalog, packErasure } = this.#services;
    const known = catalog.current.erasures.size > 0;
    return (
      known &&
      (this.#guard.isAsked || this.#hasNewRules || this.#arrived.size > 0 || packErasure.isRetiredHere)
    );
  }

  get #hasNewRules(): boolean {
    return this.#newRules().length > 0;
  }

  /** In force here, and not carried out to the end yet. */
  #newRules(): readonly string[] {
    const { note } = this.#services;
    return this.#rules().filter((id) => !note.noted.done.has(id));
  }

  /** Ids of those that are in force here. */
  #rules(): readonly string[] {
    const { catalog, note } = this.#services;
    return [...catalog.current.erasures].flatMap(([id, { value }]) =>
      note.isInForce(id, value) ? [id] : [],
    );
  }

  /** A document of a pack has come, or some of it. */
  noteArrived(document: DocumentId): void {
    this.#arrived.set(document, 0);
  }

  /** Changes of a document that is retired have come, or are still with the relay. */
  bring(document: DocumentId, chunks: readonly Uint8Array[]): Promise<void> {
    return this.#services.packErasure.bring(document, chunks);
  }

  /**
   * Prunes texts that the rules of the space do not keep: by a rule of its own, which other devices follow.
   *
   * @param codes - of texts that no merge needs, by their parts
   */
  prune(codes: ReadonlyMap<PartHash, Uint8Array>, counts: ErasureEntry["counts"]): Promise<KeptOfPruned> {
    return this.#turns.take(async () => {
      const { catalog, documents, now, replica } = this.#services;
      const described = {
        seen: {},
        at: now(),
        by: { replica: replica() },
        counts,
        cause: "retention" as const,
      };
      const entries = pruningEntries(codes).map(({ id, parts, texts }) => {
        this.#takeIn(id);
        const entry: ErasureEntry = { ...described, parts, texts: new Uint8Array(texts) };
        return { map: "erasures", key: id, entry } as const;
      });
      await catalog.put(({ erasures }) => entries.filter(({ key }) => !erasures.has(key)));
      await documents.flush();
      return this.#carryOut();
    });
  }

  /** Goes on with what an earlier session began, or another device asked for. */
  async resume(): Promise<void> {
    await this.#turns.take(async () => {
      await eraseArrivedRequests(this.#services, this.#guard.arrived());
      await this.#guard.judge();
      await eraseBroughtRequests(this.#services);
      const arrived = this.#takeArrived();
      if (this.isBehind || arrived.length > 0) if (await this.#isConcerned(arrived)) await this.#carryOut();
      const rule = await this.#returned.look(arrived);
      if (rule === undefined || !this.#services.mayWrite()) return;
      const id = newErasureId(this.#services);
      this.#takeIn(id);
      await this.#services.catalog.put(() => [{ map: "erasures", key: id, entry: rule }]);
      await this.#carryOut();
    });
  }

  /**
   * Rules that the catalog lacks, since the space was taken back from an older copy.
   *
   * @returns of how many memories they take something that is here
   */
  takeOwed(rules: Rules): Promise<number> {
    return this.#turns.take(async () => {
      const { catalog, documents, mayWrite } = this.#services;
      const missing = [...rules].filter(([id]) => !catalog.current.erasures.has(id));
      if (missing.length === 0 || !mayWrite()) return 0;
      const memories = await this.#guard.takenBy(missing.map(([, { value }]) => value));
      for (let at = 0; at < missing.length; at += RULES_AT_ONCE)
        await catalog.put(({ erasures }) =>
          missing
            .slice(at, at + RULES_AT_ONCE)
            .flatMap(([key, { value }]) =>
              erasures.has(key) ? [] : [{ map: "erasures", key, entry: value } as const],
            ),
        );
      await documents.flush();
      return memories;
    });
  }

  /** Those of packs. The catalog may come to know one a little later. */
  #takeArrived(): readonly DocumentId[] {
    const { documents } = this.#services.catalog.current;
    const arrived = [...this.#arrived];
    this.#arrived.clear();
    const [known, unknown] = [
      arrived.filter(([document]) => documents.has(document)),
      arrived.filter(([document, looks]) => !documents.has(document) && looks < MAX_LOOKS),
    ];
    for (const [document, looks] of unknown) this.#arrived.set(document, looks + 1);
    return known.map(([document]) => document);
  }

  /** Whether what has come holds anything that is erased: looking at all packs takes a second or more. */
  async #isConcerned(arrived: readonly DocumentId[]): Promise<boolean> {
    const { packErasure } = this.#services;
    if (this.#hasNewRules || packErasure.isRetiredHere) return true;
    this.#touched ??= touchedBy(await namedCoverage(this.#services));
    const mayCarry = (header: HeldHeader): boolean =>
      this.#touched?.has(header.memory) === true && !decidesField(header, "content");
    for (const document of arrived) if (await packErasure.isTouched(document, mayCarry)) return true;
    return false;
  }

  async #carryOut(onProgress?: ProgressOptions["onProgress"]): Promise<KeptOfPruned> {
    const { packErasure, mayWrite, catalog, keepCatalog } = this.#services;
    const rules = this.#rules();
    const destroys = (id: string): boolean => catalog.current.erasures.get(id)?.value.cause !== "rekey";
    const added = this.#newRules().filter(destroys);
    const known = await namedCoverage(this.#services);
    const { coverage } = known;
    const kept = await this.#differences.keep(known);
    const destroyed = await packErasure.destroy(
      { ...coverage, kept: keptParts(this.#services, known) },
      mayWrite(),
      onProgress,
    );
    const erased = [...coverage.records].flatMap(([hash, extent]) => (extent === "pruned" ? [] : [hash]));
    const isOnlyPruned = (added.length > 0 ? added : rules.filter(destroys)).every(
      (id) => catalog.current.erasures.get(id)?.value.cause === "retention",
    );
    if (added.length > 0 || destroyed > 0)
      await destroyTraces(this.#services, { records: new Set(erased), isOnlyPruned, onProgress });
    this.#touched = touchedBy(known);
    const own = this.#rules().filter((id) => id.startsWith(CARRIED));
    this.#note([...rules, ...own]);
    await acknowledge(this.#services);
    await catalog.refresh();
    keepCatalog();
    return kept;
  }

  /**
   * Destroys what another device asked for and a person here has agreed to.
   *
   * @throws {CambiumError} BAD_INPUT, STALE_EXPECTATION
   */
  accept(id: string, { confirm }: DecideErasureOptions, { policyCheck }: EraseCaller): Promise<Erasure> {
    return this.#turns.take(async () => {
      const erasure = this.#waiting(id, "acceptErasure");
      const memories = erasure.wouldTake ?? erasure.counts.memories;
      if (confirm !== undefined) checkConfirmed({ confirm }, { memories, versions: erasure.counts.versions });
      await policyCheck.check(decision("acceptErasure", erasure, memories, confirm === memories));
      this.#takeIn(erasure.id);
      await this.#carryOut();
      return this.#one(erasure.id);
    });
  }

  /** Keeps this device's copy. @throws {CambiumError} BAD_INPUT */
  refuse(id: string, { policyCheck }: EraseCaller): Promise<Erasure> {
    return this.#turns.take(async () => {
      const erasure = this.#waiting(id, "refuseErasure");
      await policyCheck.check(decision("refuseErasure", erasure, 0, true));
      const { note } = this.#services;
      const held = new Map(note.noted.held);
      held.delete(erasure.id);
      note.put({ held, refused: new Set([...note.noted.refused, erasure.id]) });
      await acknowledge(this.#services);
      return this.#one(erasure.id);
    });
  }

  /** One that waits for a decision, by its id or the beginning of it. One that was refused can still be accepted. */
  #waiting(id: string, method: "acceptErasure" | "refuseErasure"): Erasure {
    const found = this.list().filter((one) => id.length >= LEAST_ID && one.id.startsWith(id));
    const [only] = found;
    const hint = "`cambium erasures` lists them with their ids.";
    if (only === undefined || found.length > 1)
      throw new CambiumError(
        "BAD_INPUT",
        `${found.length === 0 ? "No erasure has" : "Several erasures have"} the id ${JSON.stringify(id)}.`,
        { hint },
      );
    const isOpen = only.here === "held" || (only.here === "refused" && method === "acceptErasure");
    if (isOpen) return only;
    const why = only.here === "refused" ? "was refused here already" : "does not wait for anybody here";
    throw new CambiumError("BAD_INPUT", `The erasure ${only.id.slice(0, 12)} ${why}.`, { hint });
  }

  #one(id: string): Erasure {
    return this.list().find((one) => one.id === id) as Erasure;
  }

  #note(done: readonly string[]): void {
    const { note, now } = this.#services;
    // What was taken in matters for a day: see the guard.
    const recent = [...note.noted.takenIn].filter(([, { at }]) => at > now() - KEPT_MS);
    note.put({ done: new Set(done), takenIn: new Map(recent) });
  }

  /** Where these texts are, for somebody who has the files and the key. */
  async traces(texts: readonly string[], options: TraceOptions = {}): Promise<readonly FoundTrace[]> {
    const { tracesOf } = await import("./space-traces.js");
    return tracesOf(this.#services, texts, options);
  }

  notices(): readonly string[] {
    const { note, now, packs } = this.#services;
    const returned = [...note.noted.returned].flatMap(([memory, at]) =>
      at > now() - SHOWN_MS && !packs.erasures.coversMemory(memory as MemoryId) ? [memory] : [],
    );
    return [...erasureNotices(this.list()), ...returnedNotice(returned)];
  }

  /** Newest first. */
  list(): readonly Erasure[] {
    return erasuresIn(this.#services);
  }
}

/** A branch that has not arrived shows nothing here, and its records are found in their packs. */
function ignoreAbsent(error: unknown): void {
  if (!isCambiumError(error, "CONTENT_NOT_HERE") && !isCambiumError(error, "BRANCH_NOT_FOUND")) throw error;
}
