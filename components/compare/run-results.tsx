import type { TestRun } from '@waystation/protocol/agent/test-set.ts'
import type { TurnResult } from '@waystation/protocol/session/comparison.ts'
import { client } from '#components/browser/client.ts'
import { useRead } from '#components/browser/queries.tsx'
import { Link } from '#components/workspace/link.tsx'
import { comparePath } from './compare-path.ts'
import { callsBetween, isSameResult } from './differences.ts'
import {
  callWords,
  costWords,
  isOver,
  stateWords,
  timeWords,
  tokenWords,
  variantWords
} from './result-words.ts'

/** How often the results are read while a message is not over, in ms. */
const often = 2000

const figures = [
  ['Tokens', tokenWords],
  ['Cost', costWords],
  ['Time', timeWords]
] as const

type RunPath = { agentId: string; testSetId: string; runId: string }

/** The results of a run, one row for each message. A row opens the comparison of its message. */
export function RunResults({ path }: { path: RunPath }) {
  const { data: run, error } = useRead<TestRun>({
    queryKey: ['test-run', path.runId],
    queryFn: () => client.call('getTestRun', { path }) as Promise<TestRun>,
    refetchInterval: ({ state }) => (state.data === undefined || isOpen(state.data) ? often : false)
  })
  if (run === undefined)
    return error === null ? null : (
      <p role="alert" className="text-fail">
        The results can't be read. Reload the page.
      </p>
    )
  const changed = run.rows.filter(({ results }) => isChanged(results)).length
  return (
    <div data-hook="run-results" data-open={isOpen(run) || undefined} className="flex flex-col gap-2">
      <p role="status">
        {isOpen(run)
          ? 'Running…'
          : `${changed} of ${run.rows.length} changed: ${run.with.map(variantWords).join(' and ')}.`}
      </p>
      <div className="overflow-x-auto">
        <table className="w-full min-w-[480px]">
          <thead>
            <tr className="border-b text-left text-muted">
              <th className="py-2 pr-4 font-normal">Message</th>
              <th className="py-2 pr-4 font-normal">Result</th>
              {figures.map(([label]) => (
                <th key={label} className="py-2 pl-3 text-right font-normal">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {run.rows.map(({ text, results }) => (
              <tr
                key={text}
                data-hook="run-row"
                data-changed={isChanged(results) || undefined}
                className="relative border-b align-top hover:bg-panel"
              >
                <td className="max-w-60 truncate py-2 pr-4">
                  <Opened results={results}>{text}</Opened>
                </td>
                <td className="py-2 pr-4 [overflow-wrap:anywhere]">{resultWords(results)}</td>
                {figures.map(([label, words]) => (
                  <td key={label} className="py-2 pl-3 text-right whitespace-nowrap tabular-nums">
                    {results.map(result => (result === null ? '–' : words(result))).join(' → ')}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

/** The whole row is the link to the comparison, unless the first trial was deleted. */
function Opened({
  results: [first, ...others],
  children
}: {
  results: TestRun['rows'][0]['results']
  children: string
}) {
  if (first === null || first === undefined) return children
  return (
    <Link
      href={comparePath(
        first,
        others.filter(result => result !== null)
      )}
      className="font-semibold no-underline after:absolute after:inset-0"
    >
      {children}
    </Link>
  )
}

const isOpen = ({ rows }: TestRun) =>
  rows.some(({ results }) => results.some(result => result?.state === 'working'))

function isChanged([first, second]: readonly (TurnResult | null)[]): boolean {
  return first != null && second != null && isOver(first) && isOver(second) && !isSameResult(first, second)
}

function resultWords(results: readonly (TurnResult | null)[]): string {
  const [first, second] = results
  if (first == null || second == null) return first == null ? 'Deleted' : stateWords[first.state]
  const open = results.find(result => result !== null && result.state !== 'done')
  if (open != null) return stateWords[open.state]
  const calls = callsBetween(first.calls, second.calls).map(callWords)
  if (first.text === second.text && calls.length === 0) return 'Same'
  return ['Changed', ...calls].join(' · ')
}
