/**
 * Texts that were erased and come again from another device, in a memory of their own: found by their codes, and taken
 * in, told of, or erased again as the policy says.
 *
 * @module
 */
import { type DocumentId, decidesField, type ErasureEntry, packHashes, type RecordHash } from "@cambium/core";
import type { HeldHeader } from "../documents/pack-erasure.js";
import { PolicyKeeper } from "../governance/policy-keeper.js";
import type { ErasureServices } from "./services.js";

type ReturnedServices = Pick<
  ErasureServices,
  "catalog" | "packs" | "packErasure" | "note" | "now" | "replica"
>;

/** A rule names so many, and the next look finds the rest. */
const MAX_NAMED = 4_000;

export class ReturnedTexts {
  readonly #services: ReturnedServices;
  readonly #policy: PolicyKeeper;
  /** Looked at in this session. */
  readonly #seen = new Set<RecordHash>();

  constructor(services: ReturnedServices) {
    this.#services = services;
    this.#policy = new PolicyKeeper(services.catalog);
  }

  /** @returns a rule to be written, where the policy refuses what has come */
  async look(arrived: readonly DocumentId[]): Promise<ErasureEntry | undefined> {
    const { owner } = this.#policy.current.classes["receive-erased"];
    if (owner === "allow" || !this.#services.packs.erasures.hasTexts) return undefined;
    const found: HeldHeader[] = [];
    for (const document of arrived)
      for (const header of await this.#services.packErasure.headersIn(document))
        if (await this.#isErasedText(header)) found.push(header);
    if (found.length === 0) return undefined;
    if (owner === "refuse") return this.#ruleFor(found.slice(0, MAX_NAMED));
    const { note, now } = this.#services;
    const returned = new Map(note.noted.returned);
    for (const { memory } of found) returned.set(memory, now());
    note.put({ returned });
    return undefined;
  }

  async #isErasedText(header: HeldHeader): Promise<boolean> {
    const { packs } = this.#services;
    if (this.#seen.has(header.hash) || header.type === "name" || !decidesField(header, "content"))
      return false;
    this.#seen.add(header.hash);
    const reading = await packs.readOnce({ record: header.hash, pack: header.pack }, header.memory);
    return reading.status === "here" && packs.wasErased(reading.record.fields.content);
  }

  #ruleFor(found: readonly HeldHeader[]): ErasureEntry {
    const { now, replica } = this.#services;
    return {
      ...{ seen: {}, texts: new Uint8Array(), at: now(), by: { replica: replica() } },
      reason: "It had been erased and came again, and the policy refuses that.",
      counts: { memories: new Set(found.map(({ memory }) => memory)).size, versions: found.length },
      records: packHashes(found.map(({ hash }) => hash)),
      parts: packHashes(found.map(({ content }) => content.hash)),
    };
  }
}
