import { useState } from "react";
import { useShown } from "../../address/use-address.ts";
import { useCall } from "../../api/use-call.ts";
import { date } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { shownAuthor } from "../../ui/author.tsx";
import { useHere } from "../../ui/here.tsx";
import { languageOf } from "../../ui/words.tsx";

/** Which words came from whom. Asked for when it is opened. */
export function Blame({ id }: { readonly id: string }) {
  const { t } = useReader();
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="box" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t("memory.who")}</summary>
      {isOpen && <Pieces id={id} />}
    </details>
  );
}

function Pieces({ id }: { readonly id: string }) {
  const reader = useReader();
  const here = useHere();
  const { data } = useCall("blame", { ...useShown(), id });
  return (
    <ul className="pieces">
      {(data?.content ?? [])
        .filter(({ text }) => text.trim() !== "")
        .map(({ text, start, setBy }) => {
          const { name, hue } = shownAuthor(reader, setBy.by, here);
          return (
            <li key={start}>
              <p className="txt" dir="auto" lang={languageOf(text)}>
                {text.trim()}
              </p>
              <p className="f">
                <span className={hue === undefined ? "by you" : `by h${hue}`}>{name}</span>,{" "}
                {reader.t("memory.version", { n: setBy.version })}, {date(reader, setBy.at)}
              </p>
            </li>
          );
        })}
    </ul>
  );
}
