import { useShown } from "../../address/use-address.ts";
import type { Memory } from "../../api/client.ts";
import { useCall } from "../../api/use-call.ts";
import type { Key } from "../../i18n/catalogue.ts";
import { fullDate } from "../../i18n/dates.ts";
import { numberFormat } from "../../i18n/formats.ts";
import { type Reader, useReader } from "../../i18n/text.ts";

export function Facts({ memory }: { readonly memory: Memory }) {
  const reader = useReader();
  const { data } = useCall("strength", { ...useShown(), id: memory.id });
  const facts = factsOf(reader, memory);
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <Fact key={name} name={reader.t(name)} value={value} />
      ))}
      {data !== undefined && (
        <Fact
          name={reader.t("fact.strength")}
          value={`${reader.t(strengthWord(data.strength))}, ${data.uses === 0 ? reader.t("fact.unused") : reader.t("fact.used", { n: data.uses })}`}
        />
      )}
    </dl>
  );
}

const Fact = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <>
    <dt>{name}</dt>
    <dd>
      <bdi>{value}</bdi>
    </dd>
  </>
);

function factsOf(reader: Reader, memory: Memory): readonly (readonly [Key, string])[] {
  const day = (time: number | undefined) => (time === undefined ? undefined : fullDate(reader, time));
  const share = (value: number | undefined) =>
    value === undefined ? undefined : numberFormat(reader.locale, { style: "percent" }).format(value);
  const all: readonly (readonly [Key, string | undefined])[] = [
    ["fact.category", memory.category],
    ["fact.kind", memory.kind],
    ["fact.area", memory.area],
    ["fact.occurredAt", day(memory.occurredAt)],
    ["fact.validFrom", day(memory.validFrom)],
    ["fact.validUntil", day(memory.validUntil)],
    ["fact.importance", share(memory.importance)],
    ["fact.confidence", share(memory.confidence)],
  ];
  return all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

const STRONG = 0.66;
const FAIR = 0.33;

export const strengthWord = (strength: number): Key =>
  strength >= STRONG ? "strength.strong" : strength >= FAIR ? "strength.fair" : "strength.weak";
