/**
 * Retention: says what this device has, finds the texts that the rules of the space do not keep and nobody needs, and
 * prunes them as an erasure does.
 *
 * @module
 */
import {
  CambiumError,
  isRetentionSet,
  type MemoryId,
  type PartHash,
  prunedTextCode,
  type ReplicaId,
  type SetSetting,
} from "@cambium/core";
import type { PruneOptions, PruneResult } from "../api.js";
import { SEEN } from "../documents/packs.js";
import type { PolicyCheck } from "../governance/policy-check.js";
import type { SettingsKeeper } from "../governance/settings-keeper.js";
import { ShortTurns } from "../platform/short-turns.js";
import { DifferenceKeeper, KEPT_NOTHING } from "./difference-keeper.js";
import type { Eraser } from "./eraser.js";
import { type PruningPlan, planPruning, seenHere } from "./pruning-plan.js";
import type { ErasureServices } from "./services.js";

/** So many are opened before others get on. */
const OPENED_AT_ONCE = 64;
/** More are counted, and not listed. */
const MAX_LISTED = 1_000;

export class Pruner {
  readonly #services: ErasureServices;
  readonly #settings: SettingsKeeper;
  readonly #eraser: Eraser;

  constructor(services: ErasureServices, settings: SettingsKeeper, eraser: Eraser) {
    this.#services = services;
    this.#settings = settings;
    this.#eraser = eraser;
  }

  /** @throws {CambiumError} ROLE_REFUSED, HEADS_NOT_HERE, BAD_INPUT, BAD_SETTING */
  async prune(
    { preview = false, settings: change, reason, signal }: PruneOptions,
    policyCheck: PolicyCheck,
  ): Promise<PruneResult> {
    if (change !== undefined && !preview) throw onlyPreviews();
    const settings = change === undefined ? this.#settings.current : this.#settings.after(change);
    if (!isRetentionSet(settings)) {
      if (!preview) await this.#letGo(settings);
      return resultOf("off", NOTHING, NO_ROOM, this.#services);
    }
    if (!preview && !this.#services.mayWrite()) throw readersCannot();
    if (!preview) await this.#describe();
    const plan = await planPruning(this.#services, settings, signal);
    const parts = plan.texts.map(({ part }) => part);
    const going = new Set(parts);
    const bytes = sumOf((await this.#services.packErasure.sizesOf(going)).values());
    const keeper = new DifferenceKeeper(this.#services);
    if (!preview) await keeper.tend(plan.byMemory, settings);
    if (parts.length === 0) return resultOf("nothing", plan, NO_ROOM, this.#services);
    if (preview) {
      const differences = await keeper.preview(going, plan.byMemory, settings);
      return resultOf("preview", plan, { bytes, differences }, this.#services);
    }
    const { counts } = resultOf("preview", plan, NO_ROOM, this.#services);
    await policyCheck.check({
      ...{ operation: "retention", call: { method: "prune", args: [{}] }, affected: counts.memories, reason },
      preview: () => ({ counts, ids: plan.texts.map(({ memory }) => memory), plan: [...parts].sort() }),
    });
    const differences = await this.#eraser.prune(await this.#codesOf(plan.texts), counts);
    return resultOf("pruned", plan, { bytes, differences }, this.#services);
  }

  /** Where everything is kept from now on, what was kept of earlier texts stays unless that is not wanted. */
  async #letGo(settings: ReadonlyMap<string, SetSetting>): Promise<void> {
    const { differences, packErasure } = this.#services;
    if (differences.memories().length === 0) return;
    const byMemory = Map.groupBy(await packErasure.headers(), ({ memory }) => memory);
    await new DifferenceKeeper(this.#services).tend(byMemory, settings);
  }

  /** What is found again can be told from what only looks like it. */
  async #codesOf(texts: PruningPlan["texts"]): Promise<ReadonlyMap<PartHash, Uint8Array>> {
    const { codec, packs } = this.#services;
    const key = codec.keys.erasures();
    const codes = new Map<PartHash, Uint8Array>();
    const turns = new ShortTurns({ pieces: OPENED_AT_ONCE });
    for (const { part, memory, reference } of texts) {
      await turns.piece();
      const reading = await packs.readOnce(reference, memory);
      if (reading.status === "here") codes.set(part, prunedTextCode(key, reading.record.fields.content));
    }
    return codes;
  }

  /** The others prune nothing that this device may build upon, and so need to know what it has. */
  async #describe(): Promise<void> {
    const { catalog, documents, replica } = this.#services;
    await documents.flush();
    const note = await seenHere(this.#services);
    if (note === undefined) return;
    await catalog.put(() => [{ map: "settings", key: SEEN + replica(), entry: { value: { ...note } } }]);
    await documents.flush();
  }
}

const NOTHING: PruningPlan = { texts: [], byMemory: new Map(), waitingFor: [] };

type Room = Pick<PruneResult, "bytes" | "differences">;

const NO_ROOM: Room = { bytes: 0, differences: KEPT_NOTHING };

const sumOf = (numbers: Iterable<number>): number => [...numbers].reduce((sum, number) => sum + number, 0);

function resultOf(
  status: PruneResult["status"],
  { texts, waitingFor }: PruningPlan,
  room: Room,
  { catalog }: ErasureServices,
): PruneResult {
  const byMemory = new Map<MemoryId, number>();
  for (const { memory, records } of texts) byMemory.set(memory, (byMemory.get(memory) ?? 0) + records.length);
  const nameOf = (id: ReplicaId): string => catalog.current.replicas.get(id)?.value.name ?? id;
  return {
    status,
    counts: {
      memories: byMemory.size,
      versions: [...byMemory.values()].reduce((sum, count) => sum + count, 0),
    },
    ...room,
    memories: [...byMemory].slice(0, MAX_LISTED).map(([id, versions]) => ({ id, versions })),
    waitingFor: waitingFor.map((id) => ({ id, name: nameOf(id) })),
  };
}

const readersCannot = (): CambiumError =>
  new CambiumError("ROLE_REFUSED", "This replica joined the space as a reader and cannot prune anything.", {
    hint: "Ask a member for an invitation with the role write.",
  });

const onlyPreviews = (): CambiumError =>
  new CambiumError("BAD_INPUT", "Only a preview can be asked for as if the settings were others.", {
    hint: "Change the settings first, or ask for a preview.",
  });
