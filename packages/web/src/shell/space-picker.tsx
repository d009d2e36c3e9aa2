import { Link } from "wouter";
import { useAddress } from "../address/use-address.ts";
import { useCall } from "../api/use-call.ts";
import { useText } from "../i18n/text.ts";
import { Icon } from "../ui/icon.tsx";
import { Popup } from "../ui/popup.tsx";

/** Only where there are several spaces. */
export function SpacePicker() {
  const t = useText();
  const { space } = useAddress();
  const spaces = useCall("spacesList", {}).data?.spaces ?? [];
  const current = spaces.find(({ id, name, isDefault }) =>
    space === "~" ? isDefault : [id, name].includes(space),
  );
  if (spaces.length < 2 || current === undefined) return null;
  const button = (
    <>
      <Icon name="devices" />
      <b>{current.name}</b>
      <span className="grow" />
      <Icon name="down" />
    </>
  );
  return (
    <Popup className="pick" label={t("space.choose", { name: current.name })} button={button}>
      {(close) =>
        spaces.map(({ id, name }) => (
          <Link
            key={id}
            href={`/?space=${encodeURIComponent(id)}`}
            className={id === current.id ? "on" : ""}
            onClick={close}
          >
            <b>{name}</b>
          </Link>
        ))
      }
    </Popup>
  );
}
