/**
 * Erasing for good: what, with a preview, and what became of it.
 *
 * @module
 */
import type { LabelFilter, LabelValues, MemoryId, RecordHash } from "@cambium/core";
import { date, either, flag, list, naming, number, object, options, text } from "../arguments/shapes.js";
import { BECAUSE, LABELS, ON_BRANCH, PROGRESS, type Signature } from "../arguments/signature.js";
import type { OnBranch } from "./memories.js";
import type { ProgressOptions } from "./upkeep.js";

/** One version of a memory. */
export interface VersionToErase {
  /** The memory, by its id or a unique beginning of it. */
  readonly id: string;
  /** Its number on the branch, or its record by at least 4 digits. */
  readonly version: number | string;
}

/** What to erase. All given conditions have to match; one at least has to be given. */
export interface EraseSelection extends LabelFilter {
  /** These memories, every version of them. Unique beginnings of ids will do. */
  readonly ids?: readonly string[] | undefined;
  /** Only these versions, and those that still carry their text. */
  readonly versions?: readonly VersionToErase[] | undefined;
  /** Memories that speak of this, in any wording that any branch ever had, deleted ones and proposals included. */
  readonly query?: string | undefined;
  /** Memories that came from there: a file, an address, a thread, a tool, or a folder with everything below it. */
  readonly source?: string | undefined;
  /** Only versions that this branch has, or had, and no other branch that is not deleted. The branch is deleted with them. */
  readonly onlyOn?: string | undefined;
  /** The whole space, what is written later included: nothing can be written to it any more. Without any other condition. */
  readonly everything?: boolean | undefined;
  /** Only what this agent wrote. A memory goes as a whole if nobody else wrote any of it. */
  readonly agent?: LabelValues | undefined;
  /** Only versions written at this time or later, in milliseconds since 1970 or in words. */
  readonly since?: number | string | undefined;
  /** Only versions written until then; a day counts to its end. */
  readonly until?: number | string | undefined;
}

/** What to erase, and how sure the caller is. */
export interface EraseOptions extends EraseSelection, OnBranch, ProgressOptions {
  /**
   * Beside what is selected: these memories as a whole, or `all` that the preview lists as repeating it, and what repeats
   * those in turn.
   */
  readonly also?: readonly string[] | undefined;
  /** Shows what it would erase, and writes nothing. */
  readonly preview?: boolean | undefined;
  /** How many memories the preview said: refused if by now there are more or fewer. */
  readonly confirm?: number | undefined;
  /** Says that it is meant, where more than 25 memories and a tenth of the space go. */
  readonly many?: boolean | undefined;
  /** Kept in the clear for all members. Do not repeat what is erased. */
  readonly reason?: string | undefined;
}

/** A memory of which something is erased. */
export interface ErasedMemory {
  /** The memory. */
  readonly id: MemoryId;
  /** How many of its versions go, those that carry an erased text included. */
  readonly versions: number;
  /** All of it goes, and what is written to it later as well. */
  readonly isWhole: boolean;
  /** Its newest text that goes. Only in a preview. */
  readonly content?: string;
  /** Only an earlier version has the labels or the source that were selected. Only in a preview. */
  readonly isFormer?: true;
}

/** A memory that says what is erased, and stays. */
export interface RepeatingMemory {
  /** The memory. */
  readonly id: MemoryId;
  /** The version that says it. */
  readonly record: RecordHash;
  /** What that version says. */
  readonly content: string;
  /**
   * `repeats`: it contains an erased text. `line`: it contains a line of one, or is a piece of one. `similar`: it says
   * nearly the same. `derived`: it was made from an erased memory. `part`: it shares a part of it that tells, such as a
   * number or a name.
   */
  readonly how: "repeats" | "line" | "similar" | "derived" | "part";
  /** The field that says it, where that is not the content: `summary`, `links`, `source`. */
  readonly field?: string;
  /** The parts that it shares, without case and without what separates groups of digits. */
  readonly parts?: readonly string[];
}

/** What an erasure did, or would do. */
export interface EraseResult {
  /** `nothing`: there was nothing to erase. */
  readonly status: "preview" | "erased" | "nothing";
  /** Once it is written: its id, as `erasures` shows it. */
  readonly erasure?: string;
  /** How much goes. */
  readonly counts: { readonly memories: number; readonly versions: number };
  /** What goes, at most 1,000 of them. */
  readonly memories: readonly ErasedMemory[];
  /** Names of the branches that show some of it. */
  readonly branches: readonly string[];
  /** What stays although it may say the same, the surest first; at most 100. `also` takes it along. */
  readonly repeated: readonly RepeatingMemory[];
  /** Names of checkpoints that hold some of it: they will show gaps. Those of a branch that goes are deleted with it. */
  readonly checkpoints: readonly string[];
  /** Requests for approval that name an erased memory: their words go with it. */
  readonly requests: number;
  /** Other devices of the space. Each destroys its copy when it syncs. */
  readonly devices: readonly { readonly id: string; readonly name: string }[];
  /** More than 25 memories and a tenth of the space go: `many` has to say that this is meant. */
  readonly isMany: boolean;
}

