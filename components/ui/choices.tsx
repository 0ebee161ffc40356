type ChoicesProps<T> = {
  label: string
  chosen: T
  choices: ReadonlyArray<{ value: T; label: string }>
  onChoose: (value: T) => void
}

/** A group of buttons that selects one of a few values, such as the filter of a list. */
export function Choices<T extends string | number>({ label, chosen, choices, onChoose }: ChoicesProps<T>) {
  return (
    <fieldset aria-label={label}>
      <div className="inline-flex max-w-full divide-x divide-line overflow-x-auto rounded-sm border border-rail">
        {choices.map(({ value, label }) => (
          <button
            key={value}
            type="button"
            data-hook={`show-${value}`}
            aria-pressed={value === chosen}
            onClick={() => onChoose(value)}
            data-text={label}
            className="tap steady h-7 shrink-0 px-3 text-muted outline-offset-[-2px] hover:text-ink aria-pressed:bg-panel aria-pressed:font-semibold aria-pressed:text-ink"
          >
            {label}
          </button>
        ))}
      </div>
    </fieldset>
  )
}
