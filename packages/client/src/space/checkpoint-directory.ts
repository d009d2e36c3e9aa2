/**
 * Checkpoints by name. The name, description and reason of one made by hand are a record, so that they can
 * be erased; the others are named by why they were made, and when.
 *
 * @module
 */
import {
  type Author,
  automaticName,
  type BranchId,
  CambiumError,
  type Catalog,
  type CheckpointEntry,
  type CheckpointId,
  checkpointTextId,
  compareText,
  LAST_CHECKPOINT,
  type RecordHash,
  type RecordLoader,
  type Reference,
  shownNames,
  singleSpaced,
} from "@cambium/core";
import type { CatalogKeeper } from "../documents/catalog-keeper.js";

export interface KnownCheckpoint {
  readonly id: CheckpointId;
  /** As it was named. */
  readonly ownName: string;
  /** As it is shown: unique among those that are kept. */
  readonly name: string;
  readonly entry: CheckpointEntry;
  readonly state: CheckpointEntry["state"];
  readonly text: CheckpointText;
  readonly notice?: string;
}

/** What someone said of it. */
export interface CheckpointText {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly reason?: string | undefined;
  readonly area?: string | undefined;
  readonly author?: Author | undefined;
}

const NAMED_IN_HINT = 10;
const MIN_ID_DIGITS = 4;

export class CheckpointDirectory {
  readonly #catalog: CatalogKeeper;
  readonly #load: RecordLoader;
  /** Records do not change. */
  readonly #texts = new Map<RecordHash, CheckpointText>();
  #known: { readonly catalog: Catalog; readonly checkpoints: readonly KnownCheckpoint[] } | undefined;

  constructor(catalog: CatalogKeeper, load: RecordLoader) {
    this.#catalog = catalog;
    this.#load = load;
  }

  /** Deleted ones too. Oldest first. */
  async all(): Promise<readonly KnownCheckpoint[]> {
    const catalog = this.#catalog.current;
    if (this.#known?.catalog === catalog) return this.#known.checkpoints;
    const checkpoints = await this.#read(catalog);
    const isWhole = checkpoints.every(
      ({ entry, text }) => entry.text === undefined || text.name !== undefined,
    );
    this.#known = isWhole ? { catalog, checkpoints } : undefined; // a text may come without a change of the catalog
    return checkpoints;
  }

  async #read(catalog: Catalog): Promise<readonly KnownCheckpoint[]> {
    const found: Omit<KnownCheckpoint, "name">[] = [];
    for (const [key, { value: entry }] of catalog.checkpoints) {
      const id = key as CheckpointId;
      const text = entry.text === undefined ? {} : await this.#textOf(id, entry.text);
      found.push({ id, ownName: ownNameOf(id, entry, text), entry, state: entry.state, text });
    }
    const names = shownNames(found);
    return found
      .map((checkpoint) => describe(checkpoint, names.get(checkpoint.id) ?? checkpoint.ownName))
      .sort((a, b) => a.entry.at - b.entry.at || compareText(a.id, b.id));
  }

  async #textOf(id: CheckpointId, reference: Reference): Promise<CheckpointText> {
    const known = this.#texts.get(reference.record);
    // It may be erased since, and then nobody knows it any more.
    if (known !== undefined && this.#catalog.current.erasures.size === 0) return known;
    const reading = await this.#load(reference, checkpointTextId(id));
    if (reading.status !== "here") return {}; // not arrived, or erased
    const { fields, notes, author } = reading.record;
    const { summary: description, reason } = notes;
    const text = { name: fields.content, area: fields.area, description, reason, author };
    this.#texts.set(reference.record, text);
    return text;
  }

  /** Whether one that is kept is shown under this name. */
  async has(name: string): Promise<boolean> {
    return (await this.all()).some((checkpoint) => checkpoint.name === name && checkpoint.state === "kept");
  }

