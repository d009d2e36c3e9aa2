import { useState } from "react";
import { Link } from "wouter";
import { useAddress } from "../../address/use-address.ts";
import { useCall } from "../../api/use-call.ts";
import { clock } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { deviceOf, shownAuthor } from "../../ui/author.tsx";
import { useHere } from "../../ui/here.tsx";
import { useWrite } from "../../ui/use-write.ts";
import { languageOf } from "../../ui/words.tsx";
import { stretchOf } from "../goback/scope.ts";
import { type Episode, isLarge, sizeOf, titleOf } from "./episodes.ts";

/** What one author did on one day. It opens in place. */
export function EpisodeRow({ episode }: { readonly episode: Episode }) {
  const reader = useReader();
  const { t } = reader;
  const here = useHere();
  const { by, kind, from, until, categories, memories } = episode;
  const { inside, hue } = shownAuthor(reader, by, here);
  const [isOpen, setOpen] = useState(false);
  const times = [...new Set([clock(reader, from), clock(reader, until)])];
  const place = kind === "checkpoint" ? " flagrow" : isLarge(episode) ? " big" : "";
  const colour = kind === "merge" || hue === undefined ? "" : ` h${hue}`;
  const [only] = memories;
  return (
    <div className={`e${place}${colour}`}>
      <p>
        <b>{titleOf(t, episode)}</b> {t("event.by", { who: inside })}{" "}
        {kind !== "checkpoint" && <span className="m">{deviceOf(reader, by)}</span>}
      </p>
      <span className="f">
        {times.length === 2 ? t("event.to", { from: times[0] ?? "", until: times[1] ?? "" }) : times[0]}
      </span>
      {sizeOf(episode) === 1 && only !== undefined ? (
        <MemoryLink id={only.id} text={only.text} />
      ) : (
        <p className="sub">{categories.map(({ name: label, count }) => `${label} ${count}`).join(", ")}</p>
      )}
      <p className="sub row">
        {sizeOf(episode) > 1 && (
          <button type="button" className="textlink" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {t(isOpen ? "event.close" : "event.open")}
          </button>
        )}
        <UndoMerge episode={episode} />
        <UndoWrites episode={episode} />
      </p>
      {isOpen && <Opened episode={episode} />}
    </div>
  );
}

function MemoryLink({ id, text }: { readonly id: string; readonly text: string }) {
  const { to } = useAddress();
  return (
    <Link className="sub textlink quiet" href={to(`/memory/${id}`)}>
      <bdi lang={languageOf(text)}>{text}</bdi>
    </Link>
  );
}

function UndoMerge({ episode: { kind, change } }: { readonly episode: Episode }) {
  const { t } = useReader();
  const { space, branch, moment } = useAddress();
  const write = useWrite();
  if (kind !== "merge" || change === undefined || moment !== undefined) return null;
  return (
    <button
      type="button"
      className="textlink"
      onClick={() =>
        void write(
          "undo",
          { space, branch, change },
          { done: "done.undone", change: (undone) => undone.change },
        )
      }
    >
      {t("common.undo")}
    </button>
  );
}

/** Leads to what it would undo: nothing is done here. */
function UndoWrites({ episode: { kind, by, from, until } }: { readonly episode: Episode }) {
  const { t } = useReader();
  const { moment, to } = useAddress();
  if (kind !== "write" || moment !== undefined) return null;
  return (
    <Link className="textlink" href={to("/goback", stretchOf(from, until, by.agent))}>
      {t("event.undoThis")}
    </Link>
  );
}

const MOST_SHOWN = 100;

/** The memories themselves, as the log has them. */
function Opened({ episode: { by, from, until } }: { readonly episode: Episode }) {
  const { t } = useReader();
  const { space, branch } = useAddress();
  const agent = by.agent === undefined ? {} : { agent: by.agent };
  const { data } = useCall("log", {
    ...{ space, branch, ...agent, limit: MOST_SHOWN },
    ...{ since: String(from), until: String(until + 1) },
  });
  const shown = (data?.changes ?? []).filter(
    (change) => change.by.agent === by.agent && change.by.replica === by.replica,
  );
  return (
    <ul className="opened">
      {shown.map(({ hash, memories, text = "" }) => (
        <li key={hash}>
          {typeof memories !== "number" && memories[0] !== undefined ? (
            <MemoryLink id={memories[0]} text={text} />
          ) : (
            <bdi>{text}</bdi>
          )}
        </li>
      ))}
      {data?.cursor !== undefined && <li className="f">{t("event.more", { n: "…" })}</li>}
    </ul>
  );
}
