import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { RelayEvent } from "../src/events.js";
import { eventLogger, type LoggerOptions } from "../src/operate/logger.js";
import { listenForMetrics, Metrics } from "../src/operate/metrics.js";

const SPACE_TOKEN = "cambium_space_abcDEF-_123456789";
const JWT = "eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl";

const EVENTS: readonly RelayEvent[] = [
  { level: "info", type: "started", url: "http://127.0.0.1:1" },
  { level: "info", type: "session-opened", peerId: "p", space: "s", role: "write" },
  { level: "debug", type: "committed", documents: 1, changes: 3 },
  { level: "warn", type: "quota-exceeded", space: "s", documentId: "d" },
  { level: "info", type: "session-closed", peerId: "p", code: 1006 },
  {
    level: "info",
    type: "admin-act",
    act: "token-made",
    by: "relay-admin",
    address: "::1",
    space: "s",
    tokenId: "t",
  },
  {
    level: "error",
    type: "commit-failed",
    error: new Error(`GET /sync?token=${SPACE_TOKEN} with ${JWT}`, {
      cause: Object.assign(new Error("cambium_relay_xyz"), { token: "plain", authorization: "Bearer plain" }),
    }),
  },
];

function logged(options: Partial<LoggerOptions>): string[] {
  const lines: string[] = [];
  const log = eventLogger({
    level: "info",
    format: "json",
    write: (line) => void lines.push(line),
    ...options,
  });
  for (const event of EVENTS) log(event);
  return lines;
}

test("[RO5] each event is a line of JSON with its level and time, from the wanted level up", () => {
  const lines = logged({}).map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.map(({ event }) => event)).toEqual(
    EVENTS.filter(({ level }) => level !== "debug").map(({ type }) => type),
  );
  expect(lines[1]).toEqual({
    level: "info",
    time: expect.any(String),
    peerId: "p",
    space: "s",
    role: "write",
    event: "session-opened",
  });
  expect(lines.at(-1)).toMatchObject({ level: "error", error: { type: "Error", stack: expect.any(String) } });
  expect(logged({ level: "silent" })).toEqual([]);
  expect(logged({ level: "debug" })).toHaveLength(EVENTS.length);
});

test("[RO5] a person gets plain lines, one for each event", () => {
  const lines = logged({ format: "plain" });
  expect(lines[1]).toMatch(/^\d\d:\d\d:\d\d info session-opened peerId=p space=s role=write\n$/);
  for (const line of lines) expect(line.split("\n")).toHaveLength(2);
});

test("[RO5] no token is in a line, whatever an error says", () => {
  for (const format of ["json", "plain"] as const) {
    const text = logged({ format, level: "debug" }).join("");
    for (const secret of [SPACE_TOKEN, JWT, "cambium_relay_xyz", 'plain"', "Bearer"])
      expect(text).not.toContain(secret);
    expect(text).toContain("(hidden)");
  }
});

test("[RO6] events become metrics as Prometheus reads them, at an address of their own", async () => {
  const metrics = new Metrics([]);
  for (const event of EVENTS) metrics.take(event);
  await using listener = await listenForMetrics(metrics, { host: "127.0.0.1", port: 0 });
  const response = await fetch(listener.url);
  const text = await response.text();
  expect(response.headers.get("content-type")).toContain("version=0.0.4");
  for (const line of [
    "cambium_relay_sessions 0",
    'cambium_relay_sessions_opened_total{role="write"} 1',
    'cambium_relay_sessions_closed_total{code="1006"} 1',
    "cambium_relay_commits_total 1",
    "cambium_relay_changes_total 3",
    "cambium_relay_commit_failures_total 1",
    'cambium_relay_refusals_total{kind="quota-exceeded"} 1',
    'cambium_relay_admin_acts_total{act="token-made"} 1',
    "# TYPE cambium_relay_commits_total counter",
    "# TYPE cambium_relay_sessions gauge",
  ])
    expect(text.split("\n")).toContain(line);
  // Every line is a comment or a sample, and every sample has a type before it.
  for (const line of text.trim().split("\n")) {
    expect(line).toMatch(
      /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? -?[\d.e+-]+)$/,
    );
    const [name = ""] = line.split(/[ {]/, 1);
    if (!line.startsWith("#")) expect(text).toContain(`# TYPE ${name} `);
  }
  expect((await fetch(listener.url.replace("/metrics", "/"))).status).toBe(404);
});

test("[RO6] the page about operating a relay has a row for each metric, with its labels, and no others", () => {
  const metrics = new Metrics([]);
  for (const event of EVENTS) metrics.take(event);
  const rows = metrics
    .text()
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  metrics.close();
  const shown = rows.map((row) => row.replace(/ .*$/, "").replace(/="[^"]*"/g, ""));
  const page = readFileSync(new URL("../../../docs/operations.md", import.meta.url), "utf8");
  const listed = [...page.matchAll(/^\| `((?:cambium_relay|process)_[^`]+)` \|/gm)].map(([, name]) => name);
  expect(listed.toSorted()).toEqual([...new Set(shown)].toSorted());
});
