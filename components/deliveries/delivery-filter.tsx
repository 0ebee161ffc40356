import { type Shown, shownOptions } from './filter.ts'

const labels: Record<Shown, string> = {
  all: 'All',
  pending: 'Pending',
  failed: 'Failed',
  delivered: 'Delivered'
}

/** Buttons that filter deliveries by state. */
export function DeliveryFilter({ shown, onChoose }: { shown: Shown; onChoose: (shown: Shown) => void }) {
  return (
    <fieldset aria-label="Show" className="flex flex-wrap gap-x-4 max-mid:-ml-3 max-mid:gap-x-0">
      {shownOptions.map(option => (
        <button
          key={option}
          type="button"
          data-hook={`show-${option}`}
          aria-pressed={option === shown}
          onClick={() => onChoose(option)}
          className="tap text-left max-mid:px-3 text-muted aria-pressed:text-ink aria-pressed:underline aria-pressed:underline-offset-4"
        >
          {labels[option]}
        </button>
      ))}
    </fieldset>
  )
}
