import { useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import { call } from "../../api/client.ts";
import type { Schemas } from "../../api/interface.ts";
import { useCall } from "../../api/use-call.ts";
import { when } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { By } from "../../ui/author.tsx";
import { Failed, Loading } from "../../ui/states.tsx";
import { useWrite } from "../../ui/use-write.ts";
import { languageOf } from "../../ui/words.tsx";
import { Inbox } from "./inbox.tsx";
import { NothingWaits } from "./nothing-waits.tsx";
import { OpenedProposal } from "./opened-proposal.tsx";

type Proposal = Schemas["Proposal"];

/** More than anybody reads at once; the rest comes when these are decided. */
const MOST_SHOWN = 200;

/** What agents wrote and nobody sees yet. */
export function Proposals() {
  const { t } = useReader();
  const { space, branch } = useAddress();
  const { data, error, isPending } = useCall("proposals", { space, branch, limit: MOST_SHOWN });
  const decide = useDecide(data?.proposals ?? [], data?.branch ?? branch);
  const [edited, setEdited] = useState<string>();
  if (error !== null) return <Failed error={error} />;
  if (isPending) return <Loading />;
  const { proposals, waiting } = data;
  if (proposals.length === 0) return <NothingWaits />;
  return (
    <>
      <Inbox
        items={proposals.map((proposal) => ({ id: proposal.id, row: <Row proposal={proposal} /> }))}
        acceptText={(n) => t("review.acceptN", { n })}
        rejectText={t("review.reject")}
        onAccept={decide.accept}
        onReject={decide.reject}
        onEdit={setEdited}
      >
        {(id) => {
          const proposal = proposals.find((each) => each.id === id);
          return proposal === undefined ? null : (
            <OpenedProposal
              key={id}
              proposal={proposal}
              isEdited={edited === id}
              onEdit={(isOpen) => setEdited(isOpen ? id : undefined)}
              onAccept={(content) => decide.accept([id], content)}
              onReject={() => decide.reject([id])}
            />
          );
        }}
      </Inbox>
      {waiting > proposals.length && (
        <p className="f note">{t("event.more", { n: waiting - proposals.length })}</p>
      )}
    </>
  );
}

/** What was shown is what is decided: it is refused if it was written again meanwhile. */
function useDecide(proposals: readonly Proposal[], stage: string) {
  const { space, branch } = useAddress();
  const write = useWrite();
  const shown = new Map(proposals.map(({ id, after }) => [id, after.record]));
  const expectOf = (ids: readonly string[]) =>
    Object.fromEntries(
      ids.flatMap((id) => ((record) => (record === undefined ? [] : [[id, record]]))(shown.get(id))),
    );
  return {
    accept: async (ids: readonly string[], content?: string) => {
      const edit = content === undefined ? {} : { edit: { content } };
      await write(
        "acceptProposals",
        { space, branch, ids, expect: expectOf(ids), ...edit },
        {
          done: "review.doneAccept",
          values: (made) => ({ n: made.ids.length }),
          undo: async ({ changes }) => {
            for (const change of changes.toReversed()) await call("undo", { space, branch, change });
          },
        },
      );
    },
    reject: async (ids: readonly string[]) => {
      await write(
        "rejectProposals",
        { space, branch, ids },
        {
          done: "review.doneReject",
          values: (made) => ({ n: made.ids.length }),
          undo: () => proposeAgain(proposals.filter(({ id }) => ids.includes(id))),
        },
      );
    },
  };
  /** On the branch of proposals, as it was proposed. */
  async function proposeAgain(rejected: readonly Proposal[]): Promise<void> {
    for (const { id, kind, after } of rejected) {
      const there = { space, branch: stage, id };
      if (kind === "hidden") await call("forget", there);
      else await call("restore", { ...there, version: after.record });
    }
  }
}

const WANTS = { added: "review.adds", changed: "review.changes", hidden: "review.removes" } as const;

function Row({ proposal: { kind, by, at, after } }: { readonly proposal: Proposal }) {
  const reader = useReader();
  return (
    <>
      <span className="txt clamp" dir="auto" lang={languageOf(after.content)}>
        {after.content}
      </span>
      <span className="f block">
        <By by={by} /> {reader.t(WANTS[kind])}, {when(reader, at)}
      </span>
    </>
  );
}
