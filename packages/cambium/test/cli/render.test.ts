import type { BranchInfo, HistoryVersion, MergeResult, SpaceStatus } from "@cambium/client";
import type { Encodable, Memory } from "@cambium/core";
import { changesInWords } from "@cambium/core/text";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { branchTable } from "../../src/cli/render/branches.js";
import { changesText } from "../../src/cli/render/changes.js";
import { historyText } from "../../src/cli/render/history.js";
import { logText } from "../../src/cli/render/log.js";
import { marksNote, memoryInFull, memoryTable } from "../../src/cli/render/memory.js";
import { mergeText } from "../../src/cli/render/merge.js";
import { statusText } from "../../src/cli/render/status.js";
import {
  by,
  change,
  HOUR,
  logEntry,
  memory,
  NOW,
  OTHER_REPLICA,
  plainStyle,
  RELEASE,
  REPLICA,
  record,
  SPACE,
  TEA,
} from "./fixtures.js";

const zone = process.env.TZ;
beforeAll(() => {
  process.env.TZ = "UTC";
});
afterAll(() => {
  process.env.TZ = zone;
});

const side = (value: Encodable, digit: string, agent: string, replica = REPLICA) => ({
  value,
  record: record(digit),
  by: by(agent, replica),
  at: NOW - HOUR,
});

const release = memory({
  id: RELEASE,
  content: "Releases are cut on Fridays",
  category: "process",
  tags: ["release", "weekly"],
  version: 3,
  versions: 4,
});

const torn: Memory = {
  ...release,
  conflicts: [
    {
      field: "content",
      base: "Releases are cut on Thursdays",
      values: [
        side("Releases are cut on Fridays", "5", "codex", OTHER_REPLICA),
        side("Releases are cut on Mondays", "8", "cli"),
      ],
    },
  ],
};

describe("memories", () => {
  test("[CL5] in full: content first, then what is known about it", () => {
    const full = memory({
      importance: 0.8,
      validFrom: Date.UTC(2026, 0, 1),
      links: [{ rel: "uses", to: "https://a.example" }],
      source: { kind: "markdown", file: "CLAUDE.md" },
      reason: "said so at breakfast",
    });
    const strength = { id: TEA, strength: 0.875, uses: 3, lastUsedAt: NOW - 50 * HOUR };
    expect(memoryInFull(full, { strength }, plainStyle)).toMatchInlineSnapshot(`
      "0198c2a4-7d3e-7c51-9f00-3c5e8a1b2d4f

        Prefers tea in the morning

        importance  0.8
        validFrom   2026-01-01 00:00
        links       uses → https://a.example
        source      markdown, file CLAUDE.md
        reason      said so at breakfast
        version     1 record 8888888888
        create      device 51de · cli, 2026-11-21 10:00 (2 hours ago)
        strength    0.88, recalled 3 times, last 2 days ago"
    `);
  });

  test("[CL5] an open conflict shows base, ours and theirs, who and when, and how to decide", () => {
    expect(memoryInFull(torn, {}, plainStyle)).toMatchInlineSnapshot(`
      "0198c2a4-81b0-7aaa-9f00-3c5e8a1b2d50

        Releases are cut on Fridays

        category    process
        tags        release, weekly
        version     3 (4 in all, some written side by side) record 8888888888
        create      device 51de · cli, 2026-11-21 10:00 (2 hours ago)

        ! content was decided differently
          base        Releases are cut on Thursdays
          1           Releases are cut on [-Thursdays-]{+Fridays+}
                      5555555555 device 3f2a · codex, 1 hour ago
          2           Releases are cut on [-Thursdays-]{+Mondays+}
                      8888888888 device 51de · cli, 1 hour ago

        To keep 1:
          $ cambium resolve 0198c2a4-81b0 --field content --keep 5555555555 --discard 8888888888
        To keep 2:
          $ cambium resolve 0198c2a4-81b0 --field content --keep 8888888888 --discard 5555555555"
    `);
  });

  test("[CL5] in a table, marks say what needs a look", () => {
    const rows = [memory(), torn, memory({ id: SPACE as never, deleted: true, incomplete: [record("1")] })];
    expect([memoryTable(rows, plainStyle), ...marksNote(rows, plainStyle)].join("\n")).toMatchInlineSnapshot(`
      "id                 memory                  category  tags            changed
      0198c2a4-7d3e      Prefers tea in the mo…                            2 hours ago
      0198c2a4-81b0  !   Releases are cut on F…  process   release weekly  2 hours ago
      0198c2a4-0000  ?×  Prefers tea in the mo…                            2 hours ago
      ! in conflict: see \`cambium conflicts\`
      ? not all of it has arrived: run \`cambium sync\`
      × forgotten"
    `);
  });
});