/** An erasure that was carried out, or is being carried out. */
export interface Erasure {
  /** Names it on every device. */
  readonly id: string;
  /** When it was asked for, in milliseconds since 1970. */
  readonly at: number;
  /** Who asked for it. */
  readonly by: { readonly replica: string; readonly device: string; readonly agent?: string };
  /** Why. Absent if nobody said. */
  readonly reason?: string;
  /** How much it covered when it was written. */
  readonly counts: { readonly memories: number; readonly versions: number };
  /** What it covers from then on: whole memories, or versions of a time, in milliseconds since 1970. */
  readonly covers: {
    /** The whole space, what is written later included: nothing can be written to it any more. */
    readonly everything?: true;
    /** Whole memories, what is written to them later included. */
    readonly memories: readonly MemoryId[];
    /** How many single versions. */
    readonly versions: number;
    /** Versions written at this time or later. */
    readonly from?: number;
    /** Versions written before this time. */
    readonly until?: number;
  };
  /** Memories that stayed although they might say the same, and are not erased since. */
  readonly mayRepeat: readonly MemoryId[];
  /** Whether this device has destroyed all of it. */
  readonly isDoneHere: boolean;
  /**
   * What this device has done about it. `held`: it came from another device, would destroy much, and waits for a person
   * here. `refused`: somebody here has decided to keep this device's copy.
   */
  readonly here: "destroyed" | "pending" | "held" | "refused";
  /** Where it is `held`: how many memories it would take from this device. */
  readonly wouldTake?: number;
  /** Devices that have said that they destroyed their copy. One that may only read cannot say so. */
  readonly acknowledged: readonly { readonly id: string; readonly name: string }[];
  /** Devices with access of which that is not known. */
  readonly waiting: readonly { readonly id: string; readonly name: string }[];
  /** Devices whose access ended before they said so: nobody waits for them. */
  readonly ended: readonly { readonly id: string; readonly name: string }[];
  /** Devices on which somebody has decided to keep their copy. */
  readonly refused: readonly { readonly id: string; readonly name: string }[];
  /** `destroyed`: the relay has confirmed that it destroyed everything that was ever erased. `none`: there is no relay. */
  readonly relay: "destroyed" | "pending" | "none";
}

/** How sure the caller is who agrees to an erasure of another device. */
export interface DecideErasureOptions {
  /** How many memories it would take, as `erasures` says: refused if it is another number. */
  readonly confirm?: number | undefined;
}

/** A place where a text was found. */
export interface FoundTrace {
  /** The file. */
  readonly path: string;
  /** What part of it, and how it was read, such as `bytes` or `row of contents, document, sealed parts`. */
  readonly where: string;
  /** As it was looked for. */
  readonly text: string;
  /** The memory that says it, in any version of it. Absent where it was found in the files alone. */
  readonly memory?: MemoryId;
}

/** Where to look for traces. */
export interface TraceOptions {
  /** Files, and folders with everything below. Default: the home of this replica. */
  readonly paths?: readonly string[] | undefined;
}

const version = object({ id: naming, version: either({ ofText: naming, ofNumber: number }) });

const erase: Signature = [
  [
    "options",
    (value, at) => {
      object({})(value, at);
      options({
        ...{ ...ON_BRANCH, ...PROGRESS, ...BECAUSE, ...LABELS },
        ...{ ids: list(naming), versions: list(version), query: naming },
        ...{ agent: either({ ofText: text, ofObject: list(text) }), since: date, until: date },
        ...{ source: naming, onlyOn: naming, everything: flag },
        ...{ also: list(naming), preview: flag, confirm: number, many: flag },
      })(value, at);
    },
  ],
];

const traces: Signature = [
  ["texts", list(text)],
  ["options", options({ paths: list(naming) })],
];

const acceptErasure: Signature = [
  ["erasure", naming],
  ["options", options({ confirm: number })],
];

const refuseErasure: Signature = [["erasure", naming]];

export default { erase, traces, acceptErasure, refuseErasure };
