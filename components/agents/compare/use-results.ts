import type { TurnRef, TurnResult } from '@waystation/protocol/session/comparison.ts'
import { client } from '#components/browser/client.ts'
import { useRead } from '#components/browser/queries.tsx'
import type { ComparedTurn } from './column.tsx'

/** How often results are read while a turn is not over, in ms. */
const often = 1500

/** Returns the results of the turns, and reads them again until all turns are over. */
export function useResults(turns: readonly ComparedTurn[], refs: readonly TurnRef[]): readonly TurnResult[] {
  const first = turns.map(({ result }) => result)
  const { data = first } = useRead({
    queryKey: ['turns', ...refs.map(({ sessionId, messageId }) => `${sessionId} ${messageId}`)],
    queryFn: () =>
      Promise.all(refs.map(path => client.call('getTurnResult', { path }) as Promise<TurnResult>)),
    refetchInterval: ({ state }) =>
      (state.data ?? first).some(({ state }) => state === 'working' || state === 'waiting') ? often : false,
    first
  })
  return data.length === turns.length ? data : first
}
