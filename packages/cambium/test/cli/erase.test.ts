/** Erasing from the command line: what is shown, what has to be typed, and what reaches the library. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { EraseOptions, EraseResult, Erasure } from "@cambium/client";
import { CambiumError } from "@cambium/core/errors";
import { expect, test } from "vitest";
import { noteBackupPlace, writeBackupPlan } from "../../src/backup/backup-settings.js";
import { endBackups } from "../../src/backup/set-backups.js";
import { main } from "../../src/cli/program.js";
import { erasePreview } from "../../src/cli/render/erasure.js";
import { fakeLibrary } from "./fake-library.js";
import { capturedIo, type IoSettings, memory, plainStyle, RELEASE, TEA } from "./fixtures.js";
import { healthy } from "./run-cambium.js";

const preview: EraseResult = {
  status: "preview",
  counts: { memories: 1, versions: 3 },
  memories: [{ id: TEA, versions: 3, isWhole: true, content: "The door code is 4711" }],
  branches: ["main"],
  repeated: [{ id: RELEASE, record: "ab" as never, content: "4711, she said", how: "repeats" }],
  checkpoints: ["before-trip"],
  requests: 0,
  devices: [
    { id: "r2", name: "phone" },
    { id: "r3", name: "desk" },
  ],
  isMany: false,
};

/** By a restore: ids, which nobody would type as a source. */
const BROUGHT_BACK = { kind: "version", memory: TEA, record: "ab", by: "restore" };

async function cambium(line: readonly string[], settings: IoSettings = {}, id = "s1") {
  const io = capturedIo(settings);
  const erase = async (options: EraseOptions): Promise<EraseResult> =>
    options.source?.endsWith("none") === true || options.category !== undefined || options.agent !== undefined
      ? { ...preview, status: "nothing" }
      : options.preview === true
        ? preview
        : { ...preview, status: "erased", erasure: "e1" };
  const traces = async (texts: readonly string[]) =>
    texts.includes("4711")
      ? [
          { path: "/home/index.sqlite", where: "content of a memory", text: "4711", memory: RELEASE },
          { path: "/home/store.sqlite", where: "bytes", text: "4711" },
        ]
      : [];
  const list = async () => ({
    memories: [
      { source: { kind: "file", path: "notes/trip.md" }, by: { agent: "cursor" }, tags: ["trip"] },
      { source: BROUGHT_BACK, by: {}, tags: [], category: "health" },
    ],
  });
  const members = { list: async () => [{ replica: "r2" }, { replica: "r3", revokedAt: 1 }] };
  const { library, calls } = fakeLibrary({
    agent: { erase },
    space: { id, traces, list, members, erasures: async () => [] } as never,
  });
  const code = await main(line, io, library);
  const asked = calls.filter(({ name }) => name === "agent.erase").map(({ args: [options] }) => options);
  return { code, stdout: stripVTControlCharacters(io.stdout()), stderr: io.stderr(), asked };
}

