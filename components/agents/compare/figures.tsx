import type { TurnResult } from '@waystation/protocol/session/comparison.ts'
import type { ReactNode } from 'react'
import { AnswerDiff } from './answer-diff.tsx'
import { callsBetween, lowest } from './differences.ts'
import { callWords, costWords, isOver, timeWords, tokensOf, tokenWords, wordCount } from './result-words.ts'

const figures = [
  { label: 'Tokens', best: 'fewest', value: tokensOf, words: tokenWords },
  { label: 'Cost', best: 'lowest', value: (result: TurnResult) => result.usd, words: costWords },
  { label: 'Time', best: 'fastest', value: (result: TurnResult) => result.seconds, words: timeWords }
]

/**
 * The result of the turn at a position among the compared turns. All but the first show the differences to the first,
 * and the lowest figures are marked.
 */
export function Figures({ results, at }: { results: readonly TurnResult[]; at: number }) {
  const [[original], result] = [results, results[at]]
  if (original === undefined || result === undefined) return null
  const over = isOver(result) && isOver(original)
  const isOther = (one: TurnResult) => isOver(one) && isOver(original) && one.text !== original.text
  const changed = results.find(isOther)
  const answer = at === 0 ? wordCount(result) : over ? (isOther(result) ? 'Changed' : 'Same') : '…'
  return (
    <div className="shrink-0 border-b">
      <dl data-hook="figures" className="grid grid-cols-4 gap-x-4 gap-y-2 px-5 py-3">
        <Figure label="Answer">{answer}</Figure>
        {figures.map(({ label, best, value, words }) => {
          const isBest = results.every(isOver) && lowest(results.map(value)).includes(at)
          return (
            <Figure key={label} label={label} best={isBest}>
              {words(result)}
              {isBest ? <span className="font-semibold"> · {best}</span> : null}
            </Figure>
          )
        })}
        <Figure label="Calls">{at > 0 && !over ? '…' : callsOf(original, result, at)}</Figure>
      </dl>
      {changed === undefined ? null : (
        // As high in each column, so that the transcripts below stay side by side.
        <p
          data-hook="answer-diff"
          className="h-26 overflow-y-auto border-t px-5 py-3 whitespace-pre-wrap [overflow-wrap:anywhere]"
        >
          {at === 0 ? (
            <AnswerDiff before={original.text} after={changed.text} only="before" />
          ) : (
            <AnswerDiff before={original.text} after={result.text} only="after" />
          )}
        </p>
      )}
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
  <div className="min-w-0 last:col-span-full last:flex last:gap-x-4">
    <dt className="text-muted">{label}</dt>
    <dd
      data-hook={`figure-${label.toLowerCase()}`}
      data-best={best || undefined}
      className="tabular-nums [overflow-wrap:anywhere]"
    >
      {children}
    </dd>
  </div>
)
