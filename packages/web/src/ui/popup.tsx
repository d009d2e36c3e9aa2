import { type ReactNode, useId, useRef, useState } from "react";

const GAP = 4;
const EDGE = 8;

interface PopupProps {
  readonly className: string;
  /** Of the button, where its text does not say it. */
  readonly label?: string | undefined;
  readonly button: ReactNode;
  readonly children: (close: () => void) => ReactNode;
}

/** A button that opens a small window beside itself: the browser's own popover closes it and gives the focus back. */
export function Popup({ className, label, button, children }: PopupProps) {
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const place = () => {
    if (opener.current !== null && popup.current !== null) placeBeside(opener.current, popup.current);
  };
  const onToggle = (open: boolean) => {
    setOpen(open);
    if (!open) return;
    // After the content is there: its size decides the place.
    requestAnimationFrame(() => {
      place();
      popup.current?.querySelector<HTMLElement>("[autofocus], input, a, button")?.focus();
    });
  };
  return (
    <>
      <button
        type="button"
        ref={opener}
        className={className}
        aria-label={label}
        aria-expanded={isOpen}
        popoverTarget={id}
      >
        {button}
      </button>
      <div
        id={id}
        ref={popup}
        popover="auto"
        className="menu"
        onToggle={({ newState }) => onToggle(newState === "open")}
      >
        {isOpen && children(() => popup.current?.hidePopover())}
      </div>
    </>
  );
}

function placeBeside(opener: HTMLElement, popup: HTMLElement): void {
  const at = opener.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = popup;
  const left = Math.max(EDGE, Math.min(at.left, innerWidth - width - EDGE));
  const below = at.bottom + GAP;
  const top = below + height + EDGE > innerHeight ? Math.max(EDGE, at.top - GAP - height) : below;
  popup.style.setProperty("left", `${left}px`);
  popup.style.setProperty("top", `${top}px`);
}