test("[ER16] [ER40] `erase` shows what goes and what stays, and the number has to be typed or given", async () => {
  const shown = await cambium(["erase", TEA, "--preview"]);
  expect(shown.stderr).toBe("");
  expect(shown.asked).toMatchObject([{ ids: [TEA], preview: true }]);
  for (const text of [
    "1 memory (3 versions)",
    "The door code is 4711",
    "repeats it",
    "before-trip",
    "phone",
    "--also",
  ])
    expect(shown.stdout).toContain(text);
  expect(shown.stdout).toContain("destroys its copy when it syncs: phone.\n");
  expect(shown.stdout).toContain("Not reached, because their access has ended: desk.\n");
  expect(shown.stdout).toContain("Nothing was erased.");

  const alone = await cambium(["erase", TEA]);
  expect(alone.code).toBe(2);
  expect(alone.stderr).toContain("--confirm 1");

  const asking: IoSettings = { terminal: true, input: "yes\n" };
  expect((await cambium(["erase", TEA], asking)).asked).toHaveLength(1);
  const typed = await cambium(["erase", TEA], { terminal: true, input: "1\n" });
  expect(typed.asked[1]).toMatchObject({ ids: [TEA], confirm: 1 });

  const confirmed = await cambium(["erase", TEA, "--version", "2", "--confirm", "1", "--reason", "private"]);
  expect(confirmed.asked[1]).toMatchObject({
    ...{ versions: [{ id: TEA, version: 2 }], confirm: 1, reason: "private" },
  });
  expect(confirmed.stdout).toContain("Erased for good: 1 memory (3 versions)");
  expect(confirmed.stdout).toMatch(/1 memory stays and may repeat it:\n.*4711, she said\n.*cambium erase/);

  const branch = await cambium(["erase", "--branch", "trip", "--confirm", "1"]);
  expect(branch.asked[1]).toMatchObject({ onlyOn: "trip", confirm: 1 });
  expect(branch.asked[1]).not.toHaveProperty("branch", "trip");
  const space = await cambium(["erase", "--space", "work", "--preview"]);
  expect(space.asked[0]).toMatchObject({ everything: true, preview: true });
  expect(space.stdout).toContain("This is the whole space");
  const within = await cambium(["erase", "--space", "work", "--source", "notes", "--preview"]);
  expect(within.asked[0]).toMatchObject({ source: "notes" });
  expect(within.asked[0]).not.toHaveProperty("everything");

  const missed = await cambium(["erase", "--source", "/home/ada/none", "--preview"]);
  expect(missed.stdout).toContain("Nothing to erase.");
  expect(missed.stdout).not.toMatch(/restore|[0-9a-f-]{36}/);
  expect(missed.stdout).not.toContain("Nothing was erased.");
  expect(missed.stdout).toMatch(/as they were noted.*\n {2}notes\/trip\.md\n/);

  const unknown = ["--category", "nope", "--by", "curser", "--tag", "tea", "--kind", "x", "--area", "y"];
  expect((await cambium(["erase", ...unknown, "--category", "health", "--preview"])).stdout).toBe(
    [
      "Nothing to erase.",
      'No memory here has the category "nope". In use: health.',
      'No memory here has the tag "tea". In use: trip.',
      'No memory here has the kind "x". None is in use.',
      'No memory here has the area "y". None is in use.',
      'No memory here was written by "curser". In use: cursor.\n',
    ].join("\n"),
  );
  const never = await cambium(["erase", "--category", "health", "--since", "2026-01-01", "--preview"]);
  expect(never.stdout).toMatch(/Nothing to erase\.\n$/);

  const along = await cambium(["erase", TEA, "--also", RELEASE, "--confirm", "1"]);
  expect(along.asked[1]).toMatchObject({ ids: [TEA], also: [RELEASE], confirm: 1 });
});

test("[CL108] Ctrl-C at the question says that nothing was done", async () => {
  const io = capturedIo({ terminal: true });
  const errors = {
    ...io.errors,
    write: (text: string): void => {
      io.errors.write(text);
      if (text.includes("Type 1 to erase")) setImmediate(() => io.stop("SIGINT"));
    },
  };
  const silent = new Promise<IteratorResult<Uint8Array>>(() => undefined);
  const input = { [Symbol.asyncIterator]: () => ({ next: () => silent }) };
  const { library } = fakeLibrary({
    agent: { erase: async () => preview },
    space: { id: "s1", members: { list: async () => [] } } as never,
  });
  const code = await main(["erase", TEA], { ...io, errors, input }, library);
  expect([code, io.stdout()]).toEqual([130, ""]);
  expect(io.stderr()).toMatch(/Type 1 to erase: \nNothing was done\.\n$/);
});

