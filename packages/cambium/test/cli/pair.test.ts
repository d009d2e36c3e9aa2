/** What `pair` shows at a terminal. */
import type { Member, Pairing } from "@cambium/client";
import decodeQR from "qr/decode.js";
import { expect, test } from "vitest";
import { NOW } from "./fixtures.js";
import { cambium, healthy } from "./run-cambium.js";

const LINK = "https://relay.example/pair#7K3M-9QXR-2B4T-WVZ8";

const pairing = (expiresAt: number): Pairing => ({
  ...{ code: "7K3M-9QXR-2B4T-WVZ8", link: LINK, relay: "https://relay.example", role: "write" },
  ...{ expiresAt, invitation: "3f9a", access: "77aa" },
});

const answers = (ended: string[], came?: Member, expiresAt = NOW + 60_000) => ({
  agent: {
    members: {
      pair: async () => pairing(expiresAt),
      paired: async () => came,
      endPairing: async ({ access }: Pick<Pairing, "access">) => void ended.push(access),
    } as never,
  },
  space: {
    status: async () => healthy,
    sync: { start: () => undefined, whenSynced: async () => undefined, status: async () => healthy } as never,
  },
});

test("[PR5] at a terminal the code is a picture as well; who came is named, and the code is ended", async () => {
  const ended: string[] = [];
  const phone: Member = { name: "phone", isThis: false, role: "write", invitation: "3f9a" };
  const shown = await cambium(["pair"], answers(ended, phone), { terminal: true });
  expect(shown.stdout).toContain(`cambium pair '${LINK}'`);
  expect(seenByCamera(shown.stdout)).toBe(LINK);
  expect(shown.stdout).toContain("Paired with phone, role write.");
  expect(shown.stdout).not.toContain("this machine only");
  expect(ended).toEqual(["77aa"]);
  expect((await cambium(["pair"], answers(ended, phone))).stdout).not.toMatch(/[█▀▄]/);
  expect((await cambium(["pair"], answers(ended, undefined, NOW))).stdout).toContain(
    "Nobody came within ten",
  );
  expect(ended).toHaveLength(3);
  const json = await cambium(["pair", "--json"], answers(ended, phone));
  expect(JSON.parse(json.stdout)).toMatchObject({ link: LINK });
  expect(ended).toHaveLength(3);
});

test("[PR5] Ctrl-C ends the code, also before it was shown, and says which", async () => {
  const early = new AbortController();
  const ended: string[] = [];
  const unseen = answers(ended);
  const sync = { start: () => undefined, status: async () => healthy };
  const whenSynced = async ({ signal }: { readonly signal: AbortSignal }) => {
    early.abort("SIGINT");
    signal.throwIfAborted();
  };
  const space = { ...unseen.space, sync: { ...sync, whenSynced } as never };
  const before = await cambium(["pair"], { ...unseen, space }, { signal: early.signal });
  expect([before.code, before.stdout]).toEqual([130, ""]);
  expect(before.stderr).toBe("Stopped before a code was shown. None is open.\n");

  const late = new AbortController();
  const seen = answers(ended);
  const paired = async () => void late.abort("SIGINT");
  const agent = { members: { ...(seen.agent.members as object), paired } as never };
  const after = await cambium(["pair"], { ...seen, agent }, { signal: late.signal });
  expect(after.code).toBe(130);
  expect(after.stderr).toContain("The code has ended.");
  expect(ended).toEqual(["77aa", "77aa"]);
});

const MODULE_PIXELS = 4;
const LIGHT_ABOVE = "█▀";
const LIGHT_BELOW = "█▄";

/** What a camera reads from the lines of blocks in it, on a terminal with a dark background. */
function seenByCamera(stdout: string): string {
  const lines = stdout.split("\n").filter((line) => /^[█▀▄ ]{25,}$/.test(line));
  const rows = lines.flatMap((line) =>
    [LIGHT_ABOVE, LIGHT_BELOW].map((light) => [...line].map((each) => (light.includes(each) ? 255 : 0))),
  );
  const scaled = rows.flatMap((row) => {
    const wide = row.flatMap((luma) => new Array<number>(MODULE_PIXELS).fill(luma));
    return new Array<number[]>(MODULE_PIXELS).fill(wide);
  });
  const pixels = scaled.flatMap((row) => row.flatMap((luma) => [luma, luma, luma, 255]));
  const size = { width: scaled[0]?.length ?? 0, height: scaled.length };
  return decodeQR({ ...size, data: Uint8Array.from(pixels) });
}
