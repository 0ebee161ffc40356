import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Patterns } from '#lib/kernel/ctx.ts'
import { log } from '#lib/kernel/log.ts'

/** What the thread is asked: the first pattern that is found in `text`, or without one, what is wrong with each. */
export type PatternQuestion = { patterns: readonly string[]; text?: string }

/** What a thread may hold, in MiB: one that needs more ends, and its question has no answer. */
const memory = 256

/**
 * Looks for patterns on a thread of its own, one question after the other: however long one takes, nobody else's words wait.
 * A question that takes longer than `limitMs` (five times that for what is wrong with patterns), or more memory than there is,
 * has no answer (undefined), and the next one gets a new thread; nor has one that waited for its turn three times as long. The
 * thread begins with the first question.
 */
export function patternsWith(limitMs = 1_000): Patterns & { stop: () => Promise<void> } {
  let thread: Worker | undefined
  let before: Promise<unknown> = Promise.resolve()

  const askNow = async (question: PatternQuestion, ms: number): Promise<unknown> => {
    thread ??= await begin()
    const worker = thread
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const late = setTimeout(resolve, ms)
    const over = () => resolve(undefined)
    worker.once('message', resolve).once('exit', over)
    worker.postMessage(question)
    const said = await promise
    clearTimeout(late)
    worker.off('message', resolve).off('exit', over)
    if (said === undefined) await end()
    return said
  }
  const end = async () => {
    const worker = thread
    thread = undefined
    await worker?.terminate()
  }
  const ask = async (question: PatternQuestion, ms = limitMs) => {
    const since = performance.now()
    const isStale = () => performance.now() - since > 3 * limitMs
    const answer = before.then(() => (isStale() ? undefined : askNow(question, ms))).catch(told)
    before = answer
    return answer
  }
  return {
    find: async (patterns, text) => {
      const place = (await ask({ patterns, text })) as number | undefined
      return place === -1 ? null : place
    },
    faultsOf: async patterns => (await ask({ patterns }, limitMs * 5)) as (string | null)[] | undefined,
    stop: end
  }
}

async function begin(): Promise<Worker> {
  const worker = new Worker(new URL('./pattern-worker.ts', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memory }
  })
  worker.unref()
  await once(worker, 'message')
  // An error is followed by its end, which is what the question hears.
  worker.on('error', told)
  return worker
}

function told(error: unknown): undefined {
  log('error', 'The thread that looks for patterns failed; where it was needed a person is asked.', { error })
}