test("[ER17] `erase --prove` exits with 1 and says where, if a text is in any file of the home", async () => {
  const found = await cambium(["erase", "--prove", "4711"]);
  expect([found.code, found.stdout.includes("store.sqlite: bytes")]).toEqual([1, true]);
  const none = await cambium(["erase", "--prove", "0815", "--json"]);
  expect([none.code, JSON.parse(none.stdout)]).toEqual([0, { traces: [] }]);
  expect((await cambium(["erase", "--prove", "47"])).code).toBe(2);
});

test("[ER17] `erase --prove` says which memory holds the text, and is refused beside what would erase", async () => {
  const found = await cambium(["erase", "--prove", "4711"]);
  expect(found.stdout).toContain("1 memory says it: ");
  expect(found.stdout).toContain("cambium erase ");
  for (const more of [[TEA], ["--confirm", "1"], ["--preview"], ["--query", "tea"], ["--also", "all"]]) {
    const both = await cambium(["erase", "--prove", "0815", ...more]);
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("erases nothing: it stands alone")]);
    expect(both.asked).toEqual([]);
  }
});

test("[ER78] [ER80] the preview counts what it does not list, and recommends nothing that was given", () => {
  const memories = Array.from({ length: 1_000 }, (_, place) => ({
    ...{ id: TEA, versions: 1, isWhole: true, content: "" },
    ...(place === 0 ? { isFormer: true as const } : {}),
  }));
  const result = { ...preview, counts: { memories: 6_000, versions: 6_000 }, memories };
  const shown = (isAll: boolean) => erasePreview(result, plainStyle, { ended: new Set(), isAll });
  expect(shown(false)).toContain("… and 5,990 more");
  expect(shown(false)).toMatch(/1 of them was so only in an earlier version: [0-9a-f-]+\n/);
  expect(shown(false)).toContain(", or --also all");
  expect(shown(true)).not.toContain("--also all");
});

test("[ER81] Ctrl-C says that nothing was erased, or that it is too late to stop it", async () => {
  const stopped = async (isWritten: boolean) => {
    const io = capturedIo();
    let known: readonly { readonly id: string }[] = [{ id: "earlier" }];
    const erase = async ({ preview: isPreview }: EraseOptions): Promise<EraseResult> => {
      if (isPreview === true) return preview;
      io.stop("SIGINT");
      if (isWritten) known = [{ id: "3f2a77aabbccddee" }, ...known];
      throw new CambiumError("ABORTED", "Stopped by the caller.");
    };
    const space = { id: "s1", members: { list: async () => [] }, erasures: async () => known };
    const { library } = fakeLibrary({ agent: { erase }, space: space as never });
    const after = (ms: number, run: () => void) => {
      if (ms < 500) setImmediate(run);
      return () => undefined;
    };
    const code = await main(["erase", TEA, "--confirm", "1"], { ...io, timers: { after } } as never, library);
    return [code, io.stdout(), io.stderr()];
  };
  expect(await stopped(false)).toEqual([130, "", "Stopped. Nothing was erased.\n"]);
  expect(await stopped(true)).toEqual([
    ...[130, ""],
    expect.stringMatching(/^Too late to stop: erasure 3f2a77aabbcc.* is carried out/),
  ]);
});

