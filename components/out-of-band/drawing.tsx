import type { OobEdge } from '@waystation/protocol/out-of-band/oob-edge.ts'
import { clsx } from 'clsx'
import { arrange, type Name } from './arrange.ts'

/** Height of a row in px, and the most names of a column. */
const row = 32
const mostNames = 8

/**
 * Draws the list as a diagram: senders at the left, receivers at the right, and lines between them. Lines with more
 * messages are thicker. Nothing is drawn for fewer than three names.
 */
export function Drawing({ edges, marked }: { edges: readonly OobEdge[]; marked: string | undefined }) {
  const { senders, receivers, lines, left } = arrange(edges, mostNames)
  const names = senders.length + receivers.length
  if (names < 3) return null
  const height = Math.max(senders.length, receivers.length) * row
  const ends = lines.find(({ id }) => id === marked)?.id.split(' > ')
  return (
    <figure className="rounded-sm bg-panel px-4 py-3 mid:px-6">
      <div
        role="img"
        data-hook="told-drawing"
        aria-label={`Diagram of the list: ${lines.length} arrows between ${names} names.`}
        className="grid grid-cols-[minmax(0,auto)_minmax(48px,1fr)_minmax(0,auto)] gap-x-1.5"
        style={{ height }}
      >
        <Column names={senders} marked={ends?.[0]} />
        <svg
          width="100%"
          height={height}
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          fill="none"
          aria-hidden="true"
        >
          {lines.map(({ id, from, to, count }) => (
            <path
              key={id}
              data-arc={id}
              data-marked={marked === id || undefined}
              d={`M0 ${100 * from}C50 ${100 * from} 50 ${100 * to} 100 ${100 * to}`}
              vectorEffect="non-scaling-stroke"
              strokeWidth={Math.min(6, 1.5 + Math.log2(count))}
              className={
                marked === id ? 'stroke-ink' : marked === undefined ? 'stroke-rail' : 'stroke-rail opacity-40'
              }
            />
          ))}
        </svg>
        <Column names={receivers} marked={ends?.[1]} ends />
      </div>
      {left > 0 ? (
        <figcaption className="mt-2 text-muted">
          Showing the {names} busiest of {names + left}.
        </figcaption>
      ) : null}
    </figure>
  )
}

/** A session is a ring, and a sender without one is a bar. The names of `ends` receive, and are right of their marks. */
const Column = ({
  names,
  marked,
  ends = false
}: {
  names: Name[]
  marked: string | undefined
  ends?: boolean
}) => (
  <div className="flex min-w-0 flex-col">
    {names.map(({ id, words, isSession }) => (
      <p
        key={id}
        className={clsx(
          'flex min-h-0 min-w-0 flex-1 items-center gap-2',
          ends ? '' : 'flex-row-reverse text-right',
          marked === id ? 'font-semibold' : isSession ? 'text-ink' : 'text-muted'
        )}
      >
        <span
          aria-hidden="true"
          className={clsx(
            'shrink-0',
            isSession ? 'size-2.5 rounded-full border-2' : 'h-3 w-0.5 bg-current',
            isSession && (marked === id ? 'border-ink bg-ink' : 'border-rail bg-ground')
          )}
        />
        <span className="min-w-0 truncate" title={words}>
          {words}
        </span>
      </p>
    ))}
  </div>
)
