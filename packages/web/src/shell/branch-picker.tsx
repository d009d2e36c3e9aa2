import { useState } from "react";
import { Link } from "wouter";
import { useAddress } from "../address/use-address.ts";
import { useCall } from "../api/use-call.ts";
import { useText } from "../i18n/text.ts";
import { Icon } from "../ui/icon.tsx";
import { Popup } from "../ui/popup.tsx";
import { useCounts } from "./use-counts.ts";

const MOST_SHOWN = 12;

/** Only where there is more than one branch. */
export function BranchPicker() {
  const t = useText();
  const { branch } = useAddress();
  const { branches } = useCounts();
  if (branches < 2 && branch === "main") return null;
  const button = (
    <>
      <Icon name="branch" />
      <b>
        <bdi>{branch}</bdi>
      </b>
      <span className="grow" />
      <Icon name="down" />
    </>
  );
  return (
    <Popup className="pick" label={t("branch.choose", { name: branch })} button={button}>
      {(close) => <Branches onChosen={close} />}
    </Popup>
  );
}

function Branches({ onChosen }: { readonly onChosen: () => void }) {
  const t = useText();
  const { space, branch, to, path } = useAddress();
  const [sought, setSought] = useState("");
  const branches = useCall("branchesList", { space }).data?.branches ?? [];
  const found = branches.filter(({ name }) => name.toLowerCase().includes(sought.toLowerCase()));
  const place = path.startsWith("/memory/") || path === "/merge" ? "/" : path;
  return (
    <>
      {branches.length > MOST_SHOWN && (
        <input
          className="field"
          type="search"
          placeholder={t("branch.find")}
          aria-label={t("branch.find")}
          value={sought}
          onChange={({ target }) => setSought(target.value)}
        />
      )}
      {found.slice(0, MOST_SHOWN).map(({ id, name, memories }) => (
        <Link
          key={id}
          href={to(place, { branch: name === "main" ? null : name })}
          className={name === branch ? "on" : ""}
          aria-current={name === branch ? "true" : undefined}
          onClick={onChosen}
        >
          <b>
            <bdi>{name}</bdi>
          </b>
          {memories !== undefined && <span className="f">{t("branch.memories", { n: memories })}</span>}
        </Link>
      ))}
      <hr />
      <Link href={to("/branches")} onClick={onChosen}>
        {t("branch.all")}
      </Link>
    </>
  );
}
