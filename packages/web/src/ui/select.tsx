interface SelectProps<Name extends string> {
  readonly id: string;
  readonly value: Name;
  readonly choices: readonly (readonly [name: Name, text: string])[];
  readonly onChoose: (name: Name) => void;
  readonly className?: string;
}

/** The browser's own list, of which one holds. */
export const Select = <Name extends string>(props: SelectProps<Name>) => {
  const { id, value, choices, onChoose, className = "field fit" } = props;
  return (
    <select
      id={id}
      className={className}
      value={value}
      onChange={({ target }) => onChoose(target.value as Name)}
    >
      {choices.map(([name, text]) => (
        <option key={name} value={name}>
          {text}
        </option>
      ))}
    </select>
  );
};
