import type { ReactNode } from "react";
import { Link } from "wouter";
import { useAddress, useShown } from "../../address/use-address.ts";
import type { Memory } from "../../api/client.ts";
import { useCall } from "../../api/use-call.ts";
import { date } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { shownAuthor } from "../../ui/author.tsx";
import { useHere } from "../../ui/here.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { languageOf } from "../../ui/words.tsx";
import { CONVERSATION } from "../memories/filters.ts";
import { SourceFile } from "./source-file.tsx";

/** Conversations, files, and other memories that a memory came from. What it names is shown, and never opened by itself. */
export function Sources({ memory }: { readonly memory: Memory }) {
  const reader = useReader();
  const { t } = reader;
  const { by, at, source, derivedFrom = [], links } = memory;
  const written = `${shownAuthor(reader, by, useHere()).name}, ${date(reader, at)}`;
  const { said, url, file, version, named } = partsOf(source ?? {});
  const conversations = new Set([by.conversation, said].filter((name) => name !== undefined));
  const others = [url, file, version].filter((part) => part !== undefined).length;
  const isEmpty = conversations.size + others + named.length + derivedFrom.length + links.length === 0;
  return (
    <section className="box">
      <h2>{t("memory.source")}</h2>
      {[...conversations].map((name) => (
        <Conversation key={name} name={name} detail={written} />
      ))}
      {file !== undefined && <SourceFile id={memory.id} name={file} detail={written} />}
      {version !== undefined && (
        <Linked id={version.memory} record={version.record} detail={t("memory.versionOf")} />
      )}
      {named.map((name) => (
        <Line key={name} icon="source" detail={written}>
          <bdi>{name}</bdi>
        </Line>
      ))}
      {url !== undefined && <Address url={url} detail="" />}
      {links.map(({ rel, to }) => (
        <Linked key={`${rel} ${to}`} id={to} detail={t("memory.linked", { rel })} />
      ))}
      {derivedFrom.map((id) => (
        <Linked key={id} id={id} detail={t("memory.derived")} />
      ))}
      <Superseding id={memory.id} />
      {isEmpty && (
        <Line icon="source" detail="">
          {written}
        </Line>
      )}
    </section>
  );
}

