/** Figures that pages give are those of the code: whoever changes one finds the other here. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8").replaceAll(/\s+/g, " ");

const DAEMON = "packages/cambium/src/daemon";
const MCP = "packages/cambium/src/mcp";
const SEARCH = "packages/client/src/search";
const MODELS = "packages/client/src/models";
const RETENTION = "packages/core/src/retention";
const FORMAT = "packages/core/src/format";
const RELAY = "packages/sync-server/src";
const STOCK = `${RELAY}/stock`;

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
  ["daemon", "Headers, including the address, have at most 16 KiB", DAEMON, "maxHeaderSize: 16_384"],
  ["daemon", "longer than 10 seconds for its headers", DAEMON, "headersTimeout: 10_000"],
  ["daemon", "or 60 seconds for the whole request", DAEMON, "requestTimeout: 60_000"],
  ["asking", "at most 500 characters", "packages/cambium/src/ask", "MAX_SENTENCE = 500"],
  ["mcp", "Default: 12,000 (4,000 for `brief`). Maximum: 40,000", MCP, "USUAL_BYTES = 12_000"],
  ["mcp", "Maximum: 40,000", MCP, "MOST_BYTES = 40_000"],
  ["mcp", "(4,000 for `brief`)", `${MCP}/tools`, "USUAL_BRIEF = 4_000"],
  ["mcp", "at most 65,536 characters", MCP, "MAX_CONTENT = 65_536"],
  ["mcp", "at most 51 memories", `${MCP}/tools`, "MAX_MORE = 50"],
  ["recall", "the first 32 different words", SEARCH, "MAX_TERMS = 32"],
  ["recall", "first 8,192 UTF-16 units", SEARCH, "LONGEST_QUERY = 8_192"],
  ["recall", "queries of up to 4,096 units", SEARCH, "LONGEST_DATED_QUERY = 4_096"],
  ["recall", "Tags and aliases count three times", SEARCH, "tags: 3, category: 2, links: 1, source: 1"],
  [
    "recall",
    "0.7 of the word's weight there, the next ones 0.5, and the rest of the session 0.2",
    SEARCH,
    "near: [0.7, 0.5], session: 0.2",
  ],
  ["recall", "scores 50 % more", SEARCH, "coverage: 0.5"],
  ["recall", "what that speaker said scores 40 % more", SEARCH, "speaker: 0.4"],
  ["recall", "What happened in it scores 50 % more", SEARCH, "period: 0.5"],
  ["recall", "a question mark scores 0.8 of its weight", SEARCH, "asking: 0.8"],
  ["recall", "halved every 180 days", SEARCH, "RECENCY_HALF_LIFE_MS = 180 * 86_400_000"],
  ["recall", "important ones (10 %) and used ones (10 %)", SEARCH, "recency: 0.1, importance: 0.1, use: 0.1"],
  ["recall", "nine tenths of their words", SEARCH, "NEARLY_ALL = 0.9"],
  ["recall", "more than 65,536 UTF-16 units", SEARCH, "LONGEST_COMPARED = 65_536"],
  ["recall", "S = 7 days", RETENTION, "BASE_STABILITY_MS = 7 * DAY_MS"],
  ["recall", "floor = importance² / 2", RETENTION, "GREATEST_FLOOR = 0.5"],
  ["recall", "weaker than 0.25 (0.5 if `validUntil` has passed)", RETENTION, "expiredWeakerThan: 0.5"],
  ["recall", "importance below 0.8, not used or written for 30 days", RETENTION, "keepRecentMs: 30 * DAY_MS"],
  ["recall", "at least 0.8 of their neighbouring words", RETENTION, "DUPLICATE_THRESHOLD = 0.8"],
  ["recall", "the first 6,000 characters", MODELS, "MAX_TEXT_LENGTH = 6_000"],
  ["recall", "at most about 128 MiB", MODELS, "MEMORY_LIMIT_BYTES = 128 * 2 ** 20"],
  ["recall", "at most 1.5 seconds", MODELS, "TIMEOUT_MS = 1_500"],
  ["recall", "not asked for 30 seconds", MODELS, "REST_MS = 30_000"],
  ["recall", "The last 64 queries", MODELS, "MAX_CACHED = 64"],
  ["versions", "waits up to a minute", "packages/cambium/src/cli", "_MS = 60_000"],
  ["versions", "the first 6,000 characters", "packages/client/src/versions", "MAX_TEXT_LENGTH = 6_000"],
  ["protocol", "what inflates is at most 64 MiB", FORMAT, "MAX_CHANGE_BYTES = 64 * 1024 * 1024"],
  ["protocol", "up to 65,536 above", FORMAT, "MAX_AHEAD = 2 ** 16"],
  ["protocol", "If 256 KiB wait for a client", `${RELAY}/sessions`, "MAX_UNSENT_BYTES = 256 * 1024"],
  ["protocol", "Default: 64 MiB", STOCK, "WRITER_BYTES = 64 * 1024 * 1024"],
  ["protocol", "for readers 1 MiB", STOCK, "READER_BYTES = 1024 * 1024"],
  ["protocol", "may take 15 seconds, 8 more for each MiB", STOCK, "emptyStepMs: 15_000"],
  ["protocol", "8 more for each MiB", STOCK, "stepMsPerMib: 8_000"],
  ["protocol", "and 60 at most", STOCK, "stepMs: 60_000"],
  ["protocol", "inflate 192 MiB", STOCK, "MAX_INFLATED_BYTES = 192 * 1024 * 1024"],
  ["protocol", "grow by 1,536 MiB", STOCK, "growthBytes: 1_536 * MIB"],
  ["protocol", "begin three threads a second", STOCK, "startsPerSecond: 3"],
  ["protocol", "waits 60 seconds", STOCK, "penaltyMs: 60_000"],
  ["protocol", "at most 32 threads, 16 for each token", STOCK, "threadsPerToken: 16"],
  ["protocol", "more than 64 MiB in the log", STOCK, "MAX_DOCUMENT_BYTES = 64 * 1024 * 1024"],
  ["protocol", "keeps 32 MiB of", STOCK, "MAX_LOADED_BYTES = 32 * 1024 * 1024"],
  ["protocol", "a ping every 30 seconds", RELAY, "HEARTBEAT_MS = 30_000"],
  ["governance", "Default: 25", "packages/core/src/governance", "rollback: 25, requestDays: 30"],
  ["governance", "Default: 30", "packages/core/src/governance", "rollback: 25, requestDays: 30"],
  ["rollback", "more than 25 memories", "packages/core/src/governance", "rollback: 25, requestDays: 30"],
  ["protocol", "1 to 64 letters, digits, `-` and `_`", RELAY, "1 to 64 letters, digits, - and _"],
];

test.each(FIGURES)("[DO10] %s.md: %s", (page, said, folder, code) => {
  expect(read(`docs/${page}.md`)).toContain(said);
  const sources = globSync(`${folder}/*.ts`, { cwd: ROOT }).map(read);
  expect(
    sources.some((source) => source.includes(code)),
    `${folder} says "${code}"`,
  ).toBe(true);
});
