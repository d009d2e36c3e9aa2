import { useState } from "react";
import { Link } from "wouter";
import { useAddress } from "../../address/use-address.ts";
import { useCall } from "../../api/use-call.ts";
import { useReader } from "../../i18n/text.ts";
import { Icon } from "../../ui/icon.tsx";
import { InRow } from "../../ui/in-row.tsx";
import { Select } from "../../ui/select.tsx";
import { Empty, Failed, Loading } from "../../ui/states.tsx";
import { Head } from "../../ui/title.tsx";
import { isOfProposals } from "../branches/lanes.ts";
import type { Change } from "../changes/changes.ts";
import { Group } from "./group.tsx";
import { MergeConflict } from "./merge-conflict.tsx";
import { Outcome } from "./outcome.tsx";
import {
  answered,
  heldIn,
  type MergePreview,
  movedBetween,
  NOTHING_LEFT,
  plainOf,
  toggled,
} from "./selection.ts";

const MAIN = "main";

/** What a branch would bring, as cards; nothing is written before the button. */
export function MergeView() {
  const { t } = useReader();
  const { space, to, params } = useAddress();
  const from = params.get("from") ?? MAIN;
  const into = params.get("into") ?? MAIN;
  const preview = useCall("merge", { space, from, into, preview: true });
  return (
    <>
      <p className="back">
        <Link href={to("/branches")} className="row m">
          <Icon name="left" />
          {t("nav.branches")}
        </Link>
      </p>
      <Head title={t("merge.title", { from, into })} lead={t("merge.lead")}>
        <Into from={from} into={into} />
      </Head>
      {preview.error !== null && <Failed error={preview.error} onRetry={() => void preview.refetch()} />}
      {(preview.isPending || preview.isPlaceholderData) && <Loading />}
      {preview.data !== undefined && preview.error === null && !preview.isPlaceholderData && (
        <Cards key={`${from} ${into}`} preview={preview.data} />
      )}
    </>
  );
}

/** Another branch than main, where there is one. */
function Into({ from, into }: { readonly from: string; readonly into: string }) {
  const { t } = useReader();
  const { space, set } = useAddress();
  const branches = useCall("branchesList", { space }).data?.branches ?? [];
  const names = branches
    .filter((branch) => branch.name !== from && !isOfProposals(branch))
    .map(({ name }) => name);
  if (names.length < 2 && into === MAIN) return null;
  return (
    <InRow label={t("merge.into")}>
      {(id) => (
        <Select
          id={id}
          value={into}
          choices={(names.includes(into) ? names : [into, ...names]).map((name) => [name, name] as const)}
          onChoose={(name) => set({ into: name === MAIN ? null : name })}
        />
      )}
    </InRow>
  );
}

/** What is ticked and answered, also while others write on the branches. */
function useSelection(preview: MergePreview) {
  const [selection, setSelection] = useState(NOTHING_LEFT);
  const [seen, setSeen] = useState(preview);
  const [moved, setMoved] = useState<readonly string[]>([]);
  if (seen !== preview) {
    setSelection(heldIn(selection, seen, preview));
    setMoved([...new Set([...moved, ...movedBetween(seen, preview)])]);
    setSeen(preview);
  }
  return { selection, setSelection, moved, look: () => setMoved([]) };
}

interface MovedProps {
  readonly branches: readonly string[];
  readonly onLook: () => void;
}

function Moved({ branches, onLook }: MovedProps) {
  const { t } = useReader();
  return (
    <div role="status">
      {branches.length > 0 && (
        <div className="arrive">
          <span className="dot" />
          <span className="grow">{t("merge.moved", { branches: branches.join(", ") })}</span>
          <button type="button" className="btn q s" onClick={onLook}>
            {t("common.close")}
          </button>
        </div>
      )}
    </div>
  );
}

function Cards({ preview }: { readonly preview: MergePreview }) {
  const { t } = useReader();
  const { selection, setSelection, moved, look } = useSelection(preview);
  const { created, changed, deleted } = plainOf(preview);
  const { conflicts, from, to } = preview;
  const total = created.length + changed.length + deleted.length + conflicts.length;
  if (total === 0) return <Empty title={t("merge.nothing", { from: from.branch, into: to.branch })} />;
  const groups: readonly (readonly [title: string, changes: readonly Change[]])[] = [
    [t("change.changed"), changed.map(({ before, after }) => ({ kind: "changed", memory: after, before }))],
    [t("change.added"), created.map((memory) => ({ kind: "added", memory }))],
    [t("change.hidden"), deleted.map((memory) => ({ kind: "gone", memory }))],
  ];
  return (
    <div className="two">
      <div>
        <Moved branches={moved} onLook={look} />
        {conflicts.length > 0 && (
          <>
            <div className="grp">
              <h2 className="k c">{t("merge.answer")}</h2>
              <span className="f">{conflicts.length}</span>
            </div>
            {conflicts.map((conflict) => (
              <MergeConflict
                key={conflict.id}
                conflict={conflict}
                branches={{ source: from.branch, target: to.branch }}
                answer={selection.answers.get(conflict.id)}
                onAnswer={(side) => setSelection(answered(selection, conflict.id, side))}
              />
            ))}
          </>
        )}
        {groups.map(([title, changes]) => (
          <Group
            key={title}
            title={title}
            changes={changes}
            left={selection.left}
            onToggle={(ids, isTaken) => setSelection(toggled(selection, ids, isTaken))}
          />
        ))}
      </div>
      <div className="sticky">
        <Outcome preview={preview} selection={selection} />
      </div>
    </div>
  );
}
