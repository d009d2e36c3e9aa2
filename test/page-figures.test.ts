/** Figures that pages give are those of the code: whoever changes one finds the other here. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8").replaceAll(/\s+/g, " ");

const DAEMON = "packages/cambium/src/daemon";

/** A page, what it says, a folder of sources, and what is said there. */
const FIGURES: readonly (readonly [page: string, said: string, folder: string, code: string])[] = [
  [
    "daemon",
    "after ten minutes without calls",
    "packages/cambium/src/cli/commands",
    "DEFAULT_IDLE_MS = 10 * 60 * 1_000",
  ],
  ["daemon", "calls wait ten seconds", DAEMON, "TIMEOUT_MS = 10_000"],
  ["daemon", "Running calls get ten more seconds", DAEMON, "DRAIN_MS = 10_000"],
  ["daemon", "the last thousand answers", DAEMON, "MOST_ANSWERS = 1_000"],
  ["daemon", "more than a thousand events", DAEMON, "MOST_EVENTS = 1_000"],
  ["daemon", "more than 1 MiB waiting", DAEMON, "LARGEST_BACKLOG_BYTES = 1_024 * 1_024"],
  ["daemon", "at most 1 MB each", DAEMON, "LARGEST_BYTES = 1_000_000"],
  ["daemon", "longer than 100 bytes", "packages/cambium/src/daemon-client", "LONGEST_SOCKET_BYTES = 100"],
  ["daemon", "at most 8 MiB", DAEMON, "LARGEST_BODY_BYTES = 8 * 1_024 * 1_024"],
  ["daemon", "at most 16 KiB over TCP", DAEMON, "maxHeaderSize: 16_384"],
  ["daemon", "longer than 10 seconds for its headers", DAEMON, "headersTimeout: 10_000"],
  ["daemon", "or 60 seconds for the whole request", DAEMON, "requestTimeout: 60_000"],
  ["asking", "at most 500 characters", "packages/cambium/src/ask", "MAX_SENTENCE = 500"],
];

test.each(FIGURES)("[DO10] %s.md: %s", (page, said, folder, code) => {
  expect(read(`docs/${page}.md`)).toContain(said);
  const sources = globSync(`${folder}/*.ts`, { cwd: ROOT }).map(read);
  expect(
    sources.some((source) => source.includes(code)),
    `${folder} says "${code}"`,
  ).toBe(true);
});
