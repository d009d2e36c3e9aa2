import { useCallback } from "react";
import { useAddress } from "../address/use-address.ts";
import { type Answer, ApiError, call, type Input, type OperationName } from "../api/client.ts";
import { useRefresh } from "../api/use-call.ts";
import type { Key } from "../i18n/catalogue.ts";
import { refusalText } from "../i18n/refusals.ts";
import { useReader, type Values } from "../i18n/text.ts";
import { useToasts } from "./toasts.tsx";

interface Outcome<Name extends OperationName> {
  readonly done: Key;
  readonly values?: (answer: Answer<Name>) => Values;
  /** The change that Undo takes back. Default: the newest of this branch. */
  readonly change?: (answer: Answer<Name>) => string | undefined;
  /** Before the page reads again: where what it shows is gone with the write. */
  readonly leave?: () => void;
  /** Where nothing of a branch was changed. */
  readonly undo?: ((answer: Answer<Name>) => Promise<unknown>) | "none";
  /** Where it depends on the answer whether there is an Undo. */
  readonly undoFor?: (answer: Answer<Name>) => (() => Promise<unknown>) | undefined;
}

type Write = <Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  outcome: Outcome<Name>,
) => Promise<Answer<Name> | undefined>;

/** Writes, reads again, and says what was done, with Undo. What is refused is outcome in the same place. */
export function useWrite(): Write {
  const { space, branch } = useAddress();
  const refresh = useRefresh();
  const toasts = useToasts();
  const { t, language } = useReader();
  return useCallback(
    async (name, input, outcome) => {
      try {
        const answer = await call(name, input);
        const undo = await undoOf({ space, branch }, answer, outcome);
        outcome.leave?.();
        await refresh();
        toasts.show({
          text: t(outcome.done, outcome.values?.(answer)),
          undo: undo && (() => undone(undo)),
        });
        return answer;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        await refresh();
        toasts.show({ text: refusalText(error, language) });
        return undefined;
      }
      async function undone(undo: () => Promise<unknown>): Promise<void> {
        try {
          const n = textsGoneIn(await undo());
          toasts.show({ text: n === 0 ? t("done.undone") : t("done.undonePartly", { n }) });
        } catch (error) {
          toasts.show({ text: error instanceof Error ? error.message : String(error) });
        }
        await refresh();
      }
    },
    [space, branch, refresh, toasts, t, language],
  );
}

/** How many memories stay as they are: their text of before was let go. */
const textsGoneIn = (undone: unknown): number =>
  (undone as { readonly textsGone?: readonly string[] } | undefined)?.textsGone?.length ?? 0;

async function undoOf<Name extends OperationName>(
  place: { readonly space: string; readonly branch: string },
  answer: Answer<Name>,
  { change, undo, undoFor }: Outcome<Name>,
): Promise<(() => Promise<unknown>) | undefined> {
  if (undo === "none") return undefined;
  if (undoFor !== undefined) return undoFor(answer);
  if (undo !== undefined) return () => undo(answer);
  const of = change === undefined ? await newestChange(place) : change(answer);
  if (of === undefined) return undefined;
  return () => call("undo", { ...place, change: of });
}

async function newestChange(place: { readonly space: string; readonly branch: string }) {
  const { changes } = await call("log", { ...place, limit: 1 });
  return changes[0]?.hash;
}
