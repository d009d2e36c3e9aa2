/**
 * Branches by name. A name is a record, so that it can be erased; two branches may come to bear the
 * same one when they were made apart, and then the later reads `work~ab12` until someone renames it.
 *
 * @module
 */
import {
  type Author,
  type BranchEntry,
  type BranchId,
  bytesFromHex,
  CambiumError,
  type Catalog,
  checkName,
  compareText,
  type MemoryId,
  type MemoryRecord,
  mainBranchId,
  type RecordLoader,
  type Reference,
  type SpaceId,
  uuidFromBytes,
} from "@cambium/core";
import { shellWord } from "@cambium/core/text";
import type { CatalogKeeper } from "../documents/catalog-keeper.js";
import { Turns } from "../platform/turns.js";

export interface KnownBranch {
  readonly id: BranchId;
  /** As it was named. */
  readonly ownName: string;
  /** As it is shown: unique in the space. */
  readonly name: string;
  readonly status: "open" | "merged" | "deleted";
  readonly entry: BranchEntry | undefined;
  /** Who gave it its name: its maker, unless it was renamed. */
  readonly namedBy?: Author | undefined;
  readonly notice?: string;
}

const MAIN = "main";
const SUFFIX_DIGITS = 4;

export class BranchDirectory {
  readonly main: BranchId;
  /** Taken by calls that give or free a name: it has to be free still when it is written. */
  readonly naming = new Turns();
  readonly #catalog: CatalogKeeper;
  readonly #load: RecordLoader;

  constructor(space: SpaceId, catalog: CatalogKeeper, load: RecordLoader) {
    this.main = mainBranchId(space);
    this.#catalog = catalog;
    this.#load = load;
  }

  /** Main first, then by name. */
  async all(): Promise<readonly KnownBranch[]> {
    this.#catalog.refuseWrongKey();
    const catalog = this.#catalog.current;
    const branches: KnownBranch[] = [
      {
        id: this.main,
        ownName: MAIN,
        name: MAIN,
        status: "open",
        entry: catalog.branches.get(this.main)?.value,
      },
    ];
    for (const [id, { value: entry }] of catalog.branches) {
      if (id !== this.main) branches.push(await this.#describe(catalog, id as BranchId, entry));
    }
    return distinctNames(branches);
  }

  async #describe(catalog: Catalog, id: BranchId, entry: BranchEntry): Promise<KnownBranch> {
    const state = catalog.branchStates.get(id);
    const names: string[] = [];
    let namedBy: Author | undefined;
    for (const { name } of [state?.value, ...(state?.others ?? [])].filter((value) => value !== undefined)) {
      const record = name === undefined ? undefined : await this.#nameRecord(id, name);
      namedBy ??= record?.author;
      const text = record?.fields.content;
      if (text !== undefined && !names.includes(text)) names.push(text);
    }
    const [ownName = id.slice(0, 8), ...others] = names.sort(compareText);
    const notice =
      others.length === 0 ? {} : { notice: `Was also renamed to ${others.join(", ")} elsewhere.` };
    const status = state?.value.status ?? "open";
    return { id, ownName, name: ownName, status, entry, namedBy, ...notice };
  }

