import { type FormEvent, useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import { call } from "../../api/client.ts";
import type { Schemas } from "../../api/interface.ts";
import { useCall } from "../../api/use-call.ts";
import { useReader } from "../../i18n/text.ts";
import { isPerson, shownAuthor } from "../../ui/author.tsx";
import { InRow } from "../../ui/in-row.tsx";
import { Select } from "../../ui/select.tsx";
import { Failed } from "../../ui/states.tsx";
import { useWrite } from "../../ui/use-write.ts";
import { useFacets } from "../memories/use-facets.ts";
import { askName } from "../review/ask-of.ts";
import { OwnerCodeSetting } from "./owner-code-setting.tsx";
import { agentsIn, classOf, countsOf, ONE_AGENT, type PolicyTable, possibleFor } from "./policy.ts";

/** What agents may do by themselves, have to ask for, and may not: for all of them, or for one. */
export function PolicySection() {
  const { t } = useReader();
  const { space } = useAddress();
  const { data, error, refetch } = useCall("policyShow", { space });
  return (
    <section className="sect">
      <h2>{t("policy.title")}</h2>
      {error !== null && <Failed error={error} onRetry={() => void refetch()} />}
      {data !== undefined && error === null && (
        <>
          <p className="m">
            {t("policy.lead", countsOf(data, "agent"))} {t(data.ownerCode ? "policy.code" : "policy.noCode")}
          </p>
          <OwnerCodeSetting isSet={data.ownerCode} />
          {data.contested && <p className="warn">{t("policy.contested")}</p>}
          <details className="policy">
            <summary>{t("policy.all")}</summary>
            <Table table={data} />
          </details>
        </>
      )}
    </section>
  );
}

function Table({ table }: { readonly table: PolicyTable }) {
  const reader = useReader();
  const { t } = reader;
  const written = useFacets("agent").flatMap(({ value }) => (isPerson({ agent: value }) ? [] : [value]));
  const [role, setRole] = useState<string>("agent");
  const { limits } = table;
  const agents = agentsIn(table, written).map(
    (name) => [ONE_AGENT + name, shownAuthor(reader, { agent: name }).name] as const,
  );
  return (
    <>
      <InRow label={t("policy.for")}>
        {(id) => (
          <Select<string>
            id={id}
            value={role}
            choices={[
              ["agent", t("policy.agent")],
              ...agents,
              ["operator", t("policy.operator")],
              ["owner", t("policy.owner")],
            ]}
            onChoose={setRole}
          />
        )}
      </InRow>
      {Object.keys(table.classes).map((operation) => (
        <Cell key={operation} {...{ table, operation, role }} />
      ))}
      {LIMITS.map((limit) => (
        <Limit key={`${limit} ${limits[limit]}`} limit={limit} holds={limits[limit]} />
      ))}
    </>
  );
}

type LimitName = keyof PolicyTable["limits"];

const LIMITS: readonly LimitName[] = ["rollback", "requestDays"];
const MOST = 1_000_000;

/** A number that decides how an action is judged. */
function Limit({ limit, holds }: { readonly limit: LimitName; readonly holds: number }) {
  const { t } = useReader();
  const { space } = useAddress();
  const write = useWrite();
  const [typed, setTyped] = useState(String(holds));
  const value = Number(typed);
  const isReady = /^\d+$/.test(typed) && value >= 1 && value <= MOST && value !== holds;
  const save = (event: FormEvent) => {
    event.preventDefault();
    const undo = () => call("policySetLimit", { space, limit, value: holds });
    void write("policySetLimit", { space, limit, value }, { done: "policy.saved", undo });
  };
  return (
    <form onSubmit={save}>
      <InRow label={t(`limit.${limit}`)} className="row wrapx cell">
        {(id) => (
          <>
            <input
              id={id}
              type="number"
              className="field number"
              min={1}
              max={MOST}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
            <button type="submit" className="btn s" disabled={!isReady}>
              {t("settings.change")}
            </button>
          </>
        )}
      </InRow>
    </form>
  );
}

interface CellProps {
  readonly table: PolicyTable;
  readonly operation: string;
  readonly role: string;
}

function Cell({ table, operation, role }: CellProps) {
  const { t } = useReader();
  const { space } = useAddress();
  const write = useWrite();
  const holds = classOf(table, operation, role);
  const isOwn = table.changed.some((cell) => cell.operation === operation && cell.role === role);
  const set = (riskClass: Schemas["RiskClass"]) => ({ space, operation, role, class: riskClass });
  const choose = (next: Schemas["RiskClass"]) =>
    write("policySet", set(next), { done: "policy.saved", undo: () => call("policySet", set(holds)) });
  return (
    <InRow label={askName(t, operation)} className="row wrapx cell">
      {(id) => (
        <>
          {isOwn && <span className="f">{t("policy.changed")}</span>}
          <Select
            id={id}
            value={holds}
            choices={possibleFor(table, operation, role).map((name) => [name, t(`policy.${name}`)] as const)}
            onChoose={(next) => void choose(next)}
          />
        </>
      )}
    </InRow>
  );
}
