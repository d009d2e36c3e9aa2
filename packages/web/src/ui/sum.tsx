import { numberFormat } from "../i18n/formats.ts";
import { useReader } from "../i18n/text.ts";

/** A line of a result; nothing for none. */
export function Sum({ name, count }: { readonly name: string; readonly count: number | string }) {
  const { locale } = useReader();
  if (count === 0) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <b>{typeof count === "number" ? numberFormat(locale).format(count) : count}</b>
      </dd>
    </>
  );
}
