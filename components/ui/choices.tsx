type ChoicesProps<T> = {
  label: string
  chosen: T
  choices: ReadonlyArray<{ value: T; label: string }>
  onChoose: (value: T) => void
}

/** A row of buttons that selects one of a few values. */
export function Choices<T extends string | number>({ label, chosen, choices, onChoose }: ChoicesProps<T>) {
  return (
    <fieldset aria-label={label} className="flex flex-wrap gap-x-4 max-mid:-ml-3 max-mid:gap-x-0">
      {choices.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          data-hook={`show-${value}`}
          aria-pressed={value === chosen}
          onClick={() => onChoose(value)}
          className="tap text-left text-muted aria-pressed:text-ink aria-pressed:underline aria-pressed:underline-offset-4 max-mid:px-3"
        >
          {label}
        </button>
      ))}
    </fieldset>
  )
}