test("[CL5] log: a graph, and beside it what was done, where, by whom and when", () => {
  const changes = [
    logEntry({ hash: change("f"), type: "undo", of: [change("d")], parents: [change("e")], at: NOW }),
    logEntry({
      hash: change("e"),
      type: "merge",
      from: "wo" as never,
      memories: [],
      parents: [change("c"), change("d")],
      at: NOW - HOUR,
    }),
    logEntry({
      hash: change("d"),
      type: "revise",
      branch: "wo" as never,
      by: by("codex", OTHER_REPLICA),
      parents: [change("b")],
      at: NOW - 2 * HOUR,
      reason: "moved in August",
      text: "The budget is 60,000 euro.",
      what: "50,000 → 60,000",
    }),
    logEntry({
      hash: change("c"),
      type: "import",
      memories: 250,
      parents: [change("b")],
      at: NOW - 3 * HOUR,
    }),
    logEntry({ hash: change("b"), parents: [change("a")], memories: [TEA, RELEASE], at: NOW - 50 * HOUR }),
  ];
  const branchNameById = new Map([
    ["ma", "main"],
    ["wo", "work-persona"],
  ]);
  expect(logText({ changes, branchNameById, more: true }, plainStyle)).toMatchInlineSnapshot(`
    "↶  ffffffffff just now device 51de · cli  took back dddddddddd
    ◆  eeeeeeeeee 1 hour ago device 51de · cli  merged work-persona
    ├─╮
    │ ○  dddddddddd 2 hours ago device 3f2a · codex on work-persona  revised: 50,000 → 60,00…
    ○ │  cccccccccc 3 hours ago device 51de · cli  imported 250 memories
    ├─╯
    ○  bbbbbbbbbb 2 days ago device 51de · cli  remembered 2 memories
    ~"
  `);
  expect(logText({ changes, branchNameById, more: true, long: true }, plainStyle)).toMatchInlineSnapshot(`
    "↶  ffffffffff took back dddddddddd
    │  main device 51de · cli 2026-11-21 12:00, just now
    ◆  eeeeeeeeee merged work-persona
    ├─╮  main device 51de · cli 2026-11-21 11:00, 1 hour ago
    │ ○  dddddddddd revised 0198c2a4-7d3e
    │ │  work-persona device 3f2a · codex 2026-11-21 10:00, 2 hours ago
    │ │  moved in August
    │ │  The budget is 60,000 euro.
    ○ │  cccccccccc imported 250 memories
    ├─╯  main device 51de · cli 2026-11-21 09:00, 3 hours ago
    ○  bbbbbbbbbb remembered 0198c2a4-7d3e, 0198c2a4-81b0
    ~  main device 51de · cli 2026-11-19 10:00, 2 days ago"
  `);
});

