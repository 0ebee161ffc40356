import { useSessionContext } from '#components/session/store/session-context.ts'
import { useContextView } from '#components/session/store/use-context-view.ts'
import {
  type Fullness,
  fillOf,
  fillSentence,
  fullnessOf,
  fullnessWords,
  inPercent,
  inTokens
} from '#components/session/wording/context-words.ts'

/** From this share on, the percentage is shown next to the ring. */
const numbered = 0.5

/** `mark` is in the middle of the ring and shows the fullness without color: none, a dot or a "!". */
const looks: Record<Fullness, { button: string; ring: string; mark?: string }> = {
  fine: { button: 'text-muted hover:text-ink', ring: 'text-muted' },
  warning: { button: 'font-semibold text-ink', ring: 'text-ink', mark: 'M8 8h.01' },
  danger: { button: 'font-semibold text-fail', ring: 'text-fail', mark: 'M8 5v3.4M8 10.9h.01' }
}

/**
 * Shows how much of the model's context the next prompt takes (001-17). A click opens the context in the
 * inspector. Renders nothing if the context limit is unknown.
 */
export function ContextMeter() {
  const { go } = useSessionContext()
  const { view } = useContextView({ shown: 0 })
  if (view?.contextTokens === undefined) return null
  const fill = fillOf(view)
  const fullness = fullnessOf(fill.share)
  const words = fullnessWords(fill.share)
  const sentence = fillSentence(fill)
  const parts = fill.parts.filter(({ tokens }) => tokens > 0)
  return (
    <button
      type="button"
      data-hook="context-meter"
      aria-label={sentence}
      title={[sentence, ...parts.map(({ name, tokens }) => `${name}: ${inTokens(tokens)}`)].join('\n')}
      onClick={() => go({ inspect: 'context' })}
      className={`tap inline-flex h-[30px] shrink-0 items-center justify-center gap-1.5 rounded-sm px-[7px] tabular-nums ${looks[fullness].button}`}
    >
      <Donut share={fill.share} />
      {fill.share < numbered ? null : inPercent(fill.share)}
      {words === undefined ? null : <span className="hidden mid:inline">{words}</span>}
    </button>
  )
}

const ring = { cx: 8, cy: 8, r: 6.25 }

/**
 * Shows how full the context is, as a ring of 16 px. `share` is 1 at the limit. Screen readers skip it,
 * because the button has a label.
 */
function Donut({ share }: { share: number }) {
  const fullness = fullnessOf(share)
  const { ring: tone, mark } = looks[fullness]
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      data-fullness={fullness}
      aria-hidden="true"
      className={`shrink-0 ${tone}`}
    >
      <circle {...ring} strokeWidth="1" className="stroke-rail" />
      <circle
        {...ring}
        strokeWidth={fullness === 'fine' ? 2.5 : 3}
        pathLength="100"
        strokeDasharray={`${Math.min(share, 1) * 100} 100`}
        transform="rotate(-90 8 8)"
      />
      {mark === undefined ? null : (
        <path d={mark} strokeWidth={fullness === 'warning' ? 3 : 1.75} strokeLinecap="round" />
      )}
    </svg>
  )
}
