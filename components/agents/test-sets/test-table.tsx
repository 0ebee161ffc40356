import type { TestRun } from '@waystation/protocol/agent/test-set.ts'
import type { TurnResult } from '@waystation/protocol/session/comparison.ts'
import { useState } from 'react'
import { AnswerDiff } from '#components/agents/compare/answer-diff.tsx'
import { comparePath } from '#components/agents/compare/compare-path.ts'
import {
  costWords,
  isOver,
  stateWords,
  timeWords,
  variantWords
} from '#components/agents/compare/result-words.ts'
import { useSplit, useWide } from '#components/browser/use-media.ts'
import { Button } from '#components/ui/button.tsx'
import { Link } from '#components/workspace/link.tsx'
import { isChanged, outcomeWords, type TestRow } from './run-summary.ts'

const figures = [
  ['Cost', costWords],
  ['Time', timeWords]
] as const

type TestTableProps = {
  run: TestRun | undefined
  rows: readonly TestRow[]
  /** Undefined if the user cannot change the set. */
  onRemove: ((text: string) => Promise<void>) | undefined
}

/** The messages of a test set, with the results of a run. A row opens to show the answers and their differences. */
export function TestTable({ run, rows, onRemove }: TestTableProps) {
  const [opened, setOpened] = useState<string>()
  const sides = run?.with.map(variantWords) ?? []
  // Columns that are hidden on small screens must not count.
  const width = 2 + (useWide() ? sides.length : 0) + (useSplit() && run !== undefined ? figures.length : 0)
  return (
    <table data-hook="test-messages" className="w-full table-fixed border-t">
      <thead>
        <tr className="border-b text-left text-muted">
          <th className="py-2 pr-4 font-normal">Message</th>
          {sides.map(side => (
            <th key={side} className="truncate py-2 pr-4 font-normal max-mid:hidden">
              {side}
            </th>
          ))}
          <th className="w-40 py-2 font-normal max-mid:w-28">Result</th>
          {run === undefined
            ? null
            : figures.map(([label]) => (
                <th key={label} className="w-32 py-2 text-right font-normal max-split:hidden">
                  {label}
                </th>
              ))}
        </tr>
      </thead>
      {rows.map(row => {
        const { text, results, inSet } = row
        const isOpen = opened === text
        return (
          <tbody
            key={text}
            data-hook="test-row"
            data-changed={isChanged(row) || undefined}
            data-over={results?.every(result => result === null || isOver(result)) || undefined}
            className="border-b"
          >
            <tr className="relative hover:bg-panel">
              <td className="py-2 pr-4">
                <button
                  type="button"
                  aria-expanded={isOpen}
                  onClick={() => setOpened(isOpen ? undefined : text)}
                  className={`tap block w-full text-left font-semibold -outline-offset-2 after:absolute after:inset-0 ${isOpen ? 'whitespace-pre-wrap [overflow-wrap:anywhere]' : 'truncate'}`}
                >
                  {text}
                </button>
              </td>
              {sides.map((side, index) => (
                <td key={side} className="truncate py-2 pr-4 text-muted max-mid:hidden">
                  <Answer result={results?.[index]} />
                </td>
              ))}
              <td
                data-hook="test-outcome"
                className={`truncate py-2 ${isChanged(row) ? 'font-semibold' : 'text-muted'}`}
              >
                {outcomeWords(row)}
              </td>
              {run === undefined
                ? null
                : figures.map(([label, words]) => (
                    <td key={label} className="py-2 text-right text-muted tabular-nums max-split:hidden">
                      {results?.map(result => (result === null ? '–' : words(result))).join(' → ')}
                    </td>
                  ))}
            </tr>
            {isOpen ? (
              <tr data-hook="test-details">
                <td colSpan={width} className="pt-2 pb-4">
                  <div className="flex flex-col gap-4">
                    <Answers sides={sides} results={results} />
                    <div className="flex flex-wrap gap-4">
                      <Comparison results={results} />
                      {onRemove === undefined || !inSet ? null : (
                        <Button tone="quiet" data-hook="remove-message" onClick={() => void onRemove(text)}>
                          Remove message
                        </Button>
                      )}
                    </div>
                  </div>
                </td>
              </tr>
            ) : null}
          </tbody>
        )
      })}
    </table>
  )
}

function Answer({ result }: { result: TurnResult | null | undefined }) {
  if (result == null) return '–'
  return result.state === 'done' ? result.text : (result.error ?? stateWords[result.state])
}

/** Both answers side by side. Words that only one of them has are marked. */
function Answers({ sides, results = [] }: { sides: readonly string[]; results: TestRow['results'] }) {
  const [first, second] = results
  const differ = first?.state === 'done' && second?.state === 'done'
  return (
    <div className="grid gap-4 mid:auto-cols-fr mid:grid-flow-col">
      {results.map((result, index) => (
        <div key={sides[index]} className="min-w-0 border-l-2 border-l-rail pl-4">
          <p className="text-muted">{sides[index]}</p>
          <p
            data-hook="answer-diff"
            className="max-h-80 overflow-y-auto whitespace-pre-wrap [overflow-wrap:anywhere]"
          >
            {differ ? (
              <AnswerDiff before={first.text} after={second.text} only={index === 0 ? 'before' : 'after'} />
            ) : (
              <Answer result={result} />
            )}
          </p>
        </div>
      ))}
    </div>
  )
}

/** A link to the page with both turns, unless the first trial was deleted. */
function Comparison({ results: [first, ...others] = [] }: { results: TestRow['results'] }) {
  if (first == null) return null
  const trials = others.filter(result => result !== null)
  return (
    <Link href={comparePath(first, trials)} data-hook="open-comparison">
      {trials.length === 0 ? 'Open turn' : 'Compare turns'}
    </Link>
  )
}
