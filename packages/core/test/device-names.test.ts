import { describe, expect, test } from "vitest";
import { decodeHeader, encodeHeader } from "../src/format/header-codec.js";
import type { RecordHeader } from "../src/format/record.js";
import { deviceNameOf, type ReplicaId, shownDeviceNames } from "../src/index.js";
import { authorText, callerText } from "../src/text.js";

const id = (end: string): ReplicaId => `0198c2a4-0000-7000-8000-${end.padStart(12, "0")}` as ReplicaId;
const shown = (...names: readonly (readonly [string, string])[]) =>
  Object.fromEntries(shownDeviceNames(new Map(names.map(([end, name]) => [id(end), name]))));

describe("names of devices", () => {
  test("[DV3] alone they stand as given; alike they get digits, more of them where those are alike too", () => {
    expect(shown(["97bb", "laptop"], ["0001", "desk"])).toEqual({
      [id("97bb")]: "laptop",
      [id("1")]: "desk",
    });
    expect(shown(["97bb", "laptop"], ["1111", "Laptop"], ["2", "desk"])).toEqual({
      ...{ [id("97bb")]: "laptop (97bb)", [id("1111")]: "Laptop (1111)", [id("2")]: "desk" },
    });
    expect(shown(["197bb", "a"], ["297bb", "a"])).toEqual({
      ...{ [id("197bb")]: "a (000197bb)", [id("297bb")]: "a (000297bb)" },
    });
    // Who calls a device what another is shown as.
    const names = Object.values(shown(["97bb", "a"], ["1111", "a"], ["2222", "a (97bb)"]));
    expect(new Set(names).size).toBe(3);
  });

  test("[DV1] of a machine: its first label, cleaned; none where nobody named it", () => {
    expect(["Leos-MacBook.local", "büro 2", "desk"].map(deviceNameOf)).toEqual([
      "Leos-MacBook",
      "büro-2",
      "desk",
    ]);
    expect(deviceNameOf("x".repeat(90))).toHaveLength(40);
    for (const host of [
      "",
      "localhost",
      "localhost.localdomain",
      "ip-10-0-0-1",
      "3f2a51de97bb",
      "10.0.0.1",
      "(none)",
    ])
      expect(deviceNameOf(host)).toBeUndefined();
  });

  test("[DV4] are no part of a record, whatever its writer claims", () => {
    const header = {
      ...{ space: id("1"), memory: id("2"), parents: [], at: 1, type: "create", decides: [], deleted: false },
      ...{
        content: { hash: "0".repeat(64), pack: "0".repeat(32) },
        meta: { hash: "1".repeat(64), pack: "0".repeat(32) },
      },
      author: { agent: "bot", replica: id("97bb"), device: "the boss" },
    } as unknown as RecordHeader;
    expect(decodeHeader(encodeHeader(header)).author).toEqual({ agent: "bot", replica: id("97bb") });
  });

  test("[CL80] stand before the agent; without one, digits of the replica do", () => {
    const bare = (text: string) => text;
    expect(authorText({ agent: "bot", replica: id("97bb"), device: "laptop" }, bare)).toBe("laptop · bot");
    expect(authorText({ agent: "bot", replica: id("97bb") }, bare)).toBe("device 97bb · bot");
    expect(authorText({ replica: id("97bb"), device: "laptop" }, bare)).toBe("laptop");
    expect(authorText({}, bare)).toBe("someone");
    expect(callerText({ role: "owner", device: "laptop" }, bare)).toBe("laptop (owner)");
  });
});
