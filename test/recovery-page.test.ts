/**
 * The page "Recovery", run: every command in it, in processes, as somebody would whose devices are gone.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Device, type RunningRelay, Scratch, serve } from "../packages/cambium/test/cli/processes.js";

const PAGE = readFileSync(fileURLToPath(new URL("../docs/recovery.md", import.meta.url)), "utf8");
const LINES = [...PAGE.matchAll(/^```sh recovery\n([\s\S]*?)^```$/gm)].flatMap(([, code = ""]) =>
  code.trimEnd().split("\n"),
);

let scratch: Scratch;
let relay: RunningRelay;
beforeAll(async () => {
  scratch = await Scratch.make();
  relay = await serve(scratch.device(), join(scratch.dir, "relay"));
});
afterAll(async () => {
  await relay[Symbol.asyncDispose]();
  await scratch[Symbol.asyncDispose]();
});

/** @param line - as on the page; files lie in the folder of the test */
async function run(device: Device, line: string, input = "") {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = ""]) => quoted ?? plain);
  const args = words.slice(1).map((word) => (/^notes.*\./.test(word) ? join(scratch.dir, word) : word));
  const done = await device.run(args, { input });
  return { ...done, text: done.stdout + done.stderr };
}

test("[KT8] [KT9] two devices, both homes gone: the words and the page bring everything back", {
  timeout: 180_000,
}, async () => {
  const [made = "", recover = "", list = "", withArchive = "", revoke = ""] = LINES;
  expect(LINES).toHaveLength(5);
  const [laptop, phone] = [scratch.device(), scratch.device()];
  await laptop.json("init", "notes", "--relay", relay.url, "--token", relay.adminToken);
  await laptop.json("remember", "The safe is behind the door");
  const kit = await run(laptop, made);
  expect([kit.code, kit.text]).toEqual([0, expect.stringContaining("not shown again")]);
  const words =
    readFileSync(join(scratch.dir, "notes-kit.txt"), "utf8")
      .match(/^ ?\d+ .*$/gm)
      ?.join("\n") ?? "";
  expect(kit.stdout).toContain(words);
  expect((await run(laptop, made)).text).toContain("is there already");
  expect((await run(laptop, "cambium recovery-kit --agent bot")).code).not.toBe(0);

  const { invitation } = await laptop.json<{ invitation: string }>("invite");
  await phone.json("join", invitation);
  await phone.json("remember", "Tea at four");
  await phone.json("sync");
  await laptop.json("sync");
  // What is written after a removal is under another key, which the kit gets as well.
  const members = await laptop.json<{ members: { name: string; isThis: boolean; role?: string }[] }>(
    "members",
  );
  const other = members.members.find(({ isThis, role }) => !isThis && role === "write")?.name ?? "";
  await laptop.json("invites", "revoke", other, "--yes");
  await laptop.json("remember", "The code is in the blue book");
  await laptop.json("sync");
  await laptop.run(["archive", join(scratch.dir, "notes.cambium"), "--passphrase-file", "-"], {
    input: "x y z",
  });
  for (const { home } of [laptop, phone]) await rm(home, { recursive: true });

  const desk = scratch.device();
  const back = await run(desk, recover);
  expect([back.code, back.text]).toEqual([0, expect.stringContaining("Recovered the space notes")]);
  const all = [/safe is behind/, /Tea at four/, /blue book/];
  for (const text of all) expect((await run(desk, list)).text).toMatch(text);

  const typed = scratch.device();
  const wrong = words.replace(/1 (\w+)/, "1 zoo");
  const at = `cambium recover --words --relay ${relay.url}`;
  expect((await run(typed, at, wrong)).text).toMatch(/not those of a kit/);
  expect((await run(typed, at, words.toUpperCase())).code).toBe(0);
  for (const text of all) expect((await run(typed, list)).text).toMatch(text);

  expect((await run(desk, revoke)).text).toMatch(/The access of recovery kit has ended/);
  expect((await run(scratch.device(), recover)).text).toMatch(/knows no such recovery kit/);

  await relay.stop("SIGTERM");
  const alone = scratch.device();
  expect((await run(alone, withArchive)).text).toMatch(/Imported the space notes \(3 memories/);
  for (const text of all) expect((await run(alone, list)).text).toMatch(text);
});
