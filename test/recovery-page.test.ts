/**
 * The pages "Recovery" and "Pairing", run: every command in them, in processes, as their readers would.
 *
 * @module
 */
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type Device,
  finished,
  type RunningRelay,
  Scratch,
  serve,
} from "../packages/cambium/test/cli/processes.js";

/** The lines of the blocks of a page that are run. */
const linesOf = (page: string): readonly string[] => {
  const text = readFileSync(fileURLToPath(new URL(`../docs/${page}.md`, import.meta.url)), "utf8");
  const blocks = text.matchAll(new RegExp(`^\`\`\`sh ${page}\\n([\\s\\S]*?)^\`\`\`$`, "gm"));
  return [...blocks].flatMap(([, code = ""]) => code.trimEnd().split("\n"));
};

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
  const [made = "", recover = "", list = "", withArchive = "", revoke = ""] = linesOf("recovery");
  expect(linesOf("recovery")).toHaveLength(5);
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
  expect((await run(laptop, made)).text).toContain("There is a file already");
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
  const listed = async (device: Device): Promise<string> => (await run(device, list)).text;
  const all = /(?=[\s\S]*safe is behind)(?=[\s\S]*Tea at four)(?=[\s\S]*blue book)/;
  expect(await listed(desk)).toMatch(all);

  const typed = scratch.device();
  const wrong = words.replace(/1 (\w+)/, "1 zoo");
  const at = `cambium recover --words --relay ${relay.url}`;
  expect((await run(typed, at, wrong)).text).toMatch(/not those of a kit/);
  expect((await run(typed, at, words.toUpperCase())).code).toBe(0);
  expect(await listed(typed)).toMatch(all);

  expect((await run(desk, revoke)).text).toMatch(/The access of recovery kit has ended/);
  expect((await run(scratch.device(), recover)).text).toMatch(/knows no such recovery kit/);

  await relay.stop("SIGTERM");
  const alone = scratch.device();
  expect((await run(alone, withArchive)).text).toMatch(/Imported the space notes \(3 memories/);
  expect(await listed(alone)).toMatch(all);
});

test("[PR2] [PR5] the page about pairing: the code of one device brings in the other, and both say who it was", {
  timeout: 180_000,
}, async () => {
  const [offer = "", join = "", ...more] = linesOf("pairing");
  expect(more).toEqual([]);
  await using here = await serve(scratch.device(), `${scratch.dir}/relay-2`);
  // As people have it: the one that shows the code goes through its daemon.
  await using withDaemon = await Scratch.make("on");
  const [laptop, phone] = [withDaemon.device(), scratch.device()];
  await laptop.json("init", "notes", "--relay", here.url, "--token", here.adminToken, "--device", "laptop");
  await laptop.json("remember", "Tea at four");
  const first = await laptop.json<{ link: string; code: string }>("pair");
  expect((await run(laptop, `${offer} --agent bot`)).code).not.toBe(0);

  const waiting = laptop.start(offer.split(" ").slice(1));
  const end = finished(waiting);
  const link = await shownLink(waiting);
  const joined = await run(phone, `${join.replace(/'.*'/, `'${link}'`)} --device phone`);
  expect([joined.code, joined.text]).toEqual([0, expect.stringContaining("Paired with laptop, role write.")]);
  expect(joined.text).toContain("Joined the space notes");
  expect(await end).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Paired with phone, role write"),
  });
  expect((await run(phone, "cambium list")).text).toContain("Tea at four");
  const again = await run(scratch.device(), `cambium pair '${link}'`);
  expect(again.text).toContain("knows no such code");

  // A device that has a space of this relay needs no address. Ctrl-C ends a code.
  const [letter = ""] = first.code;
  const mistyped = (letter === "A" ? "B" : "A") + first.code.slice(1).toLowerCase();
  expect((await run(phone, `cambium pair ${mistyped}`)).text).toContain(
    "A character of this pairing code is wrong.",
  );
  expect((await run(phone, `cambium pair ${first.code.toLowerCase()}`)).code).toBe(0);
  const stopped = laptop.start(["pair"]);
  const stop = finished(stopped);
  const ended = await shownLink(stopped);
  stopped.kill("SIGINT");
  expect((await stop).code).toBe(130);
  expect((await run(scratch.device(), `cambium pair '${ended}'`)).text).toContain("knows no such code");
});

/** Once it waits, the code stands. */
function shownLink({ stdout }: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = "";
  stdout?.on("data", (chunk: string) => {
    text += chunk;
    const link = /'(http\S+\/pair#\S+)'/.exec(text)?.[1];
    if (link !== undefined && text.includes("Waiting")) resolve(link);
  });
  stdout?.on("end", () => reject(new Error(`No code was shown: ${text}`)));
  return promise;
}
