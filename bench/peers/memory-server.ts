/**
 * The official memory server, spoken to over standard input and output by the official client. A memory is
 * an entity whose first observation is its text and whose second lists its tags.
 *
 * @module
 */
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Found, Operations, Peer } from "./peer.ts";
import { pinnedVersion } from "./pinned-version.ts";
import type { Write } from "./plan.ts";

interface Entity {
  readonly name: string;
  readonly entityType: string;
  readonly observations: readonly string[];
}

/** An answer holds every found text twice, as JSON and as text with JSON in it. */
const LARGEST_ANSWER_BYTES = 512 * 2 ** 20;
const NOT_KEPT = { reason: "it keeps only the present" };

export async function makeMemoryServer(dir: string): Promise<Peer> {
  return new MemoryServer(
    join(dir, "memory.jsonl"),
    await pinnedVersion("@modelcontextprotocol/server-memory"),
  );
}

class MemoryServer implements Peer {
  readonly name = "memory-server";
  readonly version: string;
  readonly loading = "its file, written directly: every call writes the whole file again";
  readonly maxSamples = 10;
  readonly operations: Operations;
  readonly #file: string;
  readonly #client = new Client({ name: "cambium-bench", version: "0" });
  /** What a revision has to name in order to take it away. */
  readonly #contentById = new Map<string, string>();

  constructor(file: string, version: string) {
    this.#file = file;
    this.version = version;
    this.operations = {
      remember: [{ name: "create_entities, not flushed to disk", run: (write) => this.#remember(write) }],
      revise: [
        {
          name: "delete_observations, add_observations, not flushed to disk",
          run: (write) => this.#revise(write),
        },
      ],
      read: [{ name: "open_nodes", run: (id) => this.#read(id) }],
      search: [
        { name: "search_nodes, a call for each word", run: (words) => this.#search(words, "all") },
        {
          name: "search_nodes, one call",
          partial: "only where the three words stand together",
          run: (words) => this.#search([words.join(" ")], "some"),
        },
      ],
      stateAt: NOT_KEPT,
      history: NOT_KEPT,
      diff: NOT_KEPT,
      branch: NOT_KEPT,
      merge: NOT_KEPT,
    };
  }

  async load(writes: readonly Write[]): Promise<void> {
    const entities = new Map(writes.map((write) => [write.id, entityOf(write)]));
    const lines = [...entities.values()].map((entity) => JSON.stringify({ type: "entity", ...entity }));
    await writeFile(this.#file, lines.join("\n"));
    for (const { id, content } of writes) this.#contentById.set(id, content);
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-memory/dist/index.js"))],
      env: { MEMORY_FILE_PATH: this.#file },
      stderr: "ignore",
      maxBufferSize: LARGEST_ANSWER_BYTES,
    });
    await this.#client.connect(transport);
  }

  async disk() {
    return [
      { name: "its file", bytes: (await stat(this.#file)).size, partial: "every version but the last" },
    ];
  }

  async prepareMerge(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.close();
  }

  async #remember(write: Write): Promise<() => void> {
    await this.#call("create_entities", { entities: [entityOf(write)] });
    return () => void this.#contentById.set(write.id, write.content);
  }

  async #revise({ id, content }: Write): Promise<() => void> {
    const observations = [this.#contentById.get(id)];
    await this.#call("delete_observations", { deletions: [{ entityName: id, observations }] });
    await this.#call("add_observations", { observations: [{ entityName: id, contents: [content] }] });
    return () => void this.#contentById.set(id, content);
  }

  async #read(id: string): Promise<() => string> {
    const { entities } = await this.#call("open_nodes", { names: [id] });
    return () => entities[0]?.observations.find((text) => !text.startsWith(TAGS)) ?? "";
  }

  async #search(queries: readonly string[], kind: "all" | "some"): Promise<() => Found> {
    const ids = new Set<string>();
    for (const query of queries) {
      const { entities } = await this.#call("search_nodes", { query });
      for (const { name } of entities) ids.add(name);
    }
    return () => ({ kind, ids: [...ids] });
  }

  async #call(
    name: string,
    input: Record<string, unknown>,
  ): Promise<{ readonly entities: readonly Entity[] }> {
    const { isError, structuredContent, content } = await this.#client.callTool({ name, arguments: input });
    if (isError === true) throw new Error(`${name} failed: ${JSON.stringify(content)}`);
    return structuredContent as unknown as { readonly entities: readonly Entity[] };
  }
}

const TAGS = "tags: ";

const entityOf = ({ id, content, category, tags }: Write): Entity => ({
  name: id,
  entityType: category,
  observations: [content, `${TAGS}${tags.join(", ")}`],
});
