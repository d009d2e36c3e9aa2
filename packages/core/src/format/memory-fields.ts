/**
 * The fields of a memory, each of them once. Types, checks, merging, options of the command line, schemas and what
 * is shown all follow from these two tables; CONTRIBUTING.md tells how a field is added.
 *
 * Data only: the command reads it before anything else is loaded.
 *
 * @module
 */

/** What a field may hold. Each type is checked, parsed and shown in one way. */
export type FieldType = "text" | "label" | "labels" | "share" | "time" | "git" | "links" | "flag";

interface Described {
  /** In the OpenAPI document. */
  readonly description: string;
  readonly examples?: readonly unknown[];
}

/** How it is set on the command line; what may be repeated adds up. */
interface Option {
  readonly flags: `--${string} <${string}>`;
  readonly help: string;
}

/** Whatever can be emptied can be set as well. */
type Clearable =
  | { readonly clearable: true; readonly option: Option }
  | { readonly clearable: false; readonly option?: Option };

interface Field extends Described {
  readonly type: FieldType;
  /**
   * What becomes of values that were written side by side: texts are merged by words and sets by what was added
   * and removed; of single values a person chooses; and a memory that somebody still works on stays.
   */
  readonly merge: "words" | "items" | "choose" | "stay";
  /** Which value near duplicates have once they are one: the newest one's, the first there is, the greatest, or all. */
  readonly combine: "newest" | "first" | "greatest" | "all";
  /** What sentences about changes call it: for a set, one of its items. */
  readonly label: string;
  /** Whether models write it, only see it, or neither: each word of a tool's schema stands in every conversation. */
  readonly models: "write" | "see" | "none";
  /** Told to models where the name does not say enough. */
  readonly modelHint?: string;
}

type FieldDefinition = Field & Clearable;

