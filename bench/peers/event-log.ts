/**
 * The yardstick: an event log in SQLite, as a good engineer would write it by hand for one machine.
 *
 * Texts are stored once; events, branches and the current state refer to them. A branch is where it left
 * main plus what was written on it since. It has no sync, no encryption and no merge of texts: a memory
 * written on both sides is a conflict that names both.
 *
 * @module
 */
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { directoryBytes } from "../support/disk.ts";
import type { Differences, Found, Merged, Operations, Peer } from "./peer.ts";
import type { BranchMerge, Period, Write } from "./plan.ts";

const MAIN = 1;
const LOADED_TOGETHER = 1_000;

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA cache_size = -65536;
  CREATE TABLE branches (key INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, parent INTEGER, forked_at INTEGER);
  CREATE TABLE memories (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);
  CREATE TABLE texts (key INTEGER PRIMARY KEY, category TEXT, tags TEXT, content TEXT NOT NULL);
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY, branch INTEGER NOT NULL, memory INTEGER NOT NULL,
    time INTEGER NOT NULL, type TEXT NOT NULL, text INTEGER NOT NULL
  );
  CREATE INDEX events_by_memory ON events (branch, memory, seq, text);
  CREATE INDEX events_by_time ON events (branch, time, seq);
  CREATE TABLE current (
    branch INTEGER NOT NULL, memory INTEGER NOT NULL, text INTEGER NOT NULL,
    PRIMARY KEY (branch, memory)
  ) WITHOUT ROWID;
  CREATE TABLE conflicts (memory INTEGER PRIMARY KEY, base INTEGER, ours INTEGER NOT NULL, theirs INTEGER NOT NULL);
  CREATE VIRTUAL TABLE found USING fts5 (
    content, tags, category, content = '', contentless_delete = 1, tokenize = 'porter unicode61'
  );
  INSERT INTO branches VALUES (${MAIN}, 'main', NULL, NULL);`;

const STATEMENTS = {
  begin: "BEGIN IMMEDIATE",
  commit: "COMMIT",
  addMemory: "INSERT INTO memories (id) VALUES (?)",
  memory: "SELECT key FROM memories WHERE id = ?",
  addText: "INSERT INTO texts (category, tags, content) VALUES (?, ?, ?)",
  addEvent: "INSERT INTO events (branch, memory, time, type, text) VALUES (?, ?, ?, ?, ?)",
  setCurrent: "INSERT OR REPLACE INTO current (branch, memory, text) VALUES (?, ?, ?)",
  find: "INSERT INTO found (rowid, content, tags, category) VALUES (?, ?, ?, ?)",
  unfind: "DELETE FROM found WHERE rowid = ?",
  findText: `INSERT INTO found (rowid, content, tags, category)
    SELECT ?, content, tags, category FROM texts WHERE key = ?`,
  read: `SELECT t.content, t.category, t.tags FROM memories m
    JOIN current c ON c.branch = ${MAIN} AND c.memory = m.key JOIN texts t ON t.key = c.text WHERE m.id = ?`,
  search: `SELECT m.id, t.content, f.rank
    FROM (SELECT rowid AS memory, rank FROM found WHERE found MATCH ? ORDER BY rank LIMIT 10) f
    JOIN memories m ON m.key = f.memory
    JOIN current c ON c.branch = ${MAIN} AND c.memory = f.memory JOIN texts t ON t.key = c.text
    ORDER BY f.rank`,
  seqAt: "SELECT max(seq) AS seq FROM events WHERE branch = ? AND time <= ?",
  stateAt: `SELECT m.id, t.content, t.category, t.tags
    FROM (SELECT memory, text, max(seq) FROM events WHERE branch = ${MAIN} AND seq <= ? GROUP BY memory) s
    JOIN texts t ON t.key = s.text JOIN memories m ON m.key = s.memory`,
  history: `SELECT e.seq, e.time, e.type, t.content, t.category, t.tags FROM events e
    JOIN texts t ON t.key = e.text
    WHERE e.branch = ${MAIN} AND e.memory = (SELECT key FROM memories WHERE id = ?) ORDER BY e.seq`,
  diff: `SELECT m.id, a.content AS before, b.content AS after
    FROM (SELECT memory, text, max(seq) FROM events WHERE branch = ${MAIN} AND seq > :from AND seq <= :to GROUP BY memory) n
    JOIN memories m ON m.key = n.memory JOIN texts b ON b.key = n.text
    LEFT JOIN texts a ON a.key = (
      SELECT text FROM events WHERE branch = ${MAIN} AND memory = n.memory AND seq <= :from ORDER BY seq DESC LIMIT 1)
    WHERE a.key IS NOT b.key`,
  addBranch: `INSERT INTO branches (name, parent, forked_at) SELECT ?, ${MAIN}, max(seq) FROM events`,
  branch: "SELECT key, forked_at FROM branches WHERE name = ?",
  sides: `SELECT t.memory, t.text AS theirs, o.text AS ours, (
      SELECT text FROM events WHERE branch = ${MAIN} AND memory = t.memory AND seq <= :forkedAt
      ORDER BY seq DESC LIMIT 1) AS base
    FROM current t LEFT JOIN current o ON o.branch = ${MAIN} AND o.memory = t.memory
    WHERE t.branch = :branch`,
  addConflict: "INSERT OR REPLACE INTO conflicts (memory, base, ours, theirs) VALUES (?, ?, ?, ?)",
  conflict: `SELECT m.id, o.content AS ours, t.content AS theirs FROM conflicts c
    JOIN memories m ON m.key = c.memory JOIN texts o ON o.key = c.ours JOIN texts t ON t.key = c.theirs
    WHERE c.memory = ?`,
} as const;

type Statements = Readonly<Record<keyof typeof STATEMENTS, StatementSync>>;

interface Sides {
  readonly memory: number;
  readonly theirs: number;
  readonly ours: number | null;
  readonly base: number | null;
}

export async function makeEventLog(dir: string): Promise<Peer> {
  const database = new DatabaseSync(join(dir, "events.sqlite"));
  database.exec(SCHEMA);
  return new EventLog(dir, database);
}

class EventLog implements Peer {
  readonly name = "event-log";
  readonly version: string;
  readonly loading = "1,000 events a transaction; full text optimized and the WAL emptied afterwards";
  readonly operations: Operations;
  readonly #dir: string;
  readonly #database: DatabaseSync;
  readonly #sql: Statements;

  constructor(dir: string, database: DatabaseSync) {
    this.#dir = dir;
    this.#database = database;
    this.#sql = Object.fromEntries(
      Object.entries(STATEMENTS).map(([name, sql]) => [name, database.prepare(sql)]),
    ) as Statements;
    const { version } = database.prepare("SELECT sqlite_version() AS version").get() as { version: string };
    this.version = `SQLite ${version}, WAL, synchronous=FULL, FTS5`;
    this.operations = {
      remember: [{ name: "one transaction", run: async (write) => this.#writeOne(write) }],
      revise: [{ name: "one transaction", run: async (write) => this.#writeOne(write) }],
      read: [{ name: "current", run: async (id) => this.#read(id) }],
      search: [
        { name: "bm25, any word", run: async (words) => this.#search(words, "OR") },
        {
          name: "bm25, all words",
          partial: "only memories with all three words",
          run: async (words) => this.#search(words, "AND"),
        },
      ],
      stateAt: [{ name: "newest event of each", run: async (time) => this.#stateAt(time) }],
      history: [{ name: "events of one", run: async (id) => this.#history(id) }],
      diff: [{ name: "events between", run: async (period) => this.#diff(period) }],
      branch: [{ name: "a row", run: async (name) => this.#branch(name) }],
      merge: [{ name: "three-way by row", run: async (task) => this.#merge(task) }],
    };
  }

  async load(writes: readonly Write[], onProgress: (done: number) => void): Promise<void> {
    for (let start = 0; start < writes.length; start += LOADED_TOGETHER) {
      const batch = writes.slice(start, start + LOADED_TOGETHER);
      this.#transaction(() => {
        for (const write of batch) this.#write(write, MAIN);
      });
      onProgress(start + batch.length);
    }
    this.#database.exec("INSERT INTO found (found) VALUES ('optimize')");
    this.#database.exec("ANALYZE");
    this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  async disk() {
    return [{ name: "the database", bytes: await directoryBytes(this.#dir) }];
  }

  async prepareMerge({ branch, onBranch, onMain }: BranchMerge): Promise<void> {
    this.#branch(branch);
    const { key } = this.#sql.branch.get(branch) as { key: number };
    this.#transaction(() => {
      for (const write of onBranch) this.#write(write, key);
      for (const write of onMain) this.#write(write, MAIN);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#database.close();
  }

  #writeOne(write: Write): () => void {
    this.#transaction(() => this.#write(write, MAIN));
    return () => {};
  }

  /** Full text is kept for main alone, which is what is searched here. */
  #write({ id, type, content, category, tags, time }: Write, branch: number): void {
    const words = tags.join(" ");
    const text = this.#sql.addText.run(category, words, content).lastInsertRowid;
    const memory =
      type === "remember"
        ? this.#sql.addMemory.run(id).lastInsertRowid
        : (this.#sql.memory.get(id) as { key: number }).key;
    this.#sql.addEvent.run(branch, memory, time, type, text);
    this.#sql.setCurrent.run(branch, memory, text);
    if (branch !== MAIN) return;
    if (type === "revise") this.#sql.unfind.run(memory);
    this.#sql.find.run(memory, content, words, category);
  }

  #read(id: string): () => string {
    const row = this.#sql.read.get(id) as { content: string };
    return () => row.content;
  }

  #search(words: readonly string[], operator: "OR" | "AND"): () => Found {
    const rows = this.#sql.search.all(words.map((word) => `"${word}"`).join(` ${operator} `));
    const kind = operator === "OR" ? "ten best" : "some";
    return () => ({ kind, ids: rows.map((row) => row.id as string) });
  }

  #stateAt(time: number): () => ReadonlyMap<string, string> {
    const rows = this.#sql.stateAt.all(this.#seqAt(time));
    return () => new Map(rows.map((row) => [row.id as string, row.content as string]));
  }

  #history(id: string): () => readonly string[] {
    const rows = this.#sql.history.all(id);
    return () => rows.map((row) => row.content as string);
  }

  #diff({ from, to }: Period): () => Differences {
    const rows = this.#sql.diff.all({ from: this.#seqAt(from), to: this.#seqAt(to) });
    return () =>
      new Map(
        rows.map((row) => [
          row.id as string,
          { before: row.before as string | null, after: row.after as string },
        ]),
      );
  }

  #branch(name: string): () => void {
    this.#transaction(() => this.#sql.addBranch.run(name));
    return () => {};
  }

  /** Takes what only the branch changed; what both changed is kept as a conflict. */
  #merge({ branch, time }: BranchMerge): () => Merged {
    const conflicts: number[] = [];
    this.#transaction(() => {
      const { key, forked_at } = this.#sql.branch.get(branch) as { key: number; forked_at: number };
      const rows = this.#sql.sides.all({ branch: key, forkedAt: forked_at }) as unknown as readonly Sides[];
      for (const { memory, theirs, ours, base } of rows) {
        if (ours !== base) {
          this.#sql.addConflict.run(memory, base, ours, theirs);
          conflicts.push(memory);
          continue;
        }
        this.#sql.addEvent.run(MAIN, memory, time, "merge", theirs);
        this.#sql.setCurrent.run(MAIN, memory, theirs);
        this.#sql.unfind.run(memory);
        this.#sql.findText.run(memory, theirs);
      }
    });
    return () => ({ conflicts: new Map(conflicts.map((memory) => this.#conflictOf(memory))) });
  }

  #conflictOf(memory: number): readonly [string, readonly string[]] {
    const { id, ours, theirs } = this.#sql.conflict.get(memory) as Record<"id" | "ours" | "theirs", string>;
    return [id, [ours, theirs]];
  }

  #seqAt(time: number): number {
    return (this.#sql.seqAt.get(MAIN, time) as { seq: number | null }).seq ?? 0;
  }

  #transaction(run: () => void): void {
    this.#sql.begin.run();
    try {
      run();
      this.#sql.commit.run();
    } catch (error) {
      this.#database.exec("ROLLBACK");
      throw error;
    }
  }
}
