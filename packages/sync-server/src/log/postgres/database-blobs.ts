/**
 * Blobs in the database itself: where nothing else is named, and those that are too small for a place of their own.
 *
 * @module
 */
import type { BlobStore, ListedBlob } from "../blobs/blob-store.js";
import type { Connections } from "./connect.js";
import { named } from "./named.js";

const PAGE = 1_000;

export class DatabaseBlobs implements BlobStore {
  readonly where = "the database";
  readonly #database: Connections;

  constructor(database: Connections) {
    this.#database = database;
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    const values = [name, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)];
    await this.#database.transact((client) =>
      client.query(named("INSERT INTO log_blobs (blob, bytes) VALUES ($1, $2)", values)),
    );
  }

  async get(name: string): Promise<Uint8Array | undefined> {
    const found = named("SELECT bytes FROM log_blobs WHERE blob = $1", [name]);
    const [row] = await this.#database.read<{ bytes: Uint8Array }>(found);
    return row?.bytes;
  }

  async delete(name: string): Promise<void> {
    await this.#database.transact((client) =>
      client.query(named("DELETE FROM log_blobs WHERE blob = $1", [name])),
    );
  }

  async *list(): AsyncGenerator<ListedBlob> {
    const text = `SELECT blob AS name, octet_length(bytes) AS "sizeBytes" FROM log_blobs WHERE blob > $1 ORDER BY blob LIMIT ${PAGE}`;
    for (let after = ""; ; ) {
      const page = await this.#database.read<ListedBlob>(named(text, [after]));
      yield* page;
      if (page.length < PAGE) return;
      after = page.at(-1)?.name ?? after;
    }
  }
}