test("[CL5] history: every version with what it changed, and where it forked", () => {
  const change = { summary: "tea → coffee", summaryBy: "rules" };
  const base = {
    ...memory(),
    changed: [],
    parents: [],
    version: 1,
    type: "create" as const,
    contentHash: "",
    change,
  };
  const versions: readonly HistoryVersion[] = [
    { ...base, record: record("1"), tags: ["drink"] },
    {
      ...base,
      record: record("2"),
      parents: [record("1")],
      version: 2,
      type: "update",
      content: "Prefers coffee in the morning",
      tags: ["drink"],
      reason: "changed their mind",
    },
    {
      ...base,
      record: record("3"),
      parents: [record("1")],
      version: 2,
      type: "tag",
      tags: ["drink", "habit"],
      by: by("codex", OTHER_REPLICA),
    },
    {
      ...base,
      record: record("4"),
      parents: [record("2"), record("3")],
      version: 3,
      type: "resolve",
      content: "Prefers coffee in the morning",
      tags: ["drink", "habit"],
      category: "food",
      change: { summary: "The answer was settled.", summaryBy: "tiny-chat" },
    },
  ];
  expect(historyText(versions, plainStyle)).toMatchInlineSnapshot(`
    "v1 1111111111 create  device 51de · cli, 2026-11-21 10:00 (2 hours ago)
      content     Prefers tea in the morning
      tags        drink

    v2 2222222222 update  device 51de · cli, 2026-11-21 10:00 (2 hours ago)
      in short    tea → coffee
      content     Prefers [-tea-]{+coffee+} in the morning
      reason      changed their mind

    v2 3333333333 tag follows 1111111111  device 3f2a · codex, 2026-11-21 10:00 (2 hours ago)
      in short    tea → coffee
      tags        [-drink-] → {+drink, habit+}

    v3 4444444444 resolve follows 2222222222 and 3333333333  device 51de · cli, 2026-11-21 10:00 (2 hours ago)
      in short    The answer was settled. (by tiny-chat)
      content     kept coffee, gave up tea
      category    kept food
      tags        kept drink, habit, gave up drink"
  `);
});

test("that a version sets the same values again is said once", () => {
  const [first, second] = [record("1"), record("2")];
  const same = { ...memory(), versions: 2, derivedFrom: [], parents: [], changed: [], contentHash: "" };
  const change = { summary: "the same values, set again", summaryBy: "rules" } as const;
  const versions = [
    { ...same, record: first, version: 1, change },
    { ...same, record: second, parents: [first], version: 2, change },
  ] as unknown as Parameters<typeof historyText>[0];
  expect(historyText(versions, plainStyle).match(/the same values, set again/g)).toHaveLength(1);
});

describe("differences", () => {
  const changes = {
    created: [memory()],
    changed: [
      {
        id: RELEASE,
        before: { ...release, content: "Releases are cut on Thursdays", tags: [] },
        after: release,
        fields: ["content", "tags"] as const,
      },
    ],
    deleted: [memory({ id: SPACE as never, content: "Uses a fax machine" })],
    conflicts: [],
  };

  test("[CL10] created, changed by word and field, forgotten", () => {
    expect([changesInWords(changes), changesText(changes, plainStyle)].join("\n\n")).toMatchInlineSnapshot(`
      "1 created, 1 changed, 1 forgotten

      + 0198c2a4-7d3e created
        Prefers tea in the morning

      ~ 0198c2a4-81b0 changed
        content     Releases are cut on [-Thursdays-]{+Fridays+}
        tags        {+release, weekly+}

      - 0198c2a4-0000 forgotten
        Uses a fax machine"
    `);
  });

  test("[CL10] a merge in conflict shows target and source, and how to go on", () => {
    const result: MergeResult = {
      status: "conflict",
      from: { ref: "work", branch: "work", heads: [] },
      to: { ref: "main", branch: "main", heads: [] },
      created: [],
      changed: [
        {
          id: RELEASE,
          before: { ...release, content: "Releases are cut on Mondays" },
          after: torn,
          fields: ["content"],
        },
      ],
      deleted: [],
      conflicts: [{ id: RELEASE, fields: torn.conflicts }],
    };
    expect(mergeText(result, plainStyle)).toMatchInlineSnapshot(`
      "Cannot merge work (source) into main (target) yet: 1 conflict open

      ! 0198c2a4-81b0 in conflict
        ! content was decided differently
          base        Releases are cut on Thursdays
          source      Releases are cut on [-Thursdays-]{+Fridays+}
                      5555555555 device 3f2a · codex, 1 hour ago
          target      Releases are cut on [-Thursdays-]{+Mondays+}
                      8888888888 device 51de · cli, 1 hour ago

      Nothing was written. Decide with --strategy source, target, newest or both, or one by one:
        --resolve 0198c2a4-81b0.content=source
      A value of your own: --resolve <id>.<field>=value:…"
    `);
  });
});

