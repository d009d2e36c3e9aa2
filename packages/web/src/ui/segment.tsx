interface SegmentProps<Name extends string> {
  readonly label: string;
  readonly chosen: Name;
  readonly choices: readonly (readonly [name: Name, text: string])[];
  readonly onChoose: (name: Name) => void;
}

/** A few choices side by side, of which one holds. */
export const Segment = <Name extends string>({ label, chosen, choices, onChoose }: SegmentProps<Name>) => (
  <fieldset className="seg">
    <legend className="vh">{label}</legend>
    {choices.map(([name, text]) => (
      <button
        key={name}
        type="button"
        className={name === chosen ? "on" : ""}
        aria-pressed={name === chosen}
        onClick={() => onChoose(name)}
      >
        {text}
      </button>
    ))}
  </fieldset>
);
