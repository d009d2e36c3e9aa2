/**
 * Tables of the index. Derived from the documents: whatever differs from this version is thrown away and
 * made again.
 *
 * @module
 */
import { MERGE_VERSION, NOTE_NAMES, SCHEMA_VERSION, STATE_FIELDS } from "@cambium/core";

/** Raise it whenever the tables, or what is put into them, change. */
const TABLES_VERSION = 15;

/**
 * Also of the schema: what was read under one is not what another reads, and may not be what it can read.
 * And of the merge: the index holds what merges came to. And of the fields: what a version does not know, it leaves
 * out of the index, though the record has it.
 */
export const INDEX_VERSION =
  ((MERGE_VERSION * 100 + SCHEMA_VERSION) * 100 + STATE_FIELDS.length + NOTE_NAMES.length) * 1_000 +
  TABLES_VERSION;

/** The end of an interval that has not ended: later than any date. */
export const OPEN_END = 1e300;
/** As an effective time: later than any change, and before the end of what has not ended. */
export const NOW = 9e15;

/**
 * In SQL: whether a row has this hash. Indexes hold as much of hashes as finds them. Where it is a parameter it is bound
 * twice: Node 22.16 takes no numbered ones.
 */
export const hasHash = (column: string, hash = "?"): string =>
  `substr(${column}, 1, 6) = substr(${hash}, 1, 6) AND ${column} = ${hash}`;

