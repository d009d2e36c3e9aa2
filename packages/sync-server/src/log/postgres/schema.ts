/**
 * The tables of a relay's log in PostgreSQL. Every key begins with the space, so that a space can move to a database of
 * its own.
 *
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { CambiumError } from "@cambium/core";
import type { ClientBase, QueryConfig } from "pg";

/**
 * Each brings the tables from one version to the next. What has been released is not edited any more. Relays of the
 * version before go on meanwhile: a step adds tables, indexes and columns with a default, and takes nothing away that
 * they use. One that cannot do with that renames `log_spaces`, so that they store nothing more.
 */
const STEPS: readonly string[] = [
  `
CREATE TABLE spaces (
  space text PRIMARY KEY,
  created_at bigint NOT NULL
);

CREATE TABLE tokens (
  hash text PRIMARY KEY,
  token_id text NOT NULL UNIQUE,
  made bigint GENERATED ALWAYS AS IDENTITY,
  space text NOT NULL,
  role text NOT NULL CHECK (role IN ('read', 'write', 'admin')),
  label text,
  created_at bigint NOT NULL,
  expires_at bigint,
  came_by text,
  device text
);
CREATE INDEX tokens_by_space ON tokens (space, created_at);
CREATE INDEX tokens_by_invitation ON tokens (space, came_by) WHERE came_by IS NOT NULL;

CREATE TABLE invitations (
  hash text PRIMARY KEY,
  invitation_id text NOT NULL UNIQUE,
  made bigint GENERATED ALWAYS AS IDENTITY,
  space text NOT NULL,
  role text NOT NULL CHECK (role IN ('read', 'write', 'admin')),
  created_at bigint NOT NULL,
  expires_at bigint,
  access_until bigint,
  most_uses integer NOT NULL,
  uses integer NOT NULL
);
CREATE INDEX invitations_by_space ON invitations (space, created_at);

CREATE TABLE token_uses (
  token_id text PRIMARY KEY,
  used_at bigint NOT NULL
) WITH (fillfactor = 70);

CREATE TABLE settings (
  name text PRIMARY KEY,
  value text NOT NULL
);

-- Its row is locked by whoever appends. Documents and actors are numbered in it.
CREATE TABLE log_spaces (
  space_no integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  space text NOT NULL UNIQUE,
  position bigint NOT NULL,
  mark bytea NOT NULL,
  bytes bigint NOT NULL,
  documents integer NOT NULL,
  actors integer NOT NULL
) WITH (fillfactor = 50);

-- A document that began as a fork has all of its base up to a position, but for some changes. A retired one has no
-- bytes but those of the entry that says so.
CREATE TABLE log_documents (
  space_no integer NOT NULL,
  document_no integer NOT NULL,
  position bigint NOT NULL,
  max_op bigint NOT NULL,
  base_position bigint,
  retired_at bigint,
  base_no integer,
  document bytea NOT NULL,
  heads bytea NOT NULL,
  base_without bytea,
  PRIMARY KEY (space_no, document_no),
  UNIQUE (space_no, document)
) WITH (fillfactor = 70);
CREATE INDEX log_documents_by_position ON log_documents (space_no, position);
CREATE INDEX log_documents_by_base ON log_documents (space_no, base_no) WHERE base_no IS NOT NULL;

CREATE TABLE log_actors (
  space_no integer NOT NULL,
  actor_no integer NOT NULL,
  actor bytea NOT NULL,
  PRIMARY KEY (space_no, actor_no),
  UNIQUE (space_no, actor)
);

-- Dependencies are positions in the same log. A fork has no actor, and no number. Without bytes, they are erased. Walks
-- along the history end at joints: some of the changes that follow all that their document had before them.
CREATE TABLE log_entries (
  position bigint NOT NULL,
  start_op bigint NOT NULL,
  max_op bigint NOT NULL,
  space_no integer NOT NULL,
  document_no integer NOT NULL,
  actor_no integer,
  number integer,
  kind smallint NOT NULL,
  joint boolean NOT NULL,
  deps bytea NOT NULL,
  hash bytea NOT NULL,
  mark bytea NOT NULL,
  bytes bytea,
  PRIMARY KEY (space_no, position)
);
-- What is encrypted gets no smaller.
ALTER TABLE log_entries ALTER bytes SET STORAGE EXTERNAL;
CREATE UNIQUE INDEX log_entries_by_hash ON log_entries (space_no, document_no, hash);
CREATE UNIQUE INDEX log_entries_by_number ON log_entries (space_no, document_no, actor_no, number);
CREATE INDEX log_entries_by_document ON log_entries (space_no, document_no, position);
`,
  `
-- A blob with the bytes of the entries behind "after", up to "up_to". Entries that have none of their own have them there,
-- unless they are erased. Rows up to settled_to have given theirs up. State: 0, the blob is being written; 1, it is
-- there; 2, it is, and has bytes of a document that was retired since; 3, it is to be deleted.
CREATE TABLE log_segments (
  after bigint NOT NULL,
  up_to bigint NOT NULL,
  settled_to bigint NOT NULL,
  since timestamptz NOT NULL DEFAULT now(),
  space_no integer NOT NULL,
  inflated_bytes integer NOT NULL,
  stored_bytes integer NOT NULL,
  state smallint NOT NULL,
  is_outside boolean NOT NULL,
  method text NOT NULL,
  blob text NOT NULL,
  PRIMARY KEY (space_no, blob)
);
CREATE INDEX log_segments_by_position ON log_segments (space_no, after) WHERE state IN (1, 2);
CREATE INDEX log_segments_unsettled ON log_segments (since) WHERE state IN (0, 3) OR settled_to < up_to;

CREATE TABLE log_blobs (
  blob text PRIMARY KEY,
  bytes bytea NOT NULL
);
ALTER TABLE log_blobs ALTER bytes SET STORAGE EXTERNAL;

-- Which relay packs what nobody asked it to pack.
CREATE TABLE log_packer (
  one boolean PRIMARY KEY CHECK (one),
  relay text NOT NULL,
  until timestamptz NOT NULL
) WITH (fillfactor = 50);
-- Room for the row without its bytes, so that no index has to learn of it.
ALTER TABLE log_entries SET (fillfactor = 80);
`,
];

