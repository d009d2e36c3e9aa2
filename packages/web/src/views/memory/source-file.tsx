import { useEffect, useRef, useState } from "react";
import { useShown } from "../../address/use-address.ts";
import type { Answer } from "../../api/client.ts";
import { useCall } from "../../api/use-call.ts";
import { fullDate } from "../../i18n/dates.ts";
import { size } from "../../i18n/sizes.ts";
import { type Reader, useReader } from "../../i18n/text.ts";
import { Icon } from "../../ui/icon.tsx";
import { Failed, Loading } from "../../ui/states.tsx";

type File = Answer<"pageSourceFile">;

interface SourceFileProps {
  readonly id: string;
  /** As the memory names it. */
  readonly name: string;
  readonly detail: string;
}

/** A file that a memory names. It is read when somebody asks for it, and shown as letters. */
export function SourceFile({ id, name, detail }: SourceFileProps) {
  const { t } = useReader();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <div className="lnk">
        <Icon name="source" />
        <div className="grow breaks">
          <bdi>{name}</bdi>
          <p className="f">{detail}</p>
        </div>
        <button
          type="button"
          className="btn s"
          aria-expanded={isOpen}
          onClick={() => setOpen((before) => !before)}
        >
          {t(isOpen ? "file.hide" : "file.show")}
        </button>
      </div>
      {isOpen && <Opened id={id} />}
    </>
  );
}

function Opened({ id }: { readonly id: string }) {
  const { data, error, refetch } = useCall("pageSourceFile", { ...useShown(), id });
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  return (
    <div className="file">
      <Said file={data} />
      {data.lines !== undefined && <Lines file={data} />}
    </div>
  );
}

function Said({ file }: { readonly file: File }) {
  const reader = useReader();
  const { t } = reader;
  const { path } = file;
  return (
    <>
      {path !== undefined && (
        <div className="row">
          <code className="grow breaks">
            <bdi>{path}</bdi>
          </code>
          <Copy text={path} />
        </div>
      )}
      <p className="m">{sentencesOf(reader, file).join(" ")}</p>
      {file.changedAt !== undefined && (
        <p className="warn">{t("file.changed", { date: fullDate(reader, file.changedAt) })}</p>
      )}
    </>
  );
}

function Copy({ text }: { readonly text: string }) {
  const { t } = useReader();
  const [isDone, setDone] = useState(false);
  return (
    <button
      type="button"
      className="btn s"
      onClick={() => void navigator.clipboard.writeText(text).then(() => setDone(true))}
    >
      {t(isDone ? "file.copied" : "file.copy")}
    </button>
  );
}

/** What there is to know before the lines, or in their place. */
export function sentencesOf(
  reader: Reader,
  { status, device, sizeBytes = 0, line, first = 1, total = 0, lines = [] }: File,
): readonly string[] {
  const { t } = reader;
  if (status === "missing" && device !== undefined) return [t("file.onDevice", { device })];
  if (status !== "shown") return [t(`file.${status}`, { size: size(reader, sizeBytes) })];
  const last = first + lines.length - 1;
  return [
    t("file.shown"),
    ...(device === undefined ? [] : [t("file.elsewhere", { device })]),
    ...(line === undefined ? [] : [t("file.line", { line, total })]),
    ...(lines.length < total ? [t("file.more", { first, last, total })] : []),
  ];
}

/** Numbers are drawn by the style: what is copied is the text. */
function Lines({ file: { path = "", lines = [], first = 1, line } }: { readonly file: File }) {
  const { t } = useReader();
  const meant = useRef<HTMLLIElement>(null);
  useEffect(() => {
    meant.current?.scrollIntoView({ block: "center" });
  }, []);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text has to be scrolled by keyboard
    <section className="lines" tabIndex={0} aria-label={t("file.text", { path })}>
      <ol start={first}>
        {lines.map((text, index) => {
          const number = first + index;
          return (
            <li
              key={number}
              value={number}
              ref={number === line ? meant : undefined}
              aria-current={number === line ? "location" : undefined}
            >
              <bdi>{text === "" ? "\u00a0" : text}</bdi>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