export const INDEX_SCHEMA = `
  CREATE TABLE notes (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  /* Heads are those of the changes placed here; a fork that shares sees its parent's first changes as its own. */
  CREATE TABLE branches (
    id INTEGER PRIMARY KEY,
    branch TEXT NOT NULL UNIQUE,
    document TEXT NOT NULL,
    heads TEXT NOT NULL,
    size INTEGER NOT NULL,
    last_at REAL NOT NULL,
    parent INTEGER,
    shared INTEGER NOT NULL,
    shared_until REAL NOT NULL,
    needs_history INTEGER NOT NULL,
    lineage TEXT NOT NULL
  );

  CREATE TABLE actors (id INTEGER PRIMARY KEY, actor TEXT NOT NULL UNIQUE);

  /* Every change of every branch, once. Dependencies are ids, smaller than its own: one as a number, others as a
     list. The type is that of merges and undos. */
  CREATE TABLE changes (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL,
    actor INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    time REAL NOT NULL,
    depth INTEGER NOT NULL,
    deps INTEGER NOT NULL,
    type TEXT,
    statement TEXT,
    disowned TEXT
  );
  CREATE INDEX changes_hash ON changes (substr(hash, 1, 6));
  CREATE INDEX changes_merges ON changes (type) WHERE type IN ('merge', 'undo');

  /* Which changes a branch has, in an order that fits their dependencies, and since when each counts there.
     A change is closed when everything placed before it is among its ancestors. */
  CREATE TABLE placed (
    branch INTEGER NOT NULL,
    position INTEGER NOT NULL,
    change INTEGER NOT NULL,
    at REAL NOT NULL,
    own INTEGER NOT NULL,
    closed INTEGER NOT NULL,
    PRIMARY KEY (branch, position)
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX placed_change ON placed (change, branch);
  CREATE INDEX placed_at ON placed (branch, at);

  CREATE TABLE memories (id INTEGER PRIMARY KEY, uuid NOT NULL UNIQUE);

  /* Those that nothing shows. They have writes and forms, and no spans. */
  CREATE TABLE concealed (memory INTEGER PRIMARY KEY);

  CREATE TABLE writes (
    memory INTEGER NOT NULL,
    change INTEGER NOT NULL,
    counter INTEGER NOT NULL,
    value BLOB NOT NULL,
    replaces TEXT NOT NULL,
    PRIMARY KEY (memory, change, counter)
  ) WITHOUT ROWID;
  CREATE INDEX writes_change ON writes (change);

  /* Values that many forms share. */
  CREATE TABLE authors (id INTEGER PRIMARY KEY, value TEXT NOT NULL UNIQUE);
  CREATE TABLE labels (id INTEGER PRIMARY KEY, value TEXT NOT NULL UNIQUE);
  CREATE TABLE packs (id INTEGER PRIMARY KEY, value TEXT NOT NULL UNIQUE);
  CREATE TABLE sessions (id INTEGER PRIMARY KEY, value TEXT NOT NULL UNIQUE);
  /* What stands beside the texts of several forms. What is erased leaves it when the index is rebuilt. */
  CREATE TABLE abouts (id INTEGER PRIMARY KEY, value TEXT NOT NULL UNIQUE);

  /* One snapshot of a memory: a record, or (without a hash) several that merged. It is kept as what differs from
     the form it was written on, its parent: the text as what lies between a beginning and an end of the parent's,
     unless prefix is NULL; the parents only where that form is not all of them; what stands beside the text, where
     it is the same, as the number of the form that holds it, and with it the hash of the part it came in; or as the
     number of what several have in common.
     Long texts are compressed, and then blobs. Of the whole text, and of all that is shown beside it, there are sums. */
  CREATE TABLE forms (
    id INTEGER PRIMARY KEY,
    memory INTEGER NOT NULL,
    listed INTEGER NOT NULL,
    hash BLOB,
    pack INTEGER,
    parent INTEGER,
    parents BLOB,
    parts BLOB,
    content_pack INTEGER,
    meta_pack INTEGER,
    decides INTEGER,
    author INTEGER NOT NULL,
    type INTEGER NOT NULL,
    at REAL NOT NULL,
    about INTEGER,
    about_of INTEGER,
    session INTEGER,
    place REAL,
    hops INTEGER NOT NULL,
    about_sum INTEGER NOT NULL,
    text_sum INTEGER NOT NULL,
    prefix INTEGER,
    suffix INTEGER,
    text NOT NULL
  );
  CREATE INDEX forms_hash ON forms (substr(hash, 1, 6)) WHERE hash IS NOT NULL;
  CREATE INDEX forms_session ON forms (session, listed, place, memory) WHERE session IS NOT NULL;

  /* Forms that somebody marked as more important than most. */
  CREATE TABLE important (
    importance REAL NOT NULL,
    form INTEGER NOT NULL,
    PRIMARY KEY (importance, form)
  ) WITHOUT ROWID;

  /* Whom memories of a knowledge graph speak of, in any version: which of them a state shows, the intervals say. */
  CREATE TABLE graph_ends (
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    memory INTEGER NOT NULL,
    PRIMARY KEY (name, role, memory)
  ) WITHOUT ROWID;

  /* The names under which the vectors of texts are kept; made when they are first asked for. */
  CREATE TABLE text_keys (form INTEGER PRIMARY KEY, key BLOB NOT NULL);
  CREATE INDEX text_keys_key ON text_keys (key);

  /* What a branch shows of a memory from one effective time until the next. No form: nothing of it is readable. */
  CREATE TABLE spans (
    branch INTEGER NOT NULL,
    memory INTEGER NOT NULL,
    from_at REAL NOT NULL,
    to_at REAL NOT NULL,
    form INTEGER,
    version INTEGER NOT NULL,
    versions INTEGER NOT NULL,
    shown_at REAL NOT NULL,
    deleted INTEGER NOT NULL,
    conflicts INTEGER NOT NULL,
    PRIMARY KEY (branch, memory, from_at)
  ) WITHOUT ROWID;
  CREATE INDEX spans_shown ON spans (branch, shown_at);
  CREATE INDEX spans_unreadable ON spans (branch, memory) WHERE form IS NULL;
  CREATE INDEX spans_from ON spans (branch, from_at);
  CREATE INDEX spans_form ON spans (form) WHERE form IS NOT NULL;

  /* Records that a branch refers to and that could not be opened when last tried. */
  CREATE TABLE awaited (
    hash TEXT NOT NULL,
    pack TEXT NOT NULL,
    memory INTEGER NOT NULL,
    PRIMARY KEY (hash, pack, memory)
  ) WITHOUT ROWID;

  /* The catalog as it was opened at these heads. One row. */
  CREATE TABLE catalog (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    heads TEXT NOT NULL,
    foreign_changes INTEGER NOT NULL,
    content BLOB NOT NULL,
    checksum TEXT NOT NULL
  );

  CREATE TABLE uses_read (document TEXT PRIMARY KEY, heads TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE uses (
    memory INTEGER NOT NULL,
    document TEXT NOT NULL,
    count INTEGER NOT NULL,
    last_at REAL NOT NULL,
    PRIMARY KEY (memory, document)
  ) WITHOUT ROWID;

  /* Memories whose intervals have to be made again: a record of theirs was not open yet. */
  CREATE TABLE pending (
    branch INTEGER NOT NULL,
    memory INTEGER NOT NULL,
    from_at REAL NOT NULL,
    PRIMARY KEY (branch, memory)
  ) WITHOUT ROWID;
`;
