import { type ReactNode, useEffect, useRef } from "react";

interface TitleProps {
  readonly children: ReactNode;
  /** For the window, where the title is no text. */
  readonly name?: string;
  readonly className?: string;
  readonly lang?: string | undefined;
}

let isFirst = true;

/** The title of a view. Has the focus when the view has changed, so that readers of screens begin there. */
export function Title({ children, name, className, lang }: TitleProps) {
  const title = useRef<HTMLHeadingElement>(null);
  const text = name ?? (typeof children === "string" ? children : "");
  useEffect(() => {
    if (!isFirst) title.current?.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  useEffect(() => {
    document.title = text === "" ? "Cambium" : `${text} · Cambium`;
  }, [text]);
  return (
    <h1 ref={title} tabIndex={-1} className={className} dir="auto" lang={lang}>
      {children}
    </h1>
  );
}

interface HeadProps {
  readonly title: string;
  /** One sentence below. */
  readonly lead?: ReactNode;
  readonly children?: ReactNode;
}

export const Head = ({ title, lead, children }: HeadProps) => (
  <div className="head">
    <div className="grow">
      <Title>{title}</Title>
      {lead !== undefined && <p>{lead}</p>}
    </div>
    {children}
  </div>
);
