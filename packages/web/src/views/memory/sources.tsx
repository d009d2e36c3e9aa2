import type { ReactNode } from "react";
import { Link } from "wouter";
import { useAddress, useShown } from "../../address/use-address.ts";
import type { Memory } from "../../api/client.ts";
import { useCall } from "../../api/use-call.ts";
import { date } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { useAuthorName } from "../../ui/author.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { languageOf } from "../../ui/words.tsx";

/** Conversations, files, and other memories that a memory came from. What it names is shown, and never opened by itself. */
export function Sources({ memory }: { readonly memory: Memory }) {
  const reader = useReader();
  const { t } = reader;
  const nameOf = useAuthorName();
  const { by, at, source, derivedFrom = [], links } = memory;
  const written = `${nameOf(by)}, ${date(reader, at)}`;
  const { chat, url, named } = partsOf(source ?? {});
  const conversations = new Set([by.conversation, chat].filter((name) => name !== undefined));
  const hasUrl = url === undefined ? 0 : 1;
  const isEmpty = conversations.size + hasUrl + named.length + derivedFrom.length + links.length === 0;
  return (
    <section className="box">
      <h2>{t("memory.source")}</h2>
      {[...conversations].map((name) => (
        <Line key={name} icon="source" detail={written}>
          {t("memory.conversation", { name: `“${name}”` })}
        </Line>
      ))}
      {named.map((name) => (
        <Line key={name} icon="source" detail={written}>
          <bdi>{name}</bdi>
        </Line>
      ))}
      {url !== undefined && (
        <a className="lnk" href={url} target="_blank" rel="noopener noreferrer">
          <Icon name="link" />
          <span className="grow breaks">
            <bdi>{url}</bdi>
            <span className="f block">{t("memory.opens")}</span>
          </span>
        </a>
      )}
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

/** Where a source is on the web. It is shown whole: whoever opens it sees where that leads. */
function addressIn({ url }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof url !== "string" || !URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  return protocol === "https:" || protocol === "http:" ? href : undefined;
}

/** What a source says: a conversation, an address that opens, and the rest in letters. */
function partsOf(source: Readonly<Record<string, unknown>>) {
  const { kind, title, ...others } = source;
  const chat = kind === "chat" && typeof title === "string" ? title : undefined;
  const url = addressIn(others);
  const rest = Object.entries(others).filter(([key]) => key !== "url" || url === undefined);
  const isSaid = rest.length === 0 && (chat !== undefined || url !== undefined || kind === undefined);
  const name = [String(kind), ...(typeof title === "string" ? [`“${title}”`] : [])];
  const named = [...name, ...rest.map(([key, value]) => `${key} ${String(value)}`)].join(", ");
  return { chat, url, named: isSaid ? [] : [named] };
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

const MEMORY_ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** Another memory, by its words; an address is shown as it is. */
function Linked({ id, detail }: { readonly id: string; readonly detail: string }) {
  const { to } = useAddress();
  const shown = useShown();
  const isMemory = MEMORY_ID.test(id);
  const { data } = useCall("get", isMemory ? { ...shown, id } : undefined);
  if (!isMemory || data === undefined) {
    return (
      <Line icon="link" detail={detail}>
        <bdi>{id}</bdi>
      </Line>
    );
  }
  return (
    <Link className="lnk" href={to(`/memory/${id}`)}>
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
