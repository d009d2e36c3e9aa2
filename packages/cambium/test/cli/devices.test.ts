/** Devices by name, on the command line and in what it shows. */
import type { Space } from "@cambium/client";
import { afterAll, expect, test } from "vitest";
import type { Library } from "../../src/cli/context.js";
import { main } from "../../src/cli/program.js";
import { withDeviceNames } from "../../src/operations/device-names.js";
import { capturedIo } from "./fixtures.js";
import { OwnHome } from "./own-home.js";

const home = new OwnHome();
afterAll(() => home[Symbol.dispose]());
const cambium = (...line: readonly string[]) => home.run(line);

test("[CL80] [CL81] the name is set, shown beside what was written here, and changes in what is old", async () => {
  await cambium("init", "notes", "--device", "laptop");
  const { text } = await cambium("remember", "Tea at four", "--agent", "bot", "--json");
  const { id, by } = JSON.parse(text);
  expect(by).toMatchObject({ agent: "bot", device: "laptop", replica: expect.any(String) });
  for (const verb of [["log"], ["history", id], ["blame", id], ["show", id], ["brief"]])
    expect((await cambium(...verb)).text).toContain(verb[0] === "brief" ? "Tea at four" : "laptop · bot");
  expect((await cambium("audit")).text).toContain("laptop · bot (agent)");
  expect((await cambium("device", "desk")).text).toMatch(/called desk now/);
  expect((await cambium("device")).text).toMatch(/called desk\./);
  expect((await cambium("log")).text).toContain("desk · bot");
  expect((await cambium("device", "a\u0007b")).code).toBe(2);
});

test("[CL85] [CL132] members and invitations say by name who invited whom, and whose access has ended", async () => {
  const [laptop, phone] = ["01a20627-0000-7000-8000-000000000001", "01a20627-0000-7000-8000-000000000002"];
  const by = { replica: laptop, agent: "bot" };
  const asks: object[] = [];
  const came = { role: "write", invitation: "3f9a", invitedBy: by, revokedAt: 0 } as const;
  let seen = {};
  const space = {
    members: {
      devices: async () => [
        { replica: laptop, name: "laptop", isThis: true },
        { replica: phone, name: "phone", isThis: false },
      ],
      list: async () => [
        { replica: laptop, name: "laptop", isThis: true, role: "admin" },
        { replica: phone, name: "phone", isThis: false, ...came },
        { name: "kiosk", isThis: false, role: "read", access: "a2", ...seen },
      ],
      invitations: async () => [
        { id: "77aa", role: "read", createdAt: 0, by, devices: ["phone"], usesLeft: 3, accessUntil: 120_000 },
      ],
      revoke: async (_of: string, options: object) => ({
        ...(asks.push(options) && {}),
        ...{ id: "a1", role: "read", devices: ["phone"], keeping: ["tablet"], invitation: "3f9a" },
        ...{ closed: ["77aa"], standing: ["88bb"] },
      }),
      changeRole: async (name: string, options: { readonly role: string; readonly preview?: true }) => ({
        ...{ id: "a1", name, before: "admin", invitation: "3f9a", standing: ["77aa"], ...options },
      }),
    },
    role: "write",
    as: () => space,
    [Symbol.asyncDispose]: async () => undefined,
  } as unknown as Space;
  const openSpace = async () => space;
  const replica = { openSpace, [Symbol.asyncDispose]: async () => undefined };
  const library = { openReplica: async () => withDeviceNames(replica as never) } as Library;
  const shown = async (...verb: string[]) => {
    const io = capturedIo({ env: home.env, now: () => 60_000 });
    expect(await main(verb, io, library)).toBe(0);
    return io.stdout();
  };
  const members = await shown("members");
  expect(members).toMatch(/laptop +this one +admin +none here\n/);
  expect(members).toMatch(/phone +write +none here +revoked 1 minute ago +laptop · bot +3f9a/);
  expect(members).toContain("Only a device whose role is admin lists");
  seen = { lastUsedAt: 0, isConnected: false };
  const asked = await shown("members");
  expect(asked).toMatch(/kiosk +read +none here +1 minute ago/);
  expect(asked).not.toContain("whose role is admin lists");
  expect(await shown("invites")).toMatch(
    /77aa +read +1 minute ago +laptop · bot +never +in 1 minute +1 +phone/,
  );
  // Nobody is asked here, so nothing ends; what would is told.
  const io = capturedIo({ env: home.env });
  expect(await main(["invites", "revoke", "phone"], io, library)).toBe(2);
  expect(io.stderr()).toMatch(
    /This ends the access of phone\. It ends the invitation 3f9a, .* keep.*tablet.*--yes/,
  );
  expect(await shown("invites", "revoke", "phone", "--preview")).toMatch(
    /of phone\.\n.*3f9a.*\n(?:.*\n)*Nothing was revoked/,
  );
  expect(asks.splice(0)).toEqual([{ preview: true }, { preview: true }]);
  const revoked = await shown("invites", "revoke", "phone", "--yes");
  expect(asks).toEqual([{}]);
  expect(revoked).toMatch(/access of phone has ended\.\nThe invitation 3f9a is revoked/);
  expect(revoked).toMatch(/keep their access: tablet\..*\n {2}cambium invites revoke 3f9a --devices\n/);
  expect(revoked).toContain("have ended, too: 77aa.");
  expect(revoked).toContain("cambium invites revoke 88bb");

  const changing = ["members", "phone", "--role", "read"] as const;
  expect(await shown(...changing, "--preview")).toMatch(
    /^phone could then read\.\n.*3f9a, would end: .*\n.*77aa.*\nNothing was changed\.\n$/,
  );
  expect(await shown(...changing)).toMatch(/^phone may now read\.\n.*3f9a, has ended: .*\n.*revoke 77aa\n$/);
  expect(await main(["members", "phone"], io, library)).toBe(2);
  expect(await main(["members", "--role", "read"], io, library)).toBe(2);
});