  async #nameRecord(id: BranchId, reference: Reference): Promise<MemoryRecord | undefined> {
    const reading = await this.#load(reference, nameMemoryId(id));
    return reading.status === "here" ? reading.record : undefined;
  }

  /**
   * Finds a branch by id, by shown name, or as `name~<beginning of id>`.
   *
   * @param forWriting - then a name that two branches bear is refused instead of meaning the first
   * @throws {CambiumError} BRANCH_NOT_FOUND, AMBIGUOUS_BRANCH
   */
  async find(text: string, forWriting = false): Promise<KnownBranch> {
    const found = await this.#named(text, forWriting);
    if (found !== undefined) return found;
    throw await this.#notFound(
      text,
      canBeMade(text) ? ` A new branch is made with: cambium branch ${shellWord(text)}` : "",
    );
  }

  /**
   * For what makes sense only with a branch that is there: nobody is told to make it first.
   *
   * @throws {CambiumError} BRANCH_NOT_FOUND, AMBIGUOUS_BRANCH
   */
  async findToEnd(text: string): Promise<KnownBranch> {
    const found = await this.#named(text, true);
    if (found !== undefined) return found;
    throw await this.#notFound(text, "");
  }

  /**
   * One that was deleted, or is open already: by id, by name, or as `name~<beginning of id>`.
   *
   * @throws {CambiumError} BRANCH_NOT_FOUND; AMBIGUOUS_BRANCH when several of that name were deleted, or one
   *   was beside the one that is open
   */
  async findDeleted(text: string): Promise<KnownBranch> {
    const found = await this.findToEnd(text);
    if (found.id === text || found.name !== text) return found;
    const named = (await this.all()).filter(
      ({ ownName, status }) => ownName === text && status === "deleted",
    );
    if (found.status !== "deleted" && named.length > 0) throw besideLive(text, named);
    if (named.length > 1) throw ambiguous(named, `${named.length} deleted branches were named ${text}.`);
    return found;
  }

  async #notFound(text: string, advice: string): Promise<CambiumError> {
    const open = (await this.all()).filter(({ status }) => status !== "deleted").map(({ name }) => name);
    return new CambiumError("BRANCH_NOT_FOUND", `There is no branch named "${text}".`, {
      hint: `Branches here: ${open.slice(0, 10).join(", ")}.${advice}`,
      details: { branch: text, branches: open.slice(0, 10) },
    });
  }

  async #named(text: string, forWriting: boolean): Promise<KnownBranch | undefined> {
    const branches = await this.all();
    const named = branches.filter(({ ownName, status }) => ownName === text && status !== "deleted");
    if (forWriting && named.length > 1) throw ambiguous(named, `Two branches are named ${text}.`);
    const [name = "", suffix] = text.split("~");
    return (
      branches.find((branch) => branch.id === text) ??
      branches.find((branch) => branch.name === text && branch.status !== "deleted") ??
      (suffix === undefined
        ? undefined
        : branches.find(({ ownName, id }) => ownName === name && id.startsWith(suffix))) ??
      branches.find((branch) => branch.name === text)
    );
  }
}

/** Two open ones cannot bear the name: the deleted one gets another before it comes back. */
function besideLive(name: string, deleted: readonly KnownBranch[]): CambiumError {
  const refs = refsOf(deleted);
  const [ref = name] = refs;
  const [which, was] = refs.length === 1 ? ["another one", "was"] : [`${refs.length} others`, "were"];
  const free = shellWord(`${name}-2`);
  return new CambiumError(
    "AMBIGUOUS_BRANCH",
    `The branch ${name} is there, and ${which} of that name ${was} deleted: ${refs.join(", ")}. Nothing was restored.`,
    {
      hint: `To bring it back under another name: cambium branch ${shellWord(ref)} --rename ${free}, then cambium branch ${free} --restore`,
      details: { refs },
    },
  );
}

/** As a person can name each of them. */
const refsOf = (named: readonly KnownBranch[]): readonly string[] =>
  named.map(({ ownName, id }) => `${ownName}~${id.slice(0, SUFFIX_DIGITS)}`);

function ambiguous(named: readonly KnownBranch[], message: string): CambiumError {
  const refs = refsOf(named);
  return new CambiumError("AMBIGUOUS_BRANCH", message, {
    hint: `Use one of: ${refs.join(", ")}`,
    details: { refs },
  });
}

function canBeMade(name: string): boolean {
  try {
    return checkName("branch", name) === name;
  } catch {
    return false;
  }
}

/** It can be read still, and written no more. @throws {CambiumError} BRANCH_NOT_FOUND */
export function refuseDeleted({ name, status }: KnownBranch): void {
  if (status !== "deleted") return;
  throw new CambiumError("BRANCH_NOT_FOUND", `The branch ${name} was deleted.`, {
    hint: "Bring it back, or fork it under a new name, to go on from there.",
  });
}

/** The smallest id keeps the name. */
function distinctNames(branches: readonly KnownBranch[]): readonly KnownBranch[] {
  const holder = new Map<string, BranchId>();
  for (const { ownName, id, status } of branches.toSorted((a, b) => compareText(a.id, b.id))) {
    if (status === "deleted" || (holder.has(ownName) && ownName !== MAIN)) continue;
    holder.set(ownName, ownName === MAIN ? (branches[0] as KnownBranch).id : id);
  }
  const named = branches.map((branch): KnownBranch => {
    const keeper = holder.get(branch.ownName);
    if (branch.status === "deleted" || keeper === undefined || keeper === branch.id) return branch;
    return {
      ...branch,
      name: `${branch.ownName}~${branch.id.slice(0, SUFFIX_DIGITS)}`,
      notice: `Another branch is named ${branch.ownName} too; rename one of them.`,
    };
  });
  const [main, ...others] = named as [KnownBranch, ...KnownBranch[]];
  return [main, ...others.sort((a, b) => compareText(a.name, b.name))];
}

/** A branch's name is kept as a memory of its own, which no branch lists. */
export const nameMemoryId = (branch: BranchId): MemoryId => uuidFromBytes(bytesFromHex(branch)) as MemoryId;
