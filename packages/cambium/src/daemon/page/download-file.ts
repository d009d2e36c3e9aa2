/**
 * What the web page asks for as a file, written and named.
 *
 * @module
 */
import { rm } from "node:fs/promises";
import type { Agent, ProgressOptions, Space } from "@cambium/client";
import { withheldMark } from "@cambium/client/host";
import { omitUndefined } from "@cambium/core/text";
import type { Download, DownloadRequest } from "../../operations/described.js";
import type { DownloadSource, Downloads } from "./downloads.js";
import { zipFolder } from "./zip-folder.js";

/** Markdown is a folder of files. */
const ENDINGS = { jsonl: "jsonl", markdown: "zip", "mcp-memory": "json" } as const;

interface Asked {
  readonly downloads: Downloads;
  readonly space: Space;
  readonly agent: Agent;
  readonly now: number;
  readonly options: ProgressOptions;
}

/** @throws {CambiumError} what `Agent.export` and `Space.archive` throw */
export async function makeDownload(
  { downloads, space, agent, now, options }: Asked,
  { what, branch, at, format = "jsonl", passphrase, clear }: DownloadRequest,
): Promise<Download> {
  const start = `${safeName(space.name)}-${new Date(now).toISOString().slice(0, 10)}`;
  const source = sourceOf(space);
  if (what === "archive")
    return await downloads.make(`${start}.cambium`, source, (path) =>
      space.archive(path, omitUndefined({ passphrase, clear, ...options })),
    );
  let memories = 0;
  const made = await downloads.make(`${start}.${ENDINGS[format]}`, source, async (path) => {
    const isFolder = format === "markdown";
    const to = isFolder ? `${path}-folder` : path;
    const written = await agent.export(to, omitUndefined({ branch, at, format, ...options }));
    memories = written.memories;
    if (!isFolder) return;
    await zipFolder(to, path, options.signal);
    await rm(to, { recursive: true });
  });
  return { ...made, memories };
}

function sourceOf(space: Space): DownloadSource {
  const mark = withheldMark(space);
  return {
    isGood: () => withheldMark(space) === mark,
    subscribe: (listener) => space.subscribe(listener),
  };
}

/** Letters of any script, digits and what no system minds. */
const safeName = (name: string): string => name.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 40);
