import { type ReactNode, useId } from "react";

interface InRowProps {
  readonly label: string;
  readonly className?: string;
  /** The control, which takes the id. */
  readonly children: (id: string) => ReactNode;
}

/** A label beside its control. */
export function InRow({ label, className = "row", children }: InRowProps) {
  const id = useId();
  return (
    <div className={className}>
      <label className="f" htmlFor={id}>
        {label}
      </label>
      {children(id)}
    </div>
  );
}
