import { left as inOneUnit, length } from '#components/browser/format-time.ts'
import { type Break, breakWidth } from './timeline-layout.ts'

/** A pause, drawn at a fixed width between two dashed lines and labeled with its length. */
export function TimelineBreak({ gap, left }: { gap: Break; left: number }) {
  return (
    <span
      data-break
      className="pointer-events-none absolute top-6 bottom-0 border-x border-dashed border-x-rail text-center font-mono text-mono text-muted"
      style={{ left, width: breakWidth }}
    >
      <span
        title={length(gap.ms)}
        className="pointer-events-auto absolute inset-x-0 bottom-0 translate-y-full whitespace-nowrap"
      >
        <span className="sr-only">{gap.waited ? 'A wait of ' : 'A pause of '}</span>
        {inOneUnit(new Date(gap.ms).toISOString(), 0)}
      </span>
    </span>
  )
}
