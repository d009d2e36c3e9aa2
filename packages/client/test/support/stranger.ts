/** A client without our rules: it changes a document of the relay as it pleases. */
import * as A from "@automerge/automerge";
import { Repo } from "@automerge/automerge-repo";
import { parseInvitation } from "../../src/sync/invitation.js";
import { RelayAdapter } from "../../src/sync/relay-adapter.js";
import { Inbox } from "../sync/support/inbox.js";

type AnyBranch = Record<string, Record<string, Record<string, unknown>>>;

export interface Stranger extends AsyncDisposable {
  /** The heads of the document it wrote, sorted. */
  readonly hash: string;
  /** Resolves when the relay has acknowledged the change. */
  readonly acknowledged: Promise<unknown>;
}

/** Makes a change of its own, which no member has signed. */
export const strangerWrites = (
  invitation: string,
  document: string,
  change: (doc: AnyBranch) => void,
): Promise<Stranger> =>
  asStranger(invitation, document, async (repo) => {
    const handle = await repo.find<AnyBranch>(document as never);
    handle.change(change);
    return handle.doc();
  });

async function asStranger(
  invitation: string,
  document: string,
  act: (repo: Repo) => Promise<A.Doc<AnyBranch>>,
): Promise<Stranger> {
  const { relay, token } = parseInvitation(invitation);
  const repo = new Repo({ peerId: "stranger" as never });
  const receipts = new Inbox<readonly string[]>();
  const adapter = new RelayAdapter({
    url: relay,
    token,
    sendCheck: () => undefined,
    onWelcome: () => {},
    onHeads: () => {},
    onReceipt: ({ documentId, heads }) => {
      if (documentId === document) receipts.put(heads);
    },
  });
  const online = Promise.withResolvers<void>();
  adapter.once("peer-candidate", () => online.resolve());
  repo.networkSubsystem.addNetworkAdapter(adapter);
  await online.promise;
  const hash = A.getHeads(await act(repo))
    .toSorted()
    .join();
  return {
    hash,
    acknowledged: receipts.until((heads) => heads.toSorted().join() === hash),
    [Symbol.asyncDispose]: () => adapter.close(),
  };
}
