import {
  count,
  type Fill,
  fillWords,
  fullnessOf,
  inPercent
} from '#components/session/wording/context-words.ts'

/**
 * The opacity of each kind, chosen so that adjacent kinds differ. All have the text color, because no kind
 * has a color of its own.
 */
const strengths = [1, 0.5, 0.8, 0.35, 0.9, 0.6, 0.45]

/** A circle that starts at the top and is 100 long. */
const ring = { cx: 36, cy: 36, r: 28, pathLength: 100, transform: 'rotate(-90 36 36)' }

/** The parts of the prompt, as a donut chart and as a list with sizes in tokens. */
export function ContextFill({ fill }: { fill: Fill }) {
  const { limit, share } = fill
  const fullness = fullnessOf(share)
  const drawn = fill.parts
    .map((part, index) => ({ ...part, strength: strengths[index] }))
    .filter(part => part.tokens > 0)
  return (
    <div className="flex items-start gap-4">
      <Donut drawn={drawn} share={share} />
      <div className="min-w-0 flex-1">
        <p
          data-hook="context-fill"
          className={
            fullness === 'fine' || limit === undefined
              ? 'tabular-nums'
              : `font-semibold tabular-nums ${fullness === 'danger' ? 'text-fail' : ''}`
          }
        >
          {fillWords(fill)}
        </p>
        <ul aria-label="Prompt contents" data-hook="prompt-parts" className="mt-1 tabular-nums">
          {drawn.map(({ name, tokens, share, strength }) => (
            <li key={name} className="flex items-center gap-2">
              <span aria-hidden="true" className="size-2 shrink-0 bg-ink" style={{ opacity: strength }} />
              <span className="min-w-0 flex-1 truncate">{name}</span>
              <span>{count(tokens)}</span>
              <span className="w-11 text-right text-muted">{inPercent(share)}</span>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

type Drawn = { name: string; share: number; strength: number | undefined }

/**
 * Draws the kinds clockwise from the top. `share` is the share of the limit. Above 1, the kinds are scaled to
 * one full circle.
 */
function Donut({ drawn, share }: { drawn: readonly Drawn[]; share: number }) {
  const scale = 100 / Math.max(share, 1)
  let from = 0
  return (
    <svg
      width="72"
      height="72"
      viewBox="0 0 72 72"
      fill="none"
      stroke="currentColor"
      aria-hidden="true"
      className="shrink-0"
    >
      <circle
        {...ring}
        strokeWidth="1"
        strokeDasharray={`0 ${Math.min(share, 1) * 100} 100`}
        className="stroke-rail"
      />
      {drawn.map(part => {
        const length = part.share * scale
        const offset = -from
        from += length
        return (
          <circle
            key={part.name}
            {...ring}
            strokeWidth="12"
            strokeOpacity={part.strength}
            strokeDasharray={`${length} ${100 - length}`}
            strokeDashoffset={offset}
          />
        )
      })}
    </svg>
  )
}
