import { describe, expect, test } from "vitest";
import { takeSettings } from "../../src/daemon/inherited-settings.js";
import { daemonPlace } from "../../src/daemon-client/daemon-place.js";
import { startDaemon, startWithSpace } from "./support/daemon.js";
import { withSpace } from "./support/fake-replica.js";

describe("[DM3] handing over", () => {
  test.each([
    ["1.2.4", true],
    ["1.10.0", true],
    ["2.0.0-alpha.1", true],
    ["1.2.3", false],
    ["1.2.3-rc.1", false],
    ["1.2.2", false],
    ["0.9.9", false],
    ["newest", false],
  ])("to a caller of version %s: %s", async (theirs, isHandedOver) => {
    await using running = await startWithSpace();
    const sent = { body: { content: "x" }, headers: { "cambium-client": theirs } };
    const answer = await running.call("/v1/spaces/~/memories", sent);
    expect([answer.status, answer.json.error?.code]).toEqual(
      isHandedOver ? [409, "DAEMON_OLDER"] : [200, undefined],
    );
    expect(answer.headers["cambium-daemon"]).toBe("1.2.3");
    if (isHandedOver) await running.daemon.ended;
    else expect((await running.call("/v1/spaces/~/memories")).json.memories).toHaveLength(1);
  });

  test.each([
    ["1.2.3+20260801T120001", true],
    ["1.2.3+20260801T120000", false],
    ["1.2.3+20260801T115959", false],
    ["1.2.3+zzz", false],
    ["1.2.3", false],
    ["1.2.2+20270101T000000", false],
  ])("to a caller of %s, when it was built itself on 1 August at 12:00: %s", async (theirs, isHandedOver) => {
    await using running = await startDaemon({ version: "1.2.3+20260801T120000", port: 0 });
    const answer = await running.call("/v1/daemon", { headers: { "cambium-client": theirs } });
    expect(answer.status).toBe(isHandedOver ? 409 : 200);
    if (!isHandedOver) return;
    await running.daemon.ended;
    // The next one is started like this one, which was to stay.
    const { next } = daemonPlace(running.home);
    expect([takeSettings(next), takeSettings(next)]).toEqual([
      { stay: true, port: 0 },
      { stay: false, port: 0 },
    ]);
  });

  test.each([
    ["1.2.4", "DAEMON_STOPPING"],
    ["1.2.3", "INTERNAL"],
  ])(
    "a call that finds a part of the program gone, where %s is installed by now: %s",
    async (onDisk, code) => {
      const gone = Object.assign(new Error("Cannot find module"), { code: "ERR_MODULE_NOT_FOUND" });
      const list = async () => Promise.reject(gone);
      await using running = await startDaemon({
        versionOnDisk: () => onDisk,
        ...withSpace({ list }),
      });
      expect((await running.call("/v1/spaces/notes/memories")).json.error.code).toBe(code);
      if (code === "DAEMON_STOPPING") await running.daemon.ended;
    },
  );

  test("to a caller that names other models, never to one that names none", async () => {
    await using running = await startDaemon({ models: "abc" });
    const as = (models?: string) =>
      running.call("/v1/daemon", models === undefined ? {} : { headers: { "cambium-models": models } });
    expect([(await as()).status, (await as("abc")).status, (await as("")).status]).toEqual([200, 200, 200]);
    expect((await as("abd")).json.error.code).toBe("DAEMON_OLDER");
    await running.daemon.ended;
  });

  test("who may not call ends no daemon", async () => {
    await using running = await startDaemon();
    const sent = { port: running.port, headers: { "cambium-client": "9.0.0" } };
    expect((await running.call("/v1/daemon", sent)).status).toBe(401);
    expect((await running.call("/v1/daemon")).status).toBe(200);
  });
});