  /**
   * Finds one by its shown name, by the name it was given, or by (a beginning of) its id; as `last` the newest of the
   * branch, else by a beginning of its name.
   *
   * @param branch - where it stands, if a ref says so: of two that bear a name, the one of that branch is meant
   * @param usual - the branch whose newest one is meant, where no ref says one
   * @throws {CambiumError} CHECKPOINT_NOT_FOUND, AMBIGUOUS_CHECKPOINT
   */
  async find(named: string, branch?: BranchId, usual = branch): Promise<KnownCheckpoint> {
    const all = await this.all();
    const kept = all.filter(({ state }) => state === "kept");
    const exact = named.normalize("NFC");
    const text = all.some(({ name, ownName }) => name === exact || ownName === exact)
      ? exact
      : singleSpaced(exact);
    const ofBranch = kept.filter(({ ownName, entry }) => ownName === text && entry.branch === branch);
    const found =
      (ofBranch.length === 1 ? ofBranch[0] : undefined) ??
      kept.find(({ name }) => name === text) ??
      onlyOne(kept.filter((checkpoint) => isNamed(checkpoint, text))) ??
      all.find(({ id }) => id === text) ??
      kept.find(({ name }) => singleSpaced(name) === text) ??
      (text.toLowerCase() === LAST_CHECKPOINT
        ? kept.findLast(({ entry }) => entry.branch === usual)
        : onlyBeginning(
            all.some(({ ownName }) => ownName === text)
              ? [] // it was deleted: another one is not meant
              : kept.filter(({ entry }) => branch === undefined || entry.branch === branch),
            text,
          ));
    if (found !== undefined) return found;
    throw notFound(text, all);
  }
}

/** A name that someone has seen may have come to be another's: `before~ab12` still means the one whose id begins so. */
function isNamed({ id, ownName }: KnownCheckpoint, text: string): boolean {
  const tilde = text.lastIndexOf("~");
  if (tilde === -1) return text.length >= MIN_ID_DIGITS && id.startsWith(text);
  return ownName === text.slice(0, tilde) && id.startsWith(text.slice(tilde + 1));
}

const onlyOne = <T>(found: readonly T[]): T | undefined => (found.length === 1 ? found[0] : undefined);

/** @throws {CambiumError} AMBIGUOUS_CHECKPOINT when several names begin so */
function onlyBeginning(kept: readonly KnownCheckpoint[], text: string): KnownCheckpoint | undefined {
  const start = text.toLowerCase();
  const found = start === "" ? [] : kept.filter(({ name }) => name.toLowerCase().startsWith(start));
  if (found.length < 2) return found[0];
  const names = found.map(({ name }) => name).toReversed();
  const more = names.length > NAMED_IN_HINT ? " …" : "";
  throw new CambiumError("AMBIGUOUS_CHECKPOINT", `${found.length} checkpoints begin with "${text}".`, {
    hint: `Say which one: ${names
      .slice(0, NAMED_IN_HINT)
      .map((name) => `checkpoint:${name}`)
      .join(", ")}${more}`,
    details: { checkpoint: text, names },
  });
}

function ownNameOf(id: CheckpointId, { cause, at }: CheckpointEntry, { name }: CheckpointText): string {
  if (cause === "manual") return name ?? id.slice(0, 8); // its record has not arrived
  return automaticName(id, cause, at);
}

function describe(checkpoint: Omit<KnownCheckpoint, "name">, name: string): KnownCheckpoint {
  const { ownName, entry, state } = checkpoint;
  if (name === ownName || entry.cause !== "manual" || state === "deleted") return { ...checkpoint, name };
  return { ...checkpoint, name, notice: `Another checkpoint is named ${ownName} too.` };
}

function notFound(text: string, all: readonly KnownCheckpoint[]): CambiumError {
  const byHand = all.filter(({ state, entry }) => state === "kept" && entry.cause === "manual");
  const names = byHand.map(({ name }) => name).slice(-NAMED_IN_HINT);
  const wasDeleted = all.some(({ ownName, state }) => ownName === text && state === "deleted");
  return new CambiumError(
    "CHECKPOINT_NOT_FOUND",
    wasDeleted ? `The checkpoint "${text}" was deleted.` : `There is no checkpoint named "${text}".`,
    {
      hint:
        names.length === 0
          ? "Make one with `cambium checkpoint <name>`; see automatic ones with `cambium checkpoints --all`."
          : `Checkpoints made by hand: ${names.join(", ")}. See all with \`cambium checkpoints --all\`.`,
      details: { checkpoint: text },
    },
  );
}