test("[ER60] the preview, the reply and the certificate name the backups that were made before", async () => {
  const home = mkdtempSync(join(tmpdir(), "cambium-erase-"));
  try {
    const [id, dir] = ["01a2085a-a002-77d8-a6c4-0ba390c2a728", join(home, "kept")];
    writeBackupPlan(home, id, { space: id, dir, everyMs: 1, keep: 7, passphraseFile: null });
    const settings: IoSettings = { env: { CAMBIUM_HOME: home }, now: () => Date.UTC(2026, 7, 2) };
    const erased = async (...more: readonly string[]) => await cambium(["erase", TEA, ...more], settings, id);
    const place = `hold it, until you delete them: ${dir}`;
    expect((await erased("--confirm", "1")).stdout).toContain("left in this home");
    mkdirSync(dir);
    for (const day of ["2026-08-01", "2026-08-03"])
      writeFileSync(join(dir, `home-${id.slice(-12)}-${day}T10-00-00Z.cambium`), "");
    expect((await erased("--preview")).stdout).toContain(`1 backup was made before and may ${place}`);
    const reply = (await erased("--confirm", "1")).stdout;
    expect(reply).toContain("Nothing of it is left in this home.");
    expect(reply).toContain(place);
    const { backups } = JSON.parse((await erased("--confirm", "1", "--json")).stdout);
    expect(backups).toEqual([{ dir, count: 1, isHere: true }]);
    // Also where others are set now, or none, and where they cannot be looked at.
    noteBackupPlace(home, { space: id, dir, since: Date.UTC(2026, 7, 1) });
    noteBackupPlace(home, { space: id, dir: "/media/usb", since: Date.UTC(2026, 7, 1) });
    endBackups(home, id);
    const after = (await erased("--confirm", "1")).stdout;
    expect(after).toContain(`1 backup was made before and may ${place}`);
    expect(after).toContain("a folder that is not there now. They may hold it: /media/usb");
    const one = {
      id: "3f2a77",
      at: Date.UTC(2026, 7, 4),
      by: { device: "laptop" },
      covers: { memories: [] },
    };
    const lists = {
      counts: preview.counts,
      acknowledged: [],
      waiting: [],
      ended: [],
      refused: [],
      mayRepeat: [],
    };
    const space = { id, name: "home", erasures: async () => [{ ...one, ...lists, relay: "none" }] };
    const io = capturedIo(settings);
    await main(["erasures", "--certificate", "3f2a"], io, fakeLibrary({ space: space as never }).library);
    expect(io.stdout()).toContain(`2 made before, in ${dir}`);
    expect(io.stdout()).toContain("made before, in /media/usb, which is not there now");
  } finally {
    rmSync(home, { recursive: true });
  }
});

test("[ER28] [ER73] [CL122] a certificate says what, when, by whom, reached where and not reached where", async () => {
  const io = capturedIo();
  const devices = (...names: readonly string[]) => names.map((name) => ({ id: name, name }));
  const one: Erasure = {
    ...{ id: "3f2a77", at: Date.UTC(2026, 7, 1), reason: "a guest's code", counts: preview.counts },
    by: { replica: "r1", device: "laptop", agent: "ada" },
    ...{
      covers: { memories: [TEA], versions: 0 },
      isDoneHere: true,
      relay: "destroyed",
      mayRepeat: [RELEASE],
    },
    ...{
      acknowledged: devices("laptop", "phone"),
      ...{ waiting: devices("tablet"), ended: devices("old phone") },
      here: "destroyed",
      refused: [],
    },
  };
  const { library } = fakeLibrary({ space: { name: "home", erasures: async () => [one] } as never });
  const told = async (role: string) => {
    const list = async () => [
      { name: "kiosk", role: "read" },
      { name: "phone", role: "write" },
    ];
    const space = { name: "home", role, erasures: async () => [one], members: { list } };
    const shown = capturedIo();
    await main(["erasures"], shown, fakeLibrary({ space: space as never }).library);
    return shown.stdout();
  };
  expect(await told("admin")).toMatch(/\n\nMay only read, .*: kiosk\n$/);
  expect(await told("read")).toMatch(/\n\nThis device may only read/);
  expect(await told("write")).not.toContain("only read");
  expect(await main(["erasures", "--certificate", "3f2a"], io, library)).toBe(0);
  const text = stripVTControlCharacters(io.stdout());
  for (const part of [
    "3f2a77",
    "2026-08-01",
    "laptop by ada",
    "a guest's code",
    "1 memory (3 versions)",
    TEA,
  ])
    expect(text).toContain(part);
  expect(text).toMatch(
    /Destroyed by\s+laptop, phone\nNot known of\s+tablet\nNot reached\s+old phone: access ended .*\nMay repeat\s+not erased: \S+\nRelay\s+destroyed/,
  );
});

