import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useText } from "../i18n/text.ts";

const STAYS_MS = 10_000;

interface Toast {
  readonly text: string;
  readonly undo?: (() => Promise<void>) | undefined;
}

interface Toasts {
  readonly show: (toast: Toast) => void;
  /** What the last toast offered, once. */
  readonly undoLast: () => Promise<void>;
}

const ToastsContext = createContext<Toasts>({ show: () => {}, undoLast: async () => {} });
export const useToasts = (): Toasts => useContext(ToastsContext);

export function ToastsProvider({ children }: { readonly children: ReactNode }) {
  const [toast, setToast] = useState<Toast>();
  const [count, setCount] = useState(0);
  const last = useRef<Toast>(undefined);
  const show = useCallback((next: Toast) => {
    last.current = next;
    setToast(next);
    setCount((before) => before + 1);
  }, []);
  const hide = useCallback(() => setToast(undefined), []);
  const undoLast = useCallback(async () => {
    const undo = last.current?.undo;
    last.current = undefined;
    setToast(undefined);
    await undo?.();
  }, []);
  const toasts = useMemo(() => ({ show, undoLast }), [show, undoLast]);
  return (
    <ToastsContext value={toasts}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {toast !== undefined && <Shown key={count} toast={toast} onUndo={undoLast} onGone={hide} />}
      </div>
    </ToastsContext>
  );
}

interface ShownProps {
  readonly toast: Toast;
  readonly onUndo: () => Promise<void>;
  readonly onGone: () => void;
}

/** Stays longer under the pointer or the focus. */
function Shown({ toast, onUndo, onGone }: ShownProps) {
  const t = useText();
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(onGone, STAYS_MS);
    return () => clearTimeout(timer);
  }, [isHeld, onGone]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only waits longer while somebody reads it
    <div
      className="toast"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span>{toast.text}</span>
      {toast.undo !== undefined && (
        <button type="button" onClick={() => void onUndo()}>
          {t("common.undo")}
        </button>
      )}
    </div>
  );
}
