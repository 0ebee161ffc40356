type WaitingFilterProps = {
  all: number
  mine: number
  more: boolean
  onlyMine: boolean
  onChoose: (mine: boolean) => void
}

/** Shows all requests, or only those that the user can answer, and explains the keyboard shortcuts. */
export function WaitingFilter({ all, mine, more, onlyMine, onChoose }: WaitingFilterProps) {
  const filters = [
    { label: 'All', count: more ? `${all}+` : all, chosen: !onlyMine, mine: false },
    { label: 'For you', count: mine, chosen: onlyMine, mine: true }
  ]
  return (
    <div className="flex flex-wrap items-baseline gap-x-4 pb-3">
      <fieldset aria-label="Show" className="flex gap-4 max-mid:-ml-3 max-mid:gap-0">
        {filters.map(one => (
          <button
            key={one.label}
            type="button"
            data-hook={one.mine ? 'show-mine' : 'show-all'}
            aria-pressed={one.chosen}
            onClick={() => onChoose(one.mine)}
            className="tap text-left max-mid:px-3 text-muted aria-pressed:text-ink aria-pressed:underline aria-pressed:underline-offset-4"
          >
            {one.label} <span className="tabular-nums">{one.count}</span>
          </button>
        ))}
      </fieldset>
      <p className="ml-auto hidden text-muted mid:block [&_kbd]:font-mono [&_kbd]:text-mono">
        <kbd>j</kbd> <kbd>k</kbd> to move, <kbd>↵</kbd> to open, <kbd>⌘</kbd>/<kbd>Ctrl</kbd> <kbd>↵</kbd> to
        answer
      </p>
    </div>
  )
}
