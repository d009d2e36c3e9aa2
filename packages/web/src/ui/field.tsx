import { useId } from "react";

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** For several lines; a line without it. */
  readonly rows?: number;
  readonly type?: "text" | "date" | "password" | "number";
  readonly className?: string;
  readonly placeholder?: string;
  readonly min?: string;
  readonly max?: string;
  readonly hasFocus?: boolean;
}

/** A label and what is typed below it. */
export function Field(props: FieldProps) {
  const {
    label,
    value,
    onChange,
    rows,
    type = "text",
    className = "",
    placeholder,
    min,
    max,
    hasFocus,
  } = props;
  const id = useId();
  const shared = {
    ...{ id, value, placeholder, autoFocus: hasFocus },
    onChange: ({ target }: React.ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onChange(target.value),
  };
  return (
    <>
      <label htmlFor={id}>{label}</label>
      {rows === undefined ? (
        <input {...shared} type={type} min={min} max={max} className={`field ${className}`} />
      ) : (
        <textarea {...shared} rows={rows} dir="auto" className={`field area ${className}`} />
      )}
    </>
  );
}
