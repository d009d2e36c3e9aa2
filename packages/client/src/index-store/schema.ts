/**
 * Tables of the index. Derived from the documents: whatever differs from this version is thrown away and
 * made again.
 *
 * @module
 */
import { MERGE_VERSION, NOTE_NAMES, SCHEMA_VERSION, STATE_FIELDS } from "@cambium/core";

/** Raise it whenever the tables, or what is put into them, change. */
const TABLES_VERSION = 16;

/**
 * Also of the schema: what was read under one is not what another reads, and may not be what it can read.
 * And of the merge: the index holds what merges came to. And of the fields: what a version does not know, it leaves
 * out of the index, though the record has it.
 */
export const INDEX_VERSION =
  ((MERGE_VERSION * 100 + SCHEMA_VERSION) * 100 + STATE_FIELDS.length + NOTE_NAMES.length) * 1_000 +
  TABLES_VERSION;

/** The end of an interval that has not ended. To SQLite, texts are greater than any number, and this one takes no room. */
export const OPEN_END = "";
/** The same in SQL. */
export const OPEN_END_SQL = "''";
/** As an effective time: later than any change, and before the end of what has not ended. */
export const NOW = 9e15;

/** In SQL: what indexes hold of a hash, which is as much as finds it. */
export const startOfHash = (hash: string): string => `substr(${hash}, 1, 4)`;

/** In SQL: whether a row has this hash. Where it is a parameter it is bound twice: Node 22.16 takes no numbered ones. */
export const hasHash = (column: string, hash = "?"): string =>
  `${startOfHash(column)} = ${startOfHash(hash)} AND ${column} = ${hash}`;

/** In SQL: what an index holds of an id: the time in it, and what tells it from others of the same moment. */
const startOfId = (id: string): string => `substr(${id}, 1, 8)`;

/** In SQL: whether a memory has this id, which is bound twice. */
export const HAS_ID = `${startOfId("uuid")} = ${startOfId("?")} AND uuid = ?`;

/** In SQL: the references that the write `w` has put down. */
export const VALUE_OF_W = `iif(typeof(w.value) = 'integer',
  (SELECT CAST(vf.hash || unhex(vp.value) AS BLOB) FROM forms vf CROSS JOIN packs vp ON vp.id = vf.pack WHERE vf.id = w.value),
  w.value)`;

/** In SQL: spans by when they began. They are in one of two indexes. @param where - its parameters are bound twice */
export const intervalsBegun = (columns: string, where: string): string =>
  `SELECT ${columns} FROM spans INDEXED BY spans_own WHERE shown_at IS NULL AND ${where}
   UNION ALL SELECT ${columns} FROM spans INDEXED BY spans_from WHERE shown_at IS NOT NULL AND ${where}`;

/** In SQL: the memories that the change `c` wrote, each once, as the values of `o` in the order of its keys. */
export const WRITTEN_BY_C = "json_each('[' || c.written || ']') o";
/** In SQL: what the change `c` wrote, as `w`. */
export const WRITES_OF_C = `${WRITTEN_BY_C} CROSS JOIN writes w ON w.memory = o.value AND w.change = c.id`;

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
     list; and so are the memories that it wrote, in the order in which it did. The type is that of merges and undos. Where a statement says nothing but what was done, it is a number. */
  CREATE TABLE changes (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL,
    actor INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    time REAL NOT NULL,
    depth INTEGER NOT NULL,
    deps INTEGER NOT NULL,
    written INTEGER,
    type TEXT,
    statement INTEGER,
    disowned TEXT
  );
  CREATE INDEX changes_hash ON changes (${startOfHash("hash")});
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

  CREATE TABLE memories (id INTEGER PRIMARY KEY, uuid NOT NULL);
  CREATE INDEX memories_uuid ON memories (${startOfId("uuid")});

  /* Those that nothing shows. They have writes and forms, and no spans. */
  CREATE TABLE concealed (memory INTEGER PRIMARY KEY);

  /* The value is the number of the form that it refers to, where that was here first and is in the same pack. */
  CREATE TABLE writes (
    memory INTEGER NOT NULL,
    change INTEGER NOT NULL,
    counter INTEGER NOT NULL,
    value INTEGER NOT NULL,
    replaces TEXT NOT NULL,
    PRIMARY KEY (memory, change, counter)
  ) WITHOUT ROWID;

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
  CREATE INDEX forms_hash ON forms (${startOfHash("hash")}) WHERE hash IS NOT NULL;
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

  /* What a branch shows of a memory from one effective time until the next. No form: nothing of it is readable.
     Mostly it began when what it shows was written: then shown_at is NULL, and one index does for both. It has that
     NULL itself, or SQLite would read the row to see it. Which spans show a form is found by its memory. */
  CREATE TABLE spans (
    branch INTEGER NOT NULL,
    memory INTEGER NOT NULL,
    from_at REAL NOT NULL,
    to_at REAL NOT NULL,
    form INTEGER,
    version INTEGER NOT NULL,
    versions INTEGER NOT NULL,
    shown_at REAL,
    deleted INTEGER NOT NULL,
    conflicts INTEGER NOT NULL,
    PRIMARY KEY (branch, memory, from_at)
  ) WITHOUT ROWID;
  CREATE INDEX spans_own ON spans (branch, from_at, shown_at) WHERE shown_at IS NULL;
  CREATE INDEX spans_from ON spans (branch, from_at) WHERE shown_at IS NOT NULL;
  CREATE INDEX spans_shown ON spans (branch, shown_at) WHERE shown_at IS NOT NULL;
  CREATE INDEX spans_unreadable ON spans (branch, memory) WHERE form IS NULL;

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
