/** A client without our rules: it changes a document of the relay as it pleases. */
import * as A from "@automerge/automerge";
import { Repo } from "@automerge/automerge-repo";
import { parseInvitation } from "../../../src/network/invitation.js";
import { RelayAdapter } from "../../../src/network/relay-adapter.js";
import { Inbox } from "../../network/support/inbox.js";

type AnyBranch = Record<string, Record<string, Record<string, unknown>>>;

export interface Stranger extends AsyncDisposable {
  /** Of the change it made. */
  readonly hash: string;
  /** Resolves when the relay has acknowledged the change. */
  readonly acknowledged: Promise<unknown>;
}

export async function strangerWrites(
  invitation: string,
  document: string,
  change: (doc: AnyBranch) => void,
): Promise<Stranger> {
  const { relay, token } = parseInvitation(invitation);
  const repo = new Repo({ peerId: "stranger" as never });
  const receipts = new Inbox<readonly string[]>();
  const adapter = new RelayAdapter({
    url: relay,
    token,
    gate: () => undefined,
    onWelcome: () => {},
    onHeads: () => {},
    onReceipt: ({ heads }) => receipts.put(heads),
  });
  const online = Promise.withResolvers<void>();
  adapter.once("peer-candidate", () => online.resolve());
  repo.networkSubsystem.addNetworkAdapter(adapter);
  await online.promise;
  const handle = await repo.find<AnyBranch>(document as never);
  await handle.whenReady();
  handle.change(change);
  const [hash = ""] = A.getHeads(handle.doc());
  return {
    hash,
    acknowledged: receipts.until((heads) => heads.includes(hash)),
    [Symbol.asyncDispose]: () => adapter.close(),
  };
}
