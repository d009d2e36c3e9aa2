/** A branch that a device knows of and does not have, asked for through the command line, MCP and the daemon. */
import type { Replica } from "@cambium/client";
import { expect, test } from "vitest";
import { expectRefused, owner, parted, reads, writes } from "../../../client/test/space/support/parted.js";
import { World } from "../../../client/test/support/world.js";
import { main as runVerb } from "../../src/cli/program.js";
import { connectReplica } from "../../src/daemon-client/connect-replica.js";
import { capturedIo } from "../cli/fixtures.js";
import { startDaemon } from "../daemon/support/daemon.js";
import { connect, failed } from "../mcp/support/connected.js";

test("[BR60] a branch that is not here is refused at every door: command line, daemon and MCP", async () => {
  await using world = await World.withRelay(323);
  const { b, id } = await parted(world);
  await b.replica.close();
  const { dir, stateDir } = b.home;
  const open = (): Promise<Replica> => world.open(b.home, { connect: false });

  const library = { openReplica: open };
  const verb = async (...line: readonly string[]) => {
    const io = capturedIo({ env: { CAMBIUM_HOME: dir, CAMBIUM_STATE: stateDir }, cwd: world.root });
    const code = await runVerb([...line, "--json"], io, library);
    return { code, error: (JSON.parse(io.stderr() || "{}") as { error?: { code: string } }).error?.code };
  };
  const refused = { code: 3, error: "HEADS_NOT_HERE" };
  expect(await verb("list", "--branch", "w")).toEqual(refused);
  expect(await verb("remember", "x", "--branch", "w")).toEqual(refused);
  expect(await verb("merge", "w")).toEqual(refused);
  expect(await verb("diff", "main", "w")).toEqual(refused);
  expect(await verb("rollback", "w", "--yes")).toEqual(refused);

  const forMcp = await open();
  {
    await using connected = await connect(forMcp);
    for (const [tool, args] of [
      ["recall", { query: "main", branch: "w" }],
      ["remember", { content: "x", branch: "w" }],
      ["brief", { branch: "w" }],
    ] as const)
      expect(await failed(connected.client, tool, args)).toContain("HEADS_NOT_HERE");
  }
  await forMcp.close();

  await using daemon = await startDaemon({ home: dir, openHome: open });
  await using remote = await connectReplica({ dir: daemon.home, start: false, env: {} });
  const space = await remote.openSpace();
  await expectRefused(reads(space, id));
  await expectRefused(writes(owner({ space }), id));
  expect((await space.status()).branchesNotHere).toHaveLength(1);
  expect((await space.branches.list()).map(({ isHere }) => isHere)).toEqual([true, false]);
});