const covering: Erasure = {
  ...{ id: "3f2a77", at: Date.UTC(2026, 7, 1), counts: preview.counts, mayRepeat: [], isDoneHere: false },
  ...{ by: { replica: "r1", device: "laptop" }, covers: { memories: [], versions: 0 }, relay: "destroyed" },
  ...{ acknowledged: [], waiting: [], ended: [], refused: [], here: "refused" },
};

/** @param erasures - of the space that the command looks at */
async function within(line: readonly string[], erasures: readonly Erasure[], status: object = {}) {
  const found = { ...healthy, ...status };
  const relay = { ...healthy.relay, url: "http://r", state: "synced" };
  const sync = {
    start: () => undefined,
    whenSynced: async () => undefined,
    status: async () => ({ ...found, relay }),
  };
  const empty = Object.assign([], { certainty: "none", advice: ["Nothing was found for sledge."] });
  const space = {
    ...{ erasures: async () => erasures, status: async () => found, sync, recall: async () => empty },
    list: async () => ({ memories: [], advice: [] }),
    members: { list: async () => [] },
  };
  const spaces = [{ id: "s1", name: "notes", relay: null, role: "admin", isDefault: true, erasedAt: 1 }];
  const io = capturedIo();
  const replica = { spaces: async () => spaces };
  await main(line, io, fakeLibrary({ space: space as never, replica: replica as never }).library);
  return stripVTControlCharacters(io.stdout());
}

test("[ER75] `sync` says that an erasure waits here, or that this device alone keeps something", async () => {
  expect(await within(["sync"], [covering])).toMatch(
    /^In sync.*\n! Not on other devices: 1 memory, erased there and kept here\. cambium erasures \(3f2a77\)\n$/,
  );
  expect(await within(["sync"], [{ ...covering, here: "held", wouldTake: 3 }])).toMatch(
    /\n! An erasure waits for you: it would take 3 memories .*--accept 3f2a77, or --refuse 3f2a77\n$/,
  );
  expect(await within(["sync"], [{ ...covering, here: "destroyed" }])).toMatch(/^In sync.*\n$/);
  const revised = { revise: async () => ({ ...memory(), staysHere: true as const }) };
  const io = capturedIo();
  await main(["revise", TEA, "Tea"], io, fakeLibrary({ agent: revised }).library);
  expect(io.stdout()).toContain("This stays on this device alone");
});

test("[ER74] a space that was erased says so in `list`, `recall`, `spaces` and `erasures`, with what to do next", async () => {
  const whole: Erasure = {
    ...covering,
    here: "destroyed",
    covers: { ...covering.covers, everything: true, from: 0 },
  };
  const erased = { erased: { at: whole.at, device: "laptop" } };
  for (const line of [["list"], ["recall", "sledge"]]) {
    const shown = await within(line, [whole], erased);
    expect(shown).toContain("The space notes was erased for good, on laptop, ");
    expect(shown).toContain("cambium spaces --remove notes");
    expect(shown).not.toContain("cambium remember");
  }
  expect(await within(["spaces"], [whole])).toMatch(/\n! notes was erased for good, .*--remove notes\n$/);
  expect(await within(["erasures"], [whole])).toContain("  the whole space: nothing can be written");
  const page = await within(["erasures", "--certificate", "3f2a"], [whole]);
  expect(page).toMatch(/\nCovers\s+the whole space/);
  expect(page).not.toContain("1970");
});

test("[CL133] what others have not confirmed is no reason to doubt an empty answer", async () => {
  const notices = ["An erasure is not acknowledged yet by pee.", "Recovered. There is nothing to do."];
  expect(await within(["recall", "sledge"], [], { notices })).toMatch(
    /^Nothing was found for sledge\.\n`cambium list`/,
  );
  const lost = await within(["recall", "sledge"], [], { notices, mayHide: ["A part is damaged."] });
  expect(lost).toMatch(
    /^Nothing was found for sledge\.\nNot all is well here, .*:\n {2}! A part is damaged\.\n/,
  );
  expect(lost).not.toContain("pee");
});
