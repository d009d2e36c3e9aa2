import { expect, test } from "vitest";
import { connectReplica } from "../../src/daemon-client/connect-replica.js";

test("[RP34] wrong options for a connection are refused with a code", async () => {
  for (const options of [null, 7, { dir: 7 }, { start: "yes" }])
    await expect(connectReplica(options as never)).rejects.toMatchObject({ code: "BAD_INPUT" });
});
