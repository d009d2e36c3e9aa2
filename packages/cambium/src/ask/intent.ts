/**
 * What a sentence can ask for: one kind of request for each thing that is done.
 *
 * @module
 */

/** A state as it was said, and the ref that names it on whatever branch is worked on. */
export interface ParsedState {
  readonly said: string;
  /** A date, a moment or `checkpoint:name`, without a branch. */
  readonly ref: string;
}

/** A stretch of time; a day, a month or a year lasts from its beginning to its end. */
export interface ParsedPeriod {
  readonly said: string;
  /** The state just before it. */
  readonly from: string;
  /** The state at its end. Absent where it lasts until now. */
  readonly to?: string;
  /** Its edges, where they are times: milliseconds since 1970, inclusive. */
  readonly interval?: { readonly since?: number; readonly until?: number };
}

/** A branch as it was said, and those that can be meant. */
export interface ParsedBranch {
  readonly said: string;
  readonly matches: readonly string[];
}

export interface Labels {
  readonly category?: string;
  readonly tag?: string;
}

/** By whom and when it was written. */
export interface Written {
  readonly agent?: string;
  /** On which device. */
  readonly device?: string;
  readonly period?: ParsedDays;
}

/** Which of those that are found. */
interface Shown extends Written {
  /** So many, the newest of a list and the best of a search. */
  readonly limit?: number;
}

/** What is said of a memory beside its text. */
export interface NamedFields {
  readonly category?: string;
  readonly tags?: readonly string[];
  readonly kind?: string;
  readonly area?: string;
  /** 0 to 1. */
  readonly importance?: number;
  /** Times as ISO 8601 text. */
  readonly occurredAt?: string;
  readonly validFrom?: string;
  readonly validUntil?: string;
}

export type Intent =
  | {
      readonly operation: "remember";
      readonly content: string;
      readonly fields?: NamedFields;
      /** It was only said, and not told to be kept: what is stored may say otherwise. */
      readonly isStated?: true;
      /** It says that something is otherwise now: no second memory of it is made. */
      readonly isOtherwise?: true;
      readonly named?: { readonly subject: string; readonly now: string; readonly insteadOf?: string };
    }
  | {
      readonly operation: "correct";
      readonly content: string;
      /** What the correction is about: by it, the memory that says otherwise is found. */
      readonly subject: string;
      readonly insteadOf?: string;
      /** By its parts, where the sentence as a whole says nothing of a memory: only that value changes. */
      readonly named?: { readonly subject: string; readonly now: string; readonly insteadOf?: string };
      /** With what it is instead of, for a memory that does not say that. */
      readonly whole?: string;
      /** Where nothing is known of it, nothing is written. */
      readonly isKnown?: true;
      /** So is said of a memory that there is: no second one on the subject is made. */
      readonly isOtherwise?: true;
      /** It says that something is so no longer: the sentence is the whole new text. */
      readonly isNegation?: true;
      /** One value of a memory is another now, and nothing else is said of it. */
      readonly isValue?: true;
      /** `update` where things have changed, `correct` where it was wrong. */
      readonly type: "correct" | "update";
    }
  /** Of a conflict, or of two memories that say otherwise, one side stays: that with a value, of somebody, or the newer one. */
  | {
      readonly operation: "settle";
      /** What is right: a value, or a statement that has one. */
      readonly value?: string;
      /** What is not. */
      readonly notValue?: string;
      /** Where there are no two sides, the memory that says otherwise is corrected by it. */
      readonly content?: string;
      readonly agent?: string;
      readonly device?: string;
      readonly when?: "newest" | "oldest";
      readonly topic?: string;
    }
  /** Without a topic the memory that was written last. */
  | ({
      readonly operation: "forget";
      readonly topic?: string;
      readonly all: boolean;
      /** Those that speak of any of these stay. */
      readonly except?: readonly string[];
      /** The topic is what was said before, such as a reason: only one memory may be meant by it. */
      readonly isContext?: true;
    } & Labels)
  /** Without a topic or a label the memory that was forgotten last. */
  | ({
      readonly operation: "restore";
      readonly topic?: string;
      /** When it was forgotten; milliseconds since 1970. */
      readonly forgotten?: ParsedDays;
      /** What a memory said before its last change, and not a memory that was forgotten. */
      readonly isEarlier?: true;
      /** The topic is what was said before: only one memory may be meant by it. */
      readonly isContext?: true;
    } & Labels)
  | ({
      readonly operation: "recall";
      readonly query: string;
      readonly at?: ParsedState;
      /** Of those that are found, what was written last comes first. */
      readonly isNewest?: true;
      /** It may be nothing that a memory knows: what is found by chance is no answer. */
      readonly isStrange?: true;
    } & Labels &
      Shown)
  | ({ readonly operation: "list"; readonly at?: ParsedState } & Labels & Shown)
  /** Without a topic, of everything that has changed. */
  | { readonly operation: "evolution"; readonly topic?: string; readonly from?: string }
  | {
      readonly operation: "blame" | "history" | "before-correction";
      readonly topic: string;
      /** Where no memory says most of it, it is searched for. */
      readonly orSearch?: true;
    }
  /** Somebody says that something is wrong, and not what is right. Without a topic: what changed last. */
  | { readonly operation: "doubt"; readonly topic?: string }
  /** Without a topic: whatever says the same. */
  | { readonly operation: "combine"; readonly topic?: string; readonly count?: number }
  /** In what category, with what tags, as how important what is known already is to be kept. */
  | { readonly operation: "file"; readonly topic: string; readonly fields: NamedFields }
  /** With a topic, of the memories that speak of it. */
  | ({ readonly operation: "count"; readonly at?: ParsedState; readonly topic?: string } & Labels & Written)
  /** Which of them there are. */
  | { readonly operation: "labels"; readonly of: "category" | "tag" | "agent" | "device" }
  | {
      readonly operation: "forgotten";
      readonly topic?: string;
      readonly agent?: string;
      readonly period?: ParsedDays;
    }
  | { readonly operation: "changes"; readonly period: ParsedPeriod }
  | {
      readonly operation: "undo";
      readonly last: number;
      /** The last change that this agent made. */
      readonly agent?: string;
      /** It was said that memories were written: no other change is meant. */
      readonly isWriting?: true;
      /** An undo is to be taken back, and nothing else. */
      readonly isRedo?: true;
    }
  | { readonly operation: "checkpoint"; readonly name?: string }
  | { readonly operation: "delete-checkpoint"; readonly name: string }
  | { readonly operation: "checkpoints" }
  | {
      readonly operation: "rollback";
      readonly to: ParsedState;
      readonly only?: Labels & { readonly topic?: string };
    }
  | ({
      readonly operation: "take-back";
      /** Default: everybody. In words, as in "the newcomer bot". */
      readonly agent?: string;
      /** Only memories that speak of it. */
      readonly topic?: string;
      /** Default: all times. */
      readonly period?: ParsedDays;
    } & Labels)
  | { readonly operation: "fresh"; readonly branch?: string }
  | {
      readonly operation: "merge";
      /** Which side stays where both say different things. */
      readonly strategy?: "source" | "target" | "newest";
      readonly from: ParsedBranch;
      readonly into?: ParsedBranch;
      /** Of what the branch has. */
      readonly only?: Labels & {
        readonly topic?: string;
        /** All but these. */
        readonly not?: Labels;
        /** Nothing that speaks of any of these. */
        readonly except?: readonly string[];
      };
    }
  | {
      readonly operation: "branch";
      readonly name: string;
      /** The state that it begins with; default: the last one. */
      readonly at?: ParsedState;
    }
  | { readonly operation: "use-branch"; readonly branch: ParsedBranch }
  | { readonly operation: "delete-branch"; readonly branch: ParsedBranch }
  | { readonly operation: "rename-branch"; readonly branch: ParsedBranch; readonly name: string }
  | { readonly operation: "difference"; readonly from: ParsedBranch; readonly to: ParsedBranch }
  /** The last changes; default: some. */
  | { readonly operation: "recent"; readonly last?: number }
  /** Where to, and in which form, where that is said. */
  | { readonly operation: "export"; readonly to?: string; readonly isMarkdown?: true }
  | { readonly operation: "branches" | "conflicts" | "status" }
  /** Default: all that can be asked. */
  | { readonly operation: "help"; readonly about?: "devices" };

