/** A client without our rules: it changes a document of the relay as it pleases. */
import { createHash, randomBytes } from "node:crypto";
import * as A from "@automerge/automerge";
import { type DocumentId, documentIdToHex, plainChange } from "@cambium/core";
import { decodeEntryItems, encodeItems, pack, type ReceiptFrame, unpack } from "@cambium/core/wire";
import { chunkTools } from "../../src/platform/node-platform.js";
import { parseInvitation } from "../../src/sync/invitation.js";
import { tradeInvitation } from "../../src/sync/relay-invitations.js";
import { RelayLine } from "../../src/sync/relay-line.js";
import { Inbox } from "../sync/support/inbox.js";

type AnyBranch = Record<string, Record<string, Record<string, unknown>>>;

export interface Stranger extends AsyncDisposable {
  /** The heads of the document it wrote, sorted. */
  readonly hash: string;
  /** Resolves when the relay has acknowledged the change. */
  readonly acknowledged: Promise<unknown>;
}

/** A token of the space, for which an invitation is traded by nobody of ours. */
export async function tradedToken(invitation: string): Promise<string> {
  const { relay: url, token } = parseInvitation(invitation);
  const own = randomBytes(32).toString("base64url");
  const hash = createHash("sha256").update(own).digest("hex");
  await tradeInvitation({ url, token }, { hash, device: "AAAA" });
  return own;
}

/** Makes a change of its own, which no member has signed. */
export async function strangerWrites(
  invitation: string,
  documentId: string,
  change: (doc: AnyBranch) => void,
): Promise<Stranger> {
  const { relay } = parseInvitation(invitation);
  const token = await tradedToken(invitation);
  const document = documentIdToHex(documentId as DocumentId);
  const receipts = new Inbox<ReceiptFrame>();
  const fetched = Promise.withResolvers<readonly Uint8Array[]>();
  const line = new RelayLine({
    ...{ url: relay, token },
    onWelcome: () => {
      line.send({ type: "subscribe", marks: [], credit: 2 ** 30 });
      line.send({ type: "fetch", ask: 1, document, have: [] });
    },
    onFrame: (frame) => {
      if (frame.type === "receipt") receipts.put(frame);
      if (frame.type !== "fetched") return;
      const items = decodeEntryItems(unpack(frame.items, chunkTools.inflate));
      fetched.resolve(items.flatMap((item) => (item.kind === "change" ? [item.chunk] : [])));
    },
  });
  line.open();
  const [before] = A.applyChanges(A.init<AnyBranch>(), [...(await fetched.promise)]);
  const after = A.change(before, change);
  const chunk = plainChange(A.getLastLocalChange(after) as Uint8Array, chunkTools);
  line.send({
    type: "batch",
    n: 1,
    resume: 0,
    items: pack(encodeItems([{ kind: "change", document, chunk }])),
  });
  return {
    hash: A.getHeads(after).toSorted().join(),
    acknowledged: receipts.until(({ n }) => n === 1),
    [Symbol.asyncDispose]: () => line.close(),
  };
}
