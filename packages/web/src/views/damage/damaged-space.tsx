import { useAddress } from "../../address/use-address.ts";
import { useCall } from "../../api/use-call.ts";
import { useReader } from "../../i18n/text.ts";
import { Copies } from "./copies.tsx";

/** Below the reason why a space cannot be opened: what is fine all the same, and where a copy is. */
export function DamagedSpace() {
  const { locale, t } = useReader();
  const { space } = useAddress();
  const spaces = useCall("spacesList", {}).data?.spaces ?? [];
  const others = spaces.filter(({ id, name, isDefault }) =>
    space === "~" ? !isDefault : id !== space && name !== space,
  );
  return (
    <>
      {others.length > 0 && (
        <p>
          <bdi>
            {t("damage.others", {
              names: new Intl.ListFormat(locale).format(others.map(({ name }) => name)),
            })}
          </bdi>
        </p>
      )}
      <Copies isOpen={false} />
    </>
  );
}
