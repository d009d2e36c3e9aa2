import { describe, expect, test } from "vitest";
import { Outbox, type OutgoingMessage, type SendCheck } from "../../src/sync/outbox.js";

interface Harness {
  readonly outbox: Outbox<OutgoingMessage>;
  readonly sent: string[];
  readonly held: string[];
  push(documentId: string, byte: number): void;
}

function harness(sendCheck: SendCheck): Harness {
  const sent: string[] = [];
  const held: string[] = [];
  const outbox = new Outbox<OutgoingMessage>({
    sendCheck,
    transmit: ({ documentId, data }) => sent.push(`${documentId}${data?.[0] ?? ""}`),
    onHeld: (documentId) => held.push(documentId),
  });
  const push = (documentId: string, byte: number) =>
    outbox.push({ type: "sync", documentId, data: Uint8Array.of(byte) });
  return { outbox, sent, held, push };
}

/** Lets every promise that can resolve do so. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Gates by document and byte, opened by hand; others are open. */
function manualGates(names: readonly string[]) {
  const gates = new Map(names.map((name) => [name, Promise.withResolvers<void>()]));
  const sendCheck: SendCheck = (documentId, { data }) => gates.get(`${documentId}${data[0]}`)?.promise;
  return {
    sendCheck,
    open: (name: string) => gates.get(name)?.resolve(),
    fail: (name: string) => gates.get(name)?.reject(new Error(name)),
  };
}

describe("what waits to be sent", () => {
  test("[NW6] a message without a gate leaves at once", () => {
    const { push, sent } = harness(() => undefined);
    push("a", 1);
    push("a", 2);
    expect(sent).toEqual(["a1", "a2"]);
  });

  test("[NW6] order within a document is kept, whichever gate opens first; other documents do not wait", async () => {
    const gates = manualGates(["a1", "a2"]);
    const { push, sent } = harness(gates.sendCheck);
    push("a", 1);
    push("a", 2);
    push("a", 3);
    push("b", 1);
    expect(sent).toEqual(["b1"]);
    gates.open("a2");
    await settled();
    expect(sent).toEqual(["b1"]);
    gates.open("a1");
    await settled();
    expect(sent).toEqual(["b1", "a1", "a2", "a3"]);
    push("a", 4);
    expect(sent).toEqual(["b1", "a1", "a2", "a3", "a4"]);
  });

  test("[NW6] a gate that fails, or throws, holds back its document and no other", async () => {
    const gates = manualGates(["a1", "a2"]);
    const { push, sent, held } = harness((documentId, message) => {
      if (documentId === "c") throw new Error("thrown");
      return gates.sendCheck(documentId, message);
    });
    push("a", 1);
    push("a", 2);
    push("c", 1);
    gates.fail("a2");
    await settled();
    gates.open("a1");
    await settled();
    push("a", 3);
    push("b", 1);
    await settled();
    expect(sent).toEqual(["a1", "b1"]);
    expect(held.sort()).toEqual(["a", "c"]);
  });

  test("[NW7] what waits is forgotten when the session ends", async () => {
    const gates = manualGates(["a1"]);
    const { outbox, push, sent } = harness(gates.sendCheck);
    push("a", 1);
    push("a", 2);
    outbox.drop();
    gates.open("a1");
    push("b", 1);
    await settled();
    expect(sent).toEqual([]);
  });
});