/** Both in milliseconds since 1970, inclusive. */
export interface ParsedDays {
  readonly said: string;
  /** Absent: from the beginning. */
  readonly since?: number;
  /** Absent: until now. */
  readonly until?: number;
}

export type IntentKind = Intent["operation"];

export interface NotUnderstood {
  readonly understood: false;
  /** Why not, where more can be said than that it is unknown. */
  readonly why?: string;
  /** No model may make something else of it: a word of what takes something away was left over. */
  readonly isFinal?: true;
  /** It is clear what is meant, and another command does it. */
  readonly isForCommand?: true;
  /** Some of it would be answered, and more was asked. */
  readonly isPartly?: true;
  /** The examples that come nearest, best first: at most three, and none that takes anything away. */
  readonly near?: readonly { readonly operation: IntentKind; readonly example: string }[];
  /** Whole commands that lead on, where something is to be taken away: they read, or preview. */
  readonly commands?: readonly string[];
}

export interface Understood {
  readonly understood: true;
  readonly request: Intent;
  /** On which branch something is looked for or done, where the sentence says. */
  readonly branch?: ParsedBranch;
  /** What it would do is asked for, and nothing is to be done. */
  readonly isPreview?: true;
  /** What was said around the request, such as a reason, and is no part of it. */
  readonly leftOut?: readonly string[];
  /** Only these words are searched for. */
  readonly readAs?: string;
  /** No form says that it is this: something is found for any question, and anything may be stated. */
  readonly isLoose?: true;
  /** Asked in the same sentence: answers, too. */
  readonly others?: readonly Understood[];
}

export type Understanding = Understood | NotUnderstood;

/** What there is to be spoken of. */
export interface Surroundings {
  /** Milliseconds since 1970; what "yesterday" counts from. */
  readonly now: number;
  readonly branches: readonly string[];
  /** The one made last comes first. */
  readonly checkpoints: readonly string[];
  /** Who has written here. */
  readonly agents?: readonly string[];
  readonly devices?: readonly string[];
  readonly categories?: readonly string[];
  readonly tags?: readonly string[];
}
