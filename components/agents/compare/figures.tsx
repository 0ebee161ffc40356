import type { TurnResult } from '@waystation/protocol/session/comparison.ts'
import { type ReactNode, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { AnswerDiff } from './answer-diff.tsx'
import { callsBetween, lowest } from './differences.ts'
import { callWords, costWords, isOver, timeWords, tokensOf, tokenWords, wordCount } from './result-words.ts'

const figures = [
  { label: 'Tokens', best: 'fewest', value: tokensOf, words: tokenWords },
  { label: 'Cost', best: 'lowest', value: (result: TurnResult) => result.usd, words: costWords },
  { label: 'Time', best: 'fastest', value: (result: TurnResult) => result.seconds, words: timeWords }
]

/**
 * The result of the turn at a position among the compared turns. All but the first name the differences to the first,
 * and the lowest figures are marked.
 */
export function Figures({ results, at }: { results: readonly TurnResult[]; at: number }) {
  const [showsDiff, setShowsDiff] = useState(false)
  const [[original], result] = [results, results[at]]
  if (original === undefined || result === undefined) return null
  const over = isOver(result) && isOver(original)
  const isChanged = at > 0 && over && result.text !== original.text
  return (
    <div className="shrink-0 border-b">
      <dl data-hook="figures" className="grid grid-cols-[64px_minmax(0,1fr)] gap-x-4 gap-y-1 px-5 py-3">
        <Figure label="Answer">
          {at === 0 ? (
            wordCount(result)
          ) : !over ? (
            '…'
          ) : isChanged ? (
            <>
              Changed{' '}
              <Button
                tone="quiet"
                data-hook="show-diff"
                aria-expanded={showsDiff}
                onClick={() => setShowsDiff(!showsDiff)}
              >
                {showsDiff ? 'Hide words' : 'Show words'}
              </Button>
            </>
          ) : (
            'Same'
          )}
        </Figure>
        <Figure label="Calls">{at > 0 && !over ? '…' : callsOf(original, result, at)}</Figure>
        {figures.map(({ label, best, value, words }) => {
          const isBest = results.every(isOver) && lowest(results.map(value)).includes(at)
          return (
            <Figure key={label} label={label} best={isBest}>
              {words(result)}
              {isBest ? <span className="font-semibold"> · {best}</span> : null}
            </Figure>
          )
        })}
      </dl>
      {isChanged && showsDiff ? (
        <p
          data-hook="answer-diff"
          className="max-h-60 overflow-y-auto border-t px-5 py-3 whitespace-pre-wrap [overflow-wrap:anywhere]"
        >
          <AnswerDiff before={original.text} after={result.text} />
        </p>
      ) : null}
    </div>
  )
}

function callsOf(original: TurnResult, result: TurnResult, at: number): string {
  if (at === 0) return result.calls.map(({ toolName }) => toolName).join(', ') || 'None'
  const changes = callsBetween(original.calls, result.calls)
  return changes.length === 0 ? 'Same' : changes.map(callWords).join(', ')
}

type FigureProps = { label: string; best?: boolean; children: ReactNode }

const Figure = ({ label, best = false, children }: FigureProps) => (
  <>
    <dt className="text-muted">{label}</dt>
    <dd
      data-hook={`figure-${label.toLowerCase()}`}
      data-best={best || undefined}
      className="tabular-nums [overflow-wrap:anywhere]"
    >
      {children}
    </dd>
  </>
)
