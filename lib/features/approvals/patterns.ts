import { workerThread } from '@waystation/base/threads/worker-thread.ts'
import type { Patterns } from '#lib/kernel/ctx.ts'

/**
 * A question to the worker thread: which pattern first matches `text`, or without `text`, what is wrong with
 * each pattern.
 */
export type PatternQuestion = { patterns: readonly string[]; text?: string }

/**
 * Matches patterns in a worker thread. A search that takes more than `limitMs` of CPU time has no answer:
 * undefined. Checks of patterns may take five times as long.
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
      const index = (await ask({ patterns, text }, { lane })) as number | undefined
      return index === -1 ? null : index
    },
    errorsOf: async (patterns, lane = '') =>
      (await ask({ patterns }, { ms: limitMs * 5, lane })) as (string | null)[] | undefined,
    stop
  }
}