/** What makes up the state of a memory; two sides may decide each of these differently. In the order they are stored. */
export const MEMORY_FIELDS = {
  /** What is remembered. 1 character to 1 MiB with all other fields. */
  content: {
    type: "text",
    merge: "words",
    combine: "newest",
    label: "content",
    clearable: false,
    models: "write",
    description: "What to remember.",
    examples: ["The rent is 900 euro."],
  },
  /** What sort of thing it is, such as `fact`, `decision` or `preference`. Absent if nobody said. */
  kind: {
    type: "label",
    merge: "choose",
    combine: "first",
    label: "kind",
    clearable: true,
    models: "write",
    option: { flags: "--kind <kind>", help: "what sort of thing it is, such as fact or decision" },
    description: "Such as fact, preference, decision.",
  },
  /** The part of life or work it belongs to. Rollbacks and checkpoints can be limited to one area. */
  area: {
    type: "label",
    merge: "choose",
    combine: "first",
    label: "area",
    clearable: true,
    models: "write",
    option: { flags: "--area <area>", help: "the part of life or work it belongs to" },
    description: "The larger subject it belongs to.",
  },
  /** Where it is filed, such as `address` or `recipe`. Absent if nobody said. */
  category: {
    type: "label",
    merge: "choose",
    combine: "first",
    label: "category",
    clearable: true,
    models: "write",
    option: { flags: "--category <name>", help: "the topic it is filed under, such as process" },
    description: "Such as address or recipe.",
  },
  /** Labels: a set, sorted, without duplicates, like `pins`, `links` and `aliases`. At most 1,000. */
  tags: {
    type: "labels",
    merge: "items",
    combine: "all",
    label: "tag",
    clearable: true,
    models: "write",
    option: { flags: "--tag <tag>", help: "a tag; may be repeated" },
    description: "A set of labels.",
    examples: [["home", "money"]],
  },
  /** How much it matters, from 0 to 1. Where it is absent, strength is computed as for 0.5. */
  importance: {
    type: "share",
    merge: "choose",
    combine: "greatest",
    label: "importance",
    clearable: true,
    models: "write",
    option: { flags: "--importance <n>", help: "0 to 1" },
    description: "How much it matters.",
  },
  /** How sure it is, from 0 to 1. Absent if nobody said. */
  confidence: {
    type: "share",
    merge: "choose",
    combine: "greatest",
    label: "confidence",
    clearable: true,
    models: "write",
    option: { flags: "--confidence <n>", help: "0 to 1" },
    description: "How sure it is.",
  },
  /** When it happened, in milliseconds since 1970. Absent if nobody said; `at` is when it was written. */
  occurredAt: {
    type: "time",
    merge: "choose",
    combine: "first",
    label: "happened",
    clearable: true,
    models: "write",
    modelHint: "Date or words: last Friday",
    option: { flags: "--occurred-at <time>", help: 'when it happened, such as 2026-08-01 or "last Friday"' },
    description: "When it happened: milliseconds since 1970, ISO 8601 text, or words such as `last Friday`.",
  },
  /** From when on it is true, in milliseconds since 1970. Absent if it always was. */
  validFrom: {
    type: "time",
    merge: "choose",
    combine: "newest",
    label: "valid from",
    clearable: true,
    models: "write",
    option: { flags: "--valid-from <time>", help: "when it began to be true" },
    description: "From when on it is true; likewise.",
  },
  /** Until when it is true, in milliseconds since 1970. Absent while no end is known. */
  validUntil: {
    type: "time",
    merge: "choose",
    combine: "newest",
    label: "valid until",
    clearable: true,
    models: "write",
    option: { flags: "--valid-until <time>", help: "when it stopped being true" },
    description: "Until when it is true; likewise.",
  },
  /** What it is pinned to, such as files or URLs. A pinned memory never counts as faded. */
  pins: {
    type: "labels",
    merge: "items",
    combine: "all",
    label: "pin",
    clearable: true,
    models: "write",
    modelHint: "Files or URLs it is about",
    option: { flags: "--pin <pin>", help: "what it is pinned to, such as a file or URL; may be repeated" },
    description: "By whom or what it is pinned; a pinned memory never counts as faded.",
  },
  /** The commit that it is about. */
  git: {
    type: "git",
    merge: "choose",
    combine: "first",
    label: "commit",
    clearable: true,
    models: "none",
    option: {
      flags: "--git <commit>",
      help: "the commit it is about; also --git branch=<name> and --git repository=<url>",
    },
    description: "The commit that a memory is about.",
  },
  /** What it has to do with other memories, or with pages. */
  links: {
    type: "links",
    merge: "items",
    combine: "all",
    label: "link",
    clearable: true,
    models: "write",
    modelHint: "{rel, to}: memory id or URL",
    option: { flags: "--link <rel=target>", help: "a link to a memory id or URL; may be repeated" },
    description: "What it has to do with other memories, or with pages.",
  },
  /** Other names of what it is about, such as `k8s`. Recall finds it by them. */
  aliases: {
    type: "labels",
    merge: "items",
    combine: "all",
    label: "alias",
    clearable: true,
    models: "write",
    modelHint: "Such as k8s",
    option: {
      flags: "--alias <name>",
      help: "another name of what it is about, such as k8s; may be repeated",
    },
    description: "Other names of what it is about. Recall finds it by them.",
    examples: [["k8s"]],
  },
  /** Whether it is forgotten. `restore` brings it back. */
  deleted: {
    type: "flag",
    merge: "stay",
    combine: "newest",
    label: "deleted",
    clearable: false,
    models: "see",
    description: "It was forgotten, and can be restored.",
  },
} as const satisfies { readonly [field: string]: FieldDefinition };

interface Note extends Described {
  readonly type: "source" | "note" | "ids";
  /** Until when a memory has it: until another is given, until its text is another, or for one version. */
  readonly stays: "until given" | "until content" | "one version";
  /** What people are shown it as. */
  readonly label: string;
  /** Whether callers may give it. */
  readonly given: boolean;
}

type NoteDefinition = Note & Clearable;

/** What tells about a record and never conflicts. */
export const MEMORY_NOTES = {
  /** Where the text came from. Stays until a version has another text. */
  source: {
    type: "source",
    stays: "until content",
    label: "source",
    given: true,
    clearable: true,
    option: { flags: "--source <key=value>", help: "where it came from, such as kind=chat; may be repeated" },
    description:
      "Where a memory came from. `kind` says which other keys to expect: conversation, email, tool, url, file, import, version, or one of your own.",
  },
  /** The text in short. Stays until a version has another text. */
  summary: {
    type: "note",
    stays: "until content",
    label: "summary",
    given: true,
    clearable: true,
    option: { flags: "--summary <text>", help: "one line on a long memory" },
    description: "The content in short.",
  },
  /** The memories it was combined of, or the one it was split off. Callers cannot set it. */
  derivedFrom: {
    type: "ids",
    stays: "until given",
    label: "made from",
    given: false,
    clearable: false,
    description: "The memories it was made from.",
  },
  /** Why this version was written. The next version does not have it. */
  reason: {
    type: "note",
    stays: "one version",
    label: "reason",
    given: true,
    clearable: false,
    description: "Why; kept in the history.",
  },
} as const satisfies { readonly [note: string]: NoteDefinition };
