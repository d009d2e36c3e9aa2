import { useState } from "react";
import type { Key } from "../i18n/catalogue.ts";
import { useText } from "../i18n/text.ts";
import { Dialog } from "../ui/dialog.tsx";
import { areKeysOn, setKeysOn } from "../ui/use-keys.ts";

const KEYS: readonly (readonly [keys: readonly string[], does: Key])[] = [
  [["/"], "keys.search"],
  [["?"], "keys.help"],
  [["g", "m t b r s d"], "keys.views"],
  [["J", "K"], "keys.move"],
  [["Enter"], "keys.open"],
  [["E"], "keys.edit"],
  [["[", "]"], "keys.days"],
  [["N"], "keys.now"],
  [["C"], "keys.compare"],
  [["A", "X"], "keys.decide"],
  [["Space"], "keys.select"],
  [["Shift A"], "keys.acceptAll"],
  [["1", "2", "3"], "keys.sides"],
  [["Ctrl Z"], "keys.undo"],
  [["Esc"], "keys.escape"],
];

export function useHelp() {
  const [isOpen, setOpen] = useState(false);
  return {
    open: () => setOpen(true),
    dialog: isOpen ? <Help onClose={() => setOpen(false)} /> : null,
  };
}

function Help({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const [isOn, setOn] = useState(areKeysOn);
  return (
    <Dialog title={t("keys.title")} onClose={onClose}>
      <dl className="keylist">
        {KEYS.map(([keys, does]) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{t(does)}</dd>
          </div>
        ))}
      </dl>
      <label className="row">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ target }) => {
            setKeysOn(target.checked);
            setOn(target.checked);
          }}
        />
        {t("keys.off")}
      </label>
    </Dialog>
  );
}
