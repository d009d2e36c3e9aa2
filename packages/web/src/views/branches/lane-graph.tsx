import { when } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { type Branch, beginOf, lanesOf } from "./lanes.ts";

const ROW_HEIGHT = 72;

/** The same as the rows say, drawn: for eyes only. */
export function Lanes({ branches }: { readonly branches: readonly Branch[] }) {
  const reader = useReader();
  const now = Date.now();
  const lanes = lanesOf(branches, now);
  const middle = ROW_HEIGHT / 2;
  const height = branches.length * ROW_HEIGHT;
  return (
    <div className="lanes" aria-hidden="true" style={{ height }}>
      <svg viewBox={`0 0 100 ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <path className="trunk" d={`M0 ${middle}H100`} />
        {lanes.map(({ id, row, from, to, isMerged }) => (
          <path
            key={id}
            className={isMerged ? "merged" : ""}
            d={`M${from} ${middle}V${row * ROW_HEIGHT + middle}H${to}`}
          />
        ))}
      </svg>
      <p className="ends">
        <span>{when(reader, beginOf(branches, now))}</span>
        <span>{reader.t("common.now")}</span>
      </p>
      {lanes.map(({ id, row, from, to, isMerged }) => (
        <span key={id} className={isMerged ? "merged" : ""}>
          <i className="fork-dot" style={{ left: `${from}%`, top: middle }} />
          <i className="end-dot" style={{ left: `${to}%`, top: row * ROW_HEIGHT + middle }} />
        </span>
      ))}
    </div>
  );
}
