import { type ReactNode, useEffect, useState } from "react";
import { type ApiError, NO_SESSION, UNREACHED } from "../api/client.ts";
import { refusalText } from "../i18n/refusals.ts";
import { useReader, useText } from "../i18n/text.ts";

const GREY_AFTER_MS = 150;
const WORDS_AFTER_MS = 2_000;
const LINES = [90, 62, 78, 45, 84];

/** Nothing at first, then grey lines, then words. */
export function Loading() {
  const t = useText();
  const [stage, setStage] = useState(0);
  useEffect(() => {
    const grey = setTimeout(() => setStage(1), GREY_AFTER_MS);
    const words = setTimeout(() => setStage(2), WORDS_AFTER_MS);
    return () => {
      clearTimeout(grey);
      clearTimeout(words);
    };
  }, []);
  if (stage === 0) return null;
  return (
    <div className="loading" aria-busy="true">
      {LINES.map((width) => (
        <div key={width} className="sk" style={{ width: `${width}%` }} />
      ))}
      {stage === 2 && (
        <p className="m" role="status">
          {t("common.loading")}
        </p>
      )}
    </div>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly children?: ReactNode;
}

export const Empty = ({ title, children }: EmptyProps) => (
  <div className="empty">
    <h2>{title}</h2>
    {children}
  </div>
);

interface FailedProps {
  readonly error: ApiError;
  readonly onRetry?: () => void;
  /** What else can be said of it. */
  readonly children?: ReactNode;
}

/** What went wrong, in the daemon's own words where the reader's language has none, with its advice. */
export function Failed({ error, onRetry, children }: FailedProps) {
  const { t, language } = useReader();
  const [title, hint] = wordsOf(error);
  return (
    <div className="card failed" role="alert">
      <h2>{title === undefined ? t("error.title") : t(title)}</h2>
      {title === undefined && <p>{refusalText(error, language)}</p>}
      {hint !== undefined && <p className="m">{t(hint)}</p>}
      {children}
      {onRetry !== undefined && (
        <button type="button" className="btn s" onClick={onRetry}>
          {t("common.retry")}
        </button>
      )}
    </div>
  );
}

/** @returns what happened, and what to do, where the page has words of its own for it */
export function wordsOf({ code }: ApiError) {
  if (code === UNREACHED) return ["error.unreached", "error.unreachedHint"] as const;
  if (code === NO_SESSION) return ["error.session", "error.sessionHint"] as const;
  if (code === "SCHEMA_TOO_NEW") return ["error.tooNew", "error.tooNewHint"] as const;
  return [undefined, undefined] as const;
}
