import { useText } from "../../i18n/text.ts";
import { Diff, Words } from "../../ui/words.tsx";
import type { MergeAnswer, OwnWords } from "./selection.ts";

interface MergeResultProps {
  readonly answer: MergeAnswer | undefined;
  readonly onAnswer: (answer: MergeAnswer | undefined) => void;
  readonly source: string;
  readonly texts: Readonly<Record<"source" | "target", string | undefined>>;
  /** What both began with. */
  readonly base: string | undefined;
  /** Whether the words are what differs. */
  readonly isOfWords: boolean;
}

/** What the memory will read, while it is decided; and the answers that are neither of the two. */
export function MergeResult({ answer, onAnswer, source, texts, base, isOfWords }: MergeResultProps) {
  const t = useText();
  const isBoth = answer === "both";
  const own = typeof answer === "object" ? answer : undefined;
  const begin = () => {
    const rest = answer === "target" ? "target" : "source";
    onAnswer({ content: texts[rest] ?? "", rest });
  };
  return (
    <div className="res">
      <div className="grow" aria-live="polite">
        {answer === undefined && <p className="m">{t("merge.unanswered", { branch: source })}</p>}
        {answer !== undefined && <p className="f">{t(isBoth ? "merge.willBoth" : "conflict.will")}</p>}
        {(answer === "source" || isBoth) && <Words text={texts.source ?? ""} />}
        {(answer === "target" || isBoth) && <Words text={texts.target ?? ""} />}
        {own !== undefined && <Written own={own} base={base} onWrite={onAnswer} />}
      </div>
      <button
        type="button"
        className={isBoth ? "btn s p" : "btn s"}
        aria-pressed={isBoth}
        onClick={() => onAnswer(isBoth ? undefined : "both")}
      >
        {t("conflict.both")}
      </button>
      {isOfWords && (
        <button
          type="button"
          className={own === undefined ? "btn s" : "btn s p"}
          aria-pressed={own !== undefined}
          onClick={() => (own === undefined ? begin() : onAnswer(undefined))}
        >
          {t("conflict.edit")}
        </button>
      )}
    </div>
  );
}

interface WrittenProps {
  readonly own: OwnWords;
  readonly base: string | undefined;
  readonly onWrite: (own: OwnWords) => void;
}

/** The result follows every letter. */
function Written({ own, base, onWrite }: WrittenProps) {
  const t = useText();
  return (
    <>
      {base === undefined ? <Words text={own.content} /> : <Diff before={base} after={own.content} />}
      <textarea
        className="field area"
        rows={3}
        dir="auto"
        aria-label={t("merge.own")}
        // biome-ignore lint/a11y/noAutofocus: it comes at a press of its button
        autoFocus
        value={own.content}
        onChange={({ target }) => onWrite({ ...own, content: target.value })}
      />
    </>
  );
}