test("[CL5] status: where one is, what is pending, what needs a look", () => {
  const status: SpaceStatus = {
    space: { id: SPACE, name: "notes", role: "write" },
    branch: { name: "main", isHere: true, memories: 42, head: [change("a")] },
    replica: { id: REPLICA, name: "laptop", epoch: 1 },
    relay: {
      url: "http://relay.example",
      state: "offline",
      pending: 3,
      missing: 1,
      lastReceiptAt: NOW - HOUR,
      reason: "connection refused",
    },
    documents: [
      { kind: "branch", name: "work", documentId: "x", pending: 2, behind: 0, lastReceiptAt: null },
      { kind: "pack", name: "y", documentId: "y", pending: 1, behind: 0, lastReceiptAt: null },
    ],
    peers: [
      { replica: REPLICA, name: "laptop", self: true },
      { replica: OTHER_REPLICA, name: "phone", self: false },
    ],
    conflicts: 1,
    requests: 2,
    missing: [{ record: record("1"), memory: TEA, writer: "phone" }],
    branchesNotHere: [],
    key: { epoch: 0, waiting: [], without: [] },
    notices: ["The clock was 5 minutes slow."],
    mayHide: [],
    index: {
      ...{ state: "behind", version: 1, records: 42, branches: 2, sizeBytes: 1_300_000 },
      vectors: { model: "ngrams", done: 30, total: 42, problem: "The endpoint did not answer." },
    },
  };
  expect(statusText(status, plainStyle)).toMatchInlineSnapshot(`
    "space       notes 0198c2a4-0000-7000-8000-00000000aaaa, role write
    branch      main, 42 memories
    device      laptop 0198c2a4-0000-7000-8000-0000000051de
    others      phone
    relay       http://relay.example offline (connection refused), 3 to send, 1 to
                fetch, last confirmed 1 hour ago
                work: 2 to send, 0 to fetch
    missing     1 record by phone has not arrived
    conflicts   1 open: see \`cambium conflicts\`
    requests    2 wait for approval: see \`cambium approve\`
    index       behind, catches up when read, 42 versions on 2 branches, 1.2 MiB
    vectors     30 of 42 by ngrams; The endpoint did not answer.
    note        The clock was 5 minutes slow."
  `);
  const revoked = { state: "refused", hasEnded: true, reason: "The relay does not know the token." } as const;
  expect(statusText({ ...status, relay: { ...status.relay, ...revoked } }, plainStyle)).toMatch(
    /access revoked or ended\s+\(was write\)/,
  );
  const trying = { lastFailure: "The relay takes connections and says nothing.", reason: undefined };
  const { reason: _none, ...relay } = { ...status.relay, ...trying };
  expect(statusText({ ...status, relay }, plainStyle)).toContain("offline (the relay takes connections and");
});

test("[CL5] branches: the one in use is marked", () => {
  const branch = { id: "ma" as never, status: "open" as const, isHere: true, head: [], ahead: 0, behind: 0 };
  const branches: readonly BranchInfo[] = [
    { ...branch, name: "main", memories: 42 },
    {
      ...branch,
      name: "work-persona",
      memories: 43,
      parent: "main",
      forkedAt: NOW - 50 * HOUR,
      ahead: 2,
      behind: 1,
      last: { at: NOW - 3 * HOUR, by: { agent: "cursor" }, device: "laptop" },
    },
  ];
  expect(branchTable(branches, "work-persona", plainStyle)).toMatchInlineSnapshot(`
    "   branch        memories  from  ahead  behind  last change
       main                42
    *  work-persona        43  main      2       1  3 hours ago, laptop · cursor
    * is the branch that is used without --branch. ahead: changes that only the branch has.
    behind: changes that only its parent has.
    A merge of some memories leaves a branch ahead: the rest can be merged later."
  `);
});

test("[BR61] branches: of one that is not here, nothing is counted", () => {
  const branches: readonly BranchInfo[] = [
    {
      ...{ id: "w" as never, status: "open", isHere: false, head: [], name: "w" },
      ...{ parent: "main", forkedAt: NOW - 50 * HOUR, madeBy: "phone" },
    },
  ];
  expect(branchTable(branches, "main", plainStyle)).toMatchInlineSnapshot(`
    "branch  memories  from  ahead  behind  state
    w              ?  main      ?       ?  not here yet, made on phone"
  `);
});
