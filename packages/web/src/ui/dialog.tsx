import { type ReactNode, useEffect, useId, useRef } from "react";
import { createPortal } from "react-dom";
import { useText } from "../i18n/text.ts";
import { Icon } from "./icon.tsx";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The browser's own modal dialog. What was typed in it is kept by whoever opens it; see `useDraft`. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const t = useText();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  // Beside the page: a table that a dialog is opened from has rules of its own.
  return createPortal(
    <dialog ref={dialog} className="dialog" aria-labelledby={id} onClose={onClose}>
      <div className="row">
        <h2 id={id} className="grow">
          {title}
        </h2>
        <button type="button" className="btn q s" aria-label={t("common.close")} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {children}
    </dialog>,
    document.body,
  );
}
