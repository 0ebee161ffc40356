import type { TestRun } from '@waystation/protocol/agent/test-set.ts'
import type { TurnResult } from '@waystation/protocol/session/comparison.ts'
import { callsBetween, isSameResult } from '#components/agents/compare/differences.ts'
import { callWords, isOver, stateWords } from '#components/agents/compare/result-words.ts'

/** A message of a test set with its results, in the order of the versions. Undefined results: not in this run. */
export type TestRow = { text: string; results: TestRun['rows'][0]['results'] | undefined; inSet: boolean }

const hasState = ({ rows }: TestRun, state: TurnResult['state']): boolean =>
  rows.some(({ results }) => results.some(result => result?.state === state))

/** Returns whether a message of a run is being answered. */
export const isOpen = (run: TestRun): boolean => hasState(run, 'working')

/** Returns whether a person has to answer a call of a run. */
export const hasCalls = (run: TestRun): boolean => hasState(run, 'waiting')

/** Returns the messages of a run and of its set. Once the run is over, the changed ones come first. */
export function rowsOf(messages: readonly string[], run: TestRun | undefined): TestRow[] {
  const ran = (run?.rows ?? []).map(row => ({ ...row, inSet: messages.includes(row.text) }))
  const others = messages
    .filter(text => !ran.some(row => row.text === text))
    .map(text => ({ text, results: undefined, inSet: true }))
  if (run !== undefined && !isOpen(run)) ran.sort((a, b) => Number(isNews(b)) - Number(isNews(a)))
  return [...ran, ...others]
}

export function isChanged({ results = [] }: Pick<TestRow, 'results'>): boolean {
  const [first, second] = results
  return first != null && second != null && isOver(first) && isOver(second) && !isSameResult(first, second)
}

const isNews = (row: TestRow) =>
  isChanged(row) || row.results?.some(result => result?.state === 'failed') === true

/** "Changed · + web-fetch", "Same", "Working…", "Not run". */
export function outcomeWords({ results }: TestRow): string {
  if (results === undefined) return 'Not run'
  const [first, second] = results
  if (first === null || second === null) return 'Deleted'
  const open = results.find(result => result !== null && result.state !== 'done')
  if (open != null || first === undefined) return open == null ? 'Not run' : stateWords[open.state]
  if (second === undefined) return stateWords[first.state]
  const calls = callsBetween(first.calls, second.calls).map(callWords)
  return first.text === second.text && calls.length === 0 ? 'Same' : ['Changed', ...calls].join(' · ')
}

/** "3 of 12 changed · cost −4 % · 1.2 s faster". While the run is open: "4 of 12 finished · 1 waiting". */
export function summaryWords(run: TestRun): string {
  const { rows, with: variants } = run
  const results = rows.flatMap(row => row.results)
  const count = (state: TurnResult['state']) => results.filter(result => result?.state === state).length
  const states = (['waiting', 'failed'] as const).flatMap(state =>
    count(state) === 0 ? [] : [`${count(state)} ${state}`]
  )
  const over = rows.filter(row => row.results.every(result => result === null || isOver(result)))
  if (isOpen(run) || variants.length < 2)
    return [`${over.length} of ${rows.length} finished`, ...states].join(' · ')
  return [`${rows.filter(isChanged).length} of ${rows.length} changed`, ...states, ...figureWords(rows)].join(
    ' · '
  )
}

/** Returns the differences in cost and time, over the messages that have both results. */
function figureWords(rows: TestRun['rows']): string[] {
  const pairs = rows.flatMap(({ results: [first, second] }) =>
    first != null && second != null ? [[first, second] as const] : []
  )
  const sum = (side: 0 | 1, figure: 'usd' | 'seconds') =>
    pairs.reduce((total, pair) => total + (pair[side][figure] ?? 0), 0)
  const [cost, newCost] = [sum(0, 'usd'), sum(1, 'usd')]
  const percent = cost === 0 ? 0 : Math.round((newCost / cost - 1) * 100)
  const faster = Math.round((sum(0, 'seconds') - sum(1, 'seconds')) * 10) / 10
  return [
    ...(percent === 0 ? [] : [`cost ${percent < 0 ? '−' : '+'}${Math.abs(percent)} %`]),
    ...(faster === 0 ? [] : [`${Math.abs(faster).toFixed(1)} s ${faster < 0 ? 'slower' : 'faster'}`])
  ]
}