/** Where a source is on the web, or whom to write to. It is shown whole: whoever opens it sees where that leads. */
function addressIn({ url }: SourceWords): string | undefined {
  if (typeof url !== "string" || !URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  return ["https:", "http:", "mailto:"].includes(protocol) ? href : undefined;
}

type SourceWords = Readonly<Record<string, unknown>>;

const VERSION_ADDRESS = /^version:\/\/([0-9a-f-]{36})\/([0-9a-f]{12,64})$/;

/** A version of a memory, as a source of that kind or an address names it. */
function versionIn({ kind, memory, record, url }: SourceWords): MemoryVersion | undefined {
  if (kind === "version") return { memory: String(memory), record: String(record) };
  const [, id, hash] = VERSION_ADDRESS.exec(String(url)) ?? [];
  return id === undefined || hash === undefined ? undefined : { memory: id, record: hash };
}

interface MemoryVersion {
  readonly memory: string;
  readonly record: string;
}

const FILE_KEYS = ["path", "file", "name", "line", "heading"];

/** A file in words: its path, and where in it. */
function fileIn({ kind, path, file, name, url, line, heading }: SourceWords): string | undefined {
  const isAddress = typeof url === "string" && /^file:/i.test(url);
  if (kind !== "file" && path === undefined && file === undefined && !isAddress) return undefined;
  const where = path ?? file ?? (isAddress ? url : name);
  const parts = [
    line === undefined ? "" : `:${String(line)}`,
    heading === undefined ? "" : ` › ${String(heading)}`,
  ];
  return `${String(where)}${parts.join("")}`;
}

const VERSION_KEYS = ["memory", "record", "inputMethod"];

/** What a source says: a conversation, an address, a file or a version that opens, and the rest in letters. */
export function partsOf(source: SourceWords) {
  const { kind, title, conversation, ...others } = source;
  const said = conversation ?? (kind === "chat" && typeof title === "string" ? title : undefined);
  const version = versionIn(source);
  const url = version === undefined ? addressIn(source) : undefined;
  const file = url === undefined && version === undefined ? fileIn(source) : undefined;
  const shown = new Set([
    ...(url === undefined ? [] : ["url"]),
    ...(version === undefined ? [] : [...VERSION_KEYS, "url"]),
    ...(file === undefined ? [] : [...FILE_KEYS, "url"]),
  ]);
  const rest = Object.entries(others).filter(([key]) => !shown.has(key));
  const hasTitle = typeof title === "string" && title !== said;
  const opens = [said, url, file, version].some((part) => part !== undefined);
  const isSaid = rest.length === 0 && !hasTitle && (opens || kind === undefined);
  const name = [...(kind === undefined ? [] : [String(kind)]), ...(hasTitle ? [`“${title}”`] : [])];
  const named = [...name, ...rest.map(([key, value]) => `${key} ${String(value)}`)].join(", ");
  return {
    ...{ said: said === undefined ? undefined : String(said), url, file, version },
    named: isSaid ? [] : [named],
  };
}

interface LineProps {
  readonly icon: IconName;
  readonly detail: string;
  readonly children: ReactNode;
}

const Line = ({ icon, detail, children }: LineProps) => (
  <div className="lnk">
    <Icon name={icon} />
    <div className="grow">
      {children}
      {detail !== "" && <p className="f">{detail}</p>}
    </div>
  </div>
);

/** In a new tab that knows nothing of the page; a letter is begun in the program for that. */
function Address({ url, detail }: { readonly url: string; readonly detail: string }) {
  const { t } = useReader();
  const opens = t(url.startsWith("mailto:") ? "memory.opensMail" : "memory.opens");
  return (
    <a className="lnk" href={url} target="_blank" rel="noopener noreferrer">
      <Icon name="link" />
      <span className="grow breaks">
        <bdi>{url}</bdi>
        <span className="f block">{detail === "" ? opens : `${detail}. ${opens}`}</span>
      </span>
    </a>
  );
}

/** As the address of a version has it. */
const SHOWN_DIGITS = 12;
const MEMORY_ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** Leads to everything that was written in it. */
function Conversation({ name, detail }: { readonly name: string; readonly detail: string }) {
  const { t } = useReader();
  const { to } = useAddress();
  return (
    <Link className="lnk" href={to("/", { [CONVERSATION]: name })}>
      <Icon name="source" />
      <div className="grow">
        <bdi>{t("memory.conversation", { name: `“${name}”` })}</bdi>
        <p className="f">
          {detail}. {t("memory.conversationAll")}
        </p>
      </div>
    </Link>
  );
}

interface LinkedProps {
  readonly id: string;
  /** A version of it. */
  readonly record?: string;
  readonly detail: string;
}

/** Another memory, by its words; an address on the web opens, and any other is shown as it is. */
function Linked({ id, record, detail }: LinkedProps) {
  const { to } = useAddress();
  const shown = useShown();
  const isMemory = MEMORY_ID.test(id);
  const { data } = useCall("get", isMemory ? { ...shown, id } : undefined);
  const url = isMemory ? undefined : addressIn({ url: id });
  if (url !== undefined) return <Address url={url} detail={detail} />;
  if (!isMemory || data === undefined) {
    return (
      <Line icon="link" detail={detail}>
        <bdi>{id}</bdi>
      </Line>
    );
  }
  const version = record === undefined ? {} : { version: record.slice(0, SHOWN_DIGITS) };
  return (
    <Link className="lnk" href={to(`/memory/${id}`, version)}>
      <Icon name="link" />
      <div className="grow">
        <bdi lang={languageOf(data.content)}>{data.content}</bdi>
        <p className="f">{detail}</p>
      </div>
    </Link>
  );
}

function Superseding({ id }: { readonly id: string }) {
  const { t } = useReader();
  const { to } = useAddress();
  const { data } = useCall("supersededBy", { ...useShown(), id });
  return (data?.memories ?? []).map(({ memory, content, record }) => (
    <Link key={record} className="lnk" href={to(`/memory/${memory}`)}>
      <Icon name="link" />
      <div className="grow">
        <bdi lang={languageOf(content)}>{content}</bdi>
        <p className="f">{t("memory.replacedBy")}</p>
      </div>
    </Link>
  ));
}