/** A step waits so long for those who use a table, and those who come after it wait as long for the step. */
const LOCK_MS = 1_000;
const MOST_TRIES = 20;
/** Somebody held what it needs, or each waited for the other. */
const HELD = new Set(["55P03", "40P01"]);
/** The types of `pg` do not know it. */
interface QueryOptions {
  readonly query_timeout: number;
}
/** The steps themselves take as long as they take. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Makes the tables, or brings them up to date, while relays of the version before may use them. Of several relays that
 * start at once, one does it.
 *
 * @throws {CambiumError} STORE_DAMAGED when a later version has changed them
 */
export async function migrate(client: ClientBase): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await client.query("BEGIN");
      await migrateOnce(client);
      await client.query("COMMIT");
      return;
    } catch (error) {
      if (!HELD.has((error as { code?: string }).code ?? "") || tries >= MOST_TRIES) throw error;
      await client.query("ROLLBACK");
      await delay(LOCK_MS / 4);
    }
  }
}

async function migrateOnce(client: ClientBase): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock(hashtext('cambium relay ' || current_schema()))");
  await client.query(
    "CREATE TABLE IF NOT EXISTS relay_schema (version integer PRIMARY KEY, since timestamptz NOT NULL DEFAULT now())",
  );
  const { rows } = await client.query<{ version: number }>(
    "SELECT COALESCE(MAX(version), 0) AS version FROM relay_schema",
  );
  const version = rows[0]?.version ?? 0;
  if (version > STEPS.length) {
    throw new CambiumError("STORE_DAMAGED", "The database was changed by a later version of the relay.", {
      hint: "Update this relay.",
    });
  }
  await client.query(`SET LOCAL lock_timeout = ${LOCK_MS}; SET LOCAL statement_timeout = 0`);
  for (const [at, text] of STEPS.slice(version).entries()) {
    const query: QueryConfig & QueryOptions = { text, query_timeout: LONGEST_MS };
    await client.query(query);
    await client.query("INSERT INTO relay_schema (version) VALUES ($1)", [version + at + 1]);
  }
}
