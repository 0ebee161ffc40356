import {
  count,
  type Fill,
  fillWords,
  fullnessOf,
  inPercent
} from '#components/session/wording/context-words.ts'

/** The parts of the prompt, with their sizes in tokens and as bars. */
export function ContextFill({ fill }: { fill: Fill }) {
  const { limit, share, tokens: total } = fill
  const fullness = fullnessOf(share)
  return (
    <div>
      <p
        data-hook="context-fill"
        className={`font-semibold tabular-nums ${limit !== undefined && fullness === 'danger' ? 'text-fail' : ''}`}
      >
        {fillWords(fill)}
      </p>
      <ul aria-label="Prompt contents" data-hook="prompt-parts" className="mt-2 tabular-nums">
        {fill.parts.map(({ name, tokens, share }) =>
          tokens === 0 ? null : (
            <li
              key={name}
              className="grid grid-cols-[minmax(0,3fr)_minmax(0,4fr)_56px_44px] items-center gap-2"
            >
              <span className="truncate">{name}</span>
              <span aria-hidden="true" className="border-l border-l-rail py-1">
                <span
                  className="block h-2 min-w-px bg-rail"
                  style={{ width: `${(100 * tokens) / Math.max(1, total)}%` }}
                />
              </span>
              <span className="text-right">{count(tokens)}</span>
              <span className="text-right text-muted">{inPercent(share)}</span>
            </li>
          )
        )}
      </ul>
    </div>
  )
}
