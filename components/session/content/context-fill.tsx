import {
  count,
  type Fill,
  fillWords,
  fullnessOf,
  inPercent
} from '#components/session/wording/context-words.ts'

/** How full the context is, as a thin meter, and below it the parts of the prompt with their sizes, largest first. */
export function ContextFill({ fill }: { fill: Fill }) {
  const { limit, share, parts } = fill
  const isFull = limit !== undefined && fullnessOf(share) === 'danger'
  const largest = parts[0]?.tokens || 1
  return (
    <div>
      <p data-hook="context-fill" className={`font-semibold tabular-nums ${isFull ? 'text-fail' : ''}`}>
        {fillWords(fill)}
      </p>
      {limit === undefined ? null : (
        <Bar share={share} className={`mt-2 bg-line ${isFull ? 'text-fail' : 'text-ink'}`} />
      )}
      <ul aria-label="Prompt contents" data-hook="prompt-parts" className="mt-3 tabular-nums">
        {parts.map(({ name, tokens, share }) =>
          tokens === 0 ? null : (
            <li
              key={name}
              className="grid h-7 grid-cols-[minmax(0,1fr)_minmax(0,1fr)_56px_44px] items-center gap-2"
            >
              <span className="truncate">{name}</span>
              <Bar share={tokens / largest} className="text-rail" />
              <span className="text-right">{count(tokens)}</span>
              <span className="text-right text-muted">{inPercent(share)}</span>
            </li>
          )
        )}
      </ul>
    </div>
  )
}

const Bar = ({ share, className }: { share: number; className: string }) => (
  <span aria-hidden="true" className={`block h-1 rounded-full ${className}`}>
    <span
      className="block h-full min-w-0.5 rounded-full bg-current"
      style={{ width: `${Math.min(1, share) * 100}%` }}
    />
  </span>
)
