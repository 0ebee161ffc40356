'use client'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { useContextView } from '#components/session/store/use-context-view.ts'
import {
  fillOf,
  fillSentence,
  fullnessOf,
  fullnessWords,
  inPercent,
  inTokens
} from '#components/session/wording/context-words.ts'
import { ContextDonut } from './context-donut.tsx'

/** From this share on, the percentage is shown next to the ring. */
const numbered = 0.5

const tones = {
  fine: 'text-muted hover:text-ink',
  warning: 'font-semibold text-ink',
  danger: 'font-semibold text-fail'
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
      className={`tap inline-flex h-[30px] shrink-0 items-center justify-center gap-1.5 rounded-sm px-[7px] tabular-nums ${tones[fullness]}`}
    >
      <ContextDonut share={fill.share} />
      {fill.share < numbered ? null : inPercent(fill.share)}
      {words === undefined ? null : <span className="hidden mid:inline">{words}</span>}
    </button>
  )
}
