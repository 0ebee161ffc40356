import type { Patterns } from '#lib/kernel/ctx.ts'
import { workerThread } from '#lib/kernel/threads/worker-thread.ts'

/** What the thread is asked: the first pattern that is found in `text`, or without one, what is wrong with each. */
export type PatternQuestion = { patterns: readonly string[]; text?: string }

/**
 * Looks for patterns on a thread of its own. A question that takes more CPU time than `limitMs` (five times that for what is wrong
 * with patterns) has no answer: undefined.
 */
export function patternsWith(limitMs = 1_000): Patterns & { stop: () => Promise<void> } {
  const { ask, stop } = workerThread<PatternQuestion>({
    file: new URL('./pattern-worker.ts', import.meta.url),
    limitMs,
    memory: 256,
    about: 'matches patterns failed. The calls that it was checking need approval.'
  })
  return {
    find: async (patterns, text, lane = '') => {
      const place = (await ask({ patterns, text }, { lane })) as number | undefined
      return place === -1 ? null : place
    },
    faultsOf: async (patterns, lane = '') =>
      (await ask({ patterns }, { ms: limitMs * 5, lane })) as (string | null)[] | undefined,
    stop
  }
}
